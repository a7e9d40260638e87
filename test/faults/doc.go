// Package faults lets sets live under faults, and checks every write of it, and that all comes to rest as it should be once
// the faults stop. Everything is told in the language of package story, so that what is found is a story.
//
//	life.go          one long random life, made up while it runs; the same seed gives the same life
//	words.go         what can happen in it, and how often
//	harm.go          what users, nodes and the API do to it
//	policies.go      what else happens in a life with policies of drain and repair
//	policy_stories.go  drains and repairs from beginning to end
//	shrink.go        a life in which something does not hold, cut down to the shortest story that has it
//	lives.go         reference lives: scripts without faults
//	sieve.go         the perturbations of Sieve, set into reference lives at every point
//	perturbations.go the ways of each
//	ending.go        what a life has come to, to compare two
//	tally.go         counts
//	run.go           many lives
//
// What it looks at and package explore does not: time, clocks, start ordinals, OnDelete, a nil rollingUpdate, orphans and
// strangers, edited labels, lost volumes, finalizers, several sets, a set that comes back under its name. The rules are
// those of SETPLAN.
package faults
