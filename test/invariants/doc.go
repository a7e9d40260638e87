// Package invariants checks sets on the simulated cluster against the invariants of package law: every write, every plan, and sets at
// rest. test/invariants/README.md describes them.
//
//	law                         the invariants, over a small view of a set
//	monitor.go                  watches a world and its planners, and collects what did not hold
//	view.go, write.go, plan.go  make the view
//	algebra.go                  what holds for every answer of a planner, however it is asked
//	watched.go                  checks the watch of a real API server in the same way
//	promise.go                  what the cluster does not show at one moment
//	wanted.go, missing.go       how a set at rest must be, or what must then be missing
//	membership.go, policy.go    how all of these read a set, independently of the engine
package invariants
