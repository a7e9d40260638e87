// Package invariants holds sets on the simulated cluster to what must hold (package law): of every write, of every plan, and
// once all has come to rest. It is told in docs/invariants.md.
//
//	law                         the invariants, over a small view of a set
//	monitor.go                  watches a world and its planners, and collects what did not hold
//	view.go, write.go, plan.go  make the view
//	algebra.go                  what must hold of every answer of a planner, however it is asked
//	watched.go                  holds the watch of a real API server to the same
//	promise.go                  what one look at the cluster does not show
//	wanted.go, missing.go       what else a set at rest must be, or what must then be missing
//	membership.go, policy.go    the reading of a set that all of these share, and the engine does not
package invariants
