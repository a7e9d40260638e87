// Package faults runs sets under faults. It checks every write, and that everything comes to rest as it should once the faults stop. All
// runs are in the language of package story, so that each finding is a story.
//
//	life.go          one long random life, made up while it runs; the same seed gives the same life
//	words.go         what can happen in it, and how often
//	harm.go          what users, nodes and the API do
//	policies.go      what else happens in a life with drain and repair policies
//	policy_stories.go  drains and repairs from beginning to end
//	ordinals.go      what else happens in a life with reserved ordinals and pauses
//	ranks.go         what else happens in a life in which sets are updated by ranks
//	moments.go       what else happens in a life in which readiness depends on others
//	growth.go        what else happens in a life in which claims follow their templates
//	shrink.go        cuts a failing life down to the shortest story that fails
//	tally.go         counts
//	run.go           many lives
//
// Unlike package explore it covers time, clocks, start ordinals, OnDelete, a nil rollingUpdate, orphans and strangers, edited labels, lost
// volumes, finalizers, several sets, and a set that is recreated under its name.
package faults
