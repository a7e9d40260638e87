// Package faults runs sets under faults. It checks every write, and that everything comes to rest as it should once the faults stop. All
// runs are in the language of package story, so that each finding is a story.
//
// Unlike package explore it covers time, clocks, start ordinals, OnDelete, a nil rollingUpdate, orphans and strangers, edited labels, lost
// volumes, finalizers, several sets, and a set that is recreated under its name.
package faults
