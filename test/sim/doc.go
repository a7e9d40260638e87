// Package sim is a cluster in memory: an API with the semantics that a controller depends on, a kubelet, a garbage
// collector, and adapters that read and write it through caches that may be stale.
//
// Nothing in it runs by itself. There is no goroutine, no wall clock and no randomness; uids and resource versions come
// from counters, and time passes when somebody calls Tick or Advance. So a run can be repeated exactly, a golden file
// can hold its output, and a failing random run shrinks to a short one.
//
//	object.go, state.go    what is stored
//	world.go, api.go       the API server: create, change, delete, with preconditions; the watch history
//	kubelet.go, gc.go      what the cluster does by itself, one step at a time
//	containers.go          what runs in a pod
//	adapter.go             one adapter: its caches, its faults; implements adapters.Source
//	view.go                what the adapter acts on
//	snapshot.go            its caches to package snapshot, which makes the contract's message of them
//	executor.go            one action to one write; implements adapters.Executor
//	planner.go             the engine behind adapters.Planner
//
// What must hold of it is in test/invariants, and its tests are the stories of test/story and the conformance suite.
package sim
