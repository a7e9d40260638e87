// Package forecast runs a whole rollout to its end before anything happens: it plans with the engine, applies each plan to a copy of the
// snapshot, lets hosts do their part, and plans again. The answer is what would happen, in order, and how it ends.
//
// It is as pure as the engine: no clock, no randomness, no order of a map. The time in it begins at Snapshot.ObservedAt and moves on to
// the next event. What hosts do is assumed; the assumptions are part of the answer. test/forecast shows that under these assumptions the
// simulated cluster does what is forecast, write by write.
//
//	options.go, result.go            what goes in and what comes out
//	run.go                           plan, apply, let time pass; until nothing happens any more
//	cluster.go                       the copy of the snapshot
//	apply.go                         a plan into it, as an adapter does
//	operations.go                    one action, with its preconditions
//	changes.go, lives.go             what an action changes of an object, and who is told; how objects come and go
//	containers.go, resize.go         what runs in pods whose images or resources change in place
//	manifest.go, shared.go           the snapshot's object of a manifest
//	hosts.go                         what hosts do, and when
//	survey.go                        what they are in the middle of at first
//	broken.go                        which pods never become ready
//	start.go                         which pods they start
//	gc.go                            the garbage collector, the protection of claims, the end of the set
//	record.go                        what is written down of it
//	budget.go                        what a forecast may spend, and what it spends
//	digest.go                        what stands for a text that is too long to be kept
//	worst.go, state.go               every order in which hosts can get done, and the most that is unavailable then; which states are one
//	words.go                         the assumptions and warnings as sentences
//
// A new operation of the engine needs a case in operations.go; a test fails until it has one. What a plan waits for from others needs an event
// in hosts.go.
package forecast
