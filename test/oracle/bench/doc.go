// Command bench measures us against the control of Kubernetes 1.36.3 on the same sets, in one process: steady state,
// rolling update and Parallel scale-up, of 3 to 10,000 pods.
//
// <scenario>: the engine's decision alone, on a snapshot that is there.
//
// remote-<scenario>: the whole remote call, from the adapter's caches to the plan in the adapter's hands: its loop in
// observe mode over informers that have listed the objects, the snapshot, the Go client, TLS on loopback, the server with
// its interceptors and log, the decision, and the way back. remote-sets plans many sets of 3 pods in turn.
//
// floor-steady: only the bytes of that call and of its answer, through TLS on loopback. floor-call moves the same bytes in a
// gRPC call, floor-stream on a gRPC stream that stays open.
//
// Upstream's side is the same in all: UpdateStatefulSet, the pass of its control, which lists revisions and looks up
// claims, over an API that takes every write and does nothing with it. What its controller does around that, looking up
// the pods and claiming them, is left out, in its favour; our side has it all. Both sides decide only: what ours would
// send is in the plan, manifests included.
//
// Machines are noisy, so the two sides take turns, each figure is the median of many turns, and what counts is their
// ratio. Each result is a line
//
//	BENCH <name>/<pods> ours=<ns> upstream=<ns> ratio=<upstream/ours>
//
// A table then shows how cost grows with size. With -server, a server process of its own is asked by 1 to 64 callers:
//
//	BENCH throughput/<pods>pods/<callers>callers plans_per_second= p50=<ns> p99=<ns> allocations=<a plan> peak_rss=<bytes>
//
// With -profile it prints processor time instead, ours and upstream's, and what ours goes into. -only picks by name.
package main
