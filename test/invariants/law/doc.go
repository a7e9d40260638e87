// Package law holds the invariants: of every write, of every plan, and at rest. Each is written once, over the smallest possible
// view of a set. test/invariants/README.md describes them.
//
//	set.go, write.go   the view: a set at one moment, and one write
//	laws.go            the list
//	pods.go, update.go, repair.go, claims.go, drain.go, own.go   of a write
//	plan.go            of a plan
//	rest.go            at rest
//
// Three histories are checked against them, and each makes its own view: the simulated cluster (package invariants), the states of
// the explorer (package explore), and the watch of a real API server (package invariants, for test/e2e). Nothing here is shared with
// the engine, so that the two can disagree.
package law
