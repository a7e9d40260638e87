// Package invariants says what must hold of sets on the simulated cluster: after every write, of every plan, and once all has
// come to rest. It is told in docs/invariants.md.
//
//	monitor.go             watches a world and its planners, and collects what did not hold
//	invariant*.go          what must hold after every write, whatever happened before
//	algebra.go             what must hold of every answer of a planner, however it is asked
//	promise.go             what one look at the cluster does not show
//	wanted.go, missing.go  what a set at rest must be, or what must then be missing
//	membership.go          the reading of a set that all of these share, and the engine does not
package invariants
