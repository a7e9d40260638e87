// Package explore visits every state that one small set can get into, and checks every step on the way.
//
// The cluster of package sim holds real objects and is far too slow for this. Here a cluster is a few small numbers that fit into 192
// bits (pack.go), so that millions of states are visited per minute. The plans come from the real engine, through a real snapshot
// (snapshot.go).
//
// # What is a state
//
// The truth (what the API server stores), up to two plans that are being applied, and how many edits and faults may
// still happen. A plan in flight is the view that it was made from, the writes that are done, and which objects of that
// view are still the same objects. This one notion gives all the ways in which an adapter can be wrong: a view that is
// some writes old (things happen between the view and the write), a crash between any two writes (the flight is
// dropped), a restart with an old cache, and two adapters at once (two flights).
//
// # What makes it end
//
// Edits and faults per path and foreign writes per flight are bounded (Bounds). Uids and resource versions are never
// stored: all that a precondition asks is whether an object is still the one of the view, which is one bit. Revision
// numbers are ranks. Of the counters of the status, only "they are what the pods call for" is kept; a status that was
// wrong and becomes right by accident is written once more than in life. The two flights have no names.
//
// # What is left out
//
// Time (but for moments.go: minReadySeconds is 0, a plan is never too old, a pod is always old enough to be repaired, and a failed drain pod to
// be replaced), foreign objects (orphans, strangers, other controllers of a claim), labels and volumes that somebody changed, pods
// that somebody wants recreated, lost volumes, replicas that succeed (they are treated as those that fail), OnDelete, a nil rollingUpdate,
// start ordinals, more than one claim template, more than three templates, a set that comes back under its name. Of a drain: asking first,
// how many attempts there were and when, a deletion that orphans, another controller that runs the set (--mode drain). Of a disruption
// budget: that it lags behind the pods, and that an eviction which then fails takes from it. Of ranks: numbers, and two leaders. Of claims
// that grow: attributes classes and metadata, file systems, quotas, the cool-down, requests by others. Of updates in place: a second container, two
// tags of one image, kubelets that do not say what they know of, and all that only time proves; resources that start containers anew. Of two policies together, all but pairs.go.
// The fence and the live read of the set are not modelled: an adapter here does more than a real one may. The rules are those of SETPLAN.
//
//	state.go       the cluster
//	pack.go        its 192 bits
//	node.go        a state of the search
//	environment.go what happens without us: kubelet, garbage collector, users
//	write.go       one write of a plan, and the API's preconditions
//	snapshot.go    from a cluster to what the engine is shown
//	decision.go    from its plan to writes
//	drain*.go      the same for what only a drain has
//	policies.go    what the set asks for by annotations
//	budgets.go     disruption budgets that refuse evictions, and adapters that remember it
//	inplace.go     pods that are updated in place
//	inside*.go     those whose containers change: what is under way, and what the kubelet has done
//	images.go      containers that start again with other images
//	resources.go   resources that a node gives, or has no room for
//	removals.go    a claim template that is removed, and wanted again
//	additions.go   one that is added, and taken back
//	growth*.go     claims that follow the set, and providers that fail
//	pairs.go       two policies together
//	gates.go       somebody who agrees to updates
//	ranks.go       pods that lead
//	moments.go     pods that are not ready for a moment, or because of others
//	invariant*.go  what never happens
//	search.go      breadth first, so that a first violation is a shortest one
//	liveness.go    everything comes to rest
//	bounds.go      what is searched, and how far
//	run.go         many searches, and what came of them
package explore
