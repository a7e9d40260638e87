// Command bench measures us against the control of Kubernetes 1.37.2 on the same sets, in one process: steady state, rolling
// update and Parallel scale-up, of 3 to 10,000 pods.
//
// <scenario>: only the engine's decision, on an existing snapshot.
//
// remote-<scenario>: the whole remote call, from the adapter's caches to the plan in the adapter: its loop in observe mode over
// informers that have listed the objects, the snapshot, the Go client, TLS on loopback, the server with its interceptors and
// log, the decision, and the way back. remote-sets plans many sets of 3 pods in turn.
//
// Upstream's side is the same in all: UpdateStatefulSet, one pass of its control, which lists revisions and looks up claims,
// over an API that accepts every write and does nothing. The work of its controller around that, looking up the pods and
// claiming them, is left out, in its favour; ours includes it. Both sides only decide: what ours would send is in the plan,
// manifests included.
//
// Machines are noisy, so the two sides take turns. Each figure is the median of many turns, and their ratio counts. Each result
// is a line
//
//	BENCH <name>/<pods> ours=<ns> upstream=<ns> ratio=<upstream/ours>
//
// With -server, 1 to 64 callers ask a separate server process:
//
//	BENCH throughput/<pods>pods/<callers>callers plans_per_second= p50=<ns> p99=<ns> allocations=<a plan> peak_rss=<bytes>
//
// -only picks by name.
package main
