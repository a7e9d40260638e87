// Package law is the set of invariants: what holds of every write, of every plan, and at rest. Each stands here once, over a
// view that is as small as they allow; docs/invariants.md tells them.
//
//	set.go, write.go   the view: a set at one moment, and one write
//	laws.go            the list
//	pods.go, update.go, repair.go, claims.go, drain.go, own.go   of a write
//	plan.go            of a plan
//	rest.go            at rest
//
// Three histories are held to it, and each makes the view by itself: the simulated cluster (package invariants), the states
// of the explorer (package explore), and the watch of a real API server (there, too, for test/e2e). Nothing here is shared with
// the engine, so that the two can disagree.
package law
