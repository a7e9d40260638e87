// Package engine decides what should happen to one set: Decide turns a snapshot into a plan.
//
// It is a pure function. It imports the standard library only, has no clock (Snapshot.ObservedAt is the time), no
// randomness, no logging, and its output does not depend on the order of the input lists. A test in test/walls
// keeps it so.
//
// The reference is the controller of Kubernetes 1.36.3 (k8s.io/kubernetes, pkg/controller/statefulset, called
// "upstream" here). Where the SETPLAN preset departs from it, a field of Rules says so, and docs/rules.md has a row.
//
// # How a plan is made
//
// One pass, run in decide.go, in two halves: first the snapshot is read into a view (view.go), then the view is decided on. What a
// pass writes is the draft of a plan (draft.go). Each step has a file of its own, and its signature says what it reads, asks and
// writes. A step that cannot do its part ends the pass there, with a block.
//
// The view is filled in by these steps. What they plan makes objects the set's own, because the rest builds on that:
//
//	usable.go         whether anything can be planned: coverage, selector, the fields of the spec
//	unknown.go        annotations that mean nothing here, and hold what deletes
//	drain_policy.go   what the drain policy means, and whether earlier drains have left traces
//	claims_shared.go  whether another set calls claims alike, so that none goes with anybody
//	templates.go      the templates of claims and pods
//	ownership.go      adopt what matches and nobody controls, release what matches no longer: members and strangers
//	drain_protect.go  take claims that a drain policy covers from owners that would take them along
//	classify.go       which member is a replica, which one is condemned, which names strangers have taken
//	claims_stay.go    release claims that are kept from their pods; no pod is deleted that would take one along
//	revision.go       which revision the template is, and which one pods below the partition have
//	drain_read.go     which ordinals have something to drain
//	repair_policy.go  which pods are to be repaired
//
// From there on nobody changes the view, and these steps decide:
//
//	replicas.go       every ordinal of the range, ascending: replace, create, mend identity and claims
//	condemned.go      every pod outside the range, descending: hand over claims, delete
//	drain.go          the data that they leave, where a policy asks for it: drain pods, then their claims
//	counters.go       the counters of the status
//	update.go         outdated pods, descending, within the partition and the budget
//	repair.go         pods that cannot become ready, and whose template has been corrected: also where the update waits
//	waiting.go        why what is outdated or unavailable stays as it is
//	status.go         the status, with its conditions (conditions.go)
//	history.go        old revisions
//	drain_set.go      the finalizer that keeps a set until it is drained
//	requeue.go        when to look again
//
// Steps use files that come before them, and tools: order_test.go has all files in this order, and holds it. So it does with the two
// lists above.
//
// The drain is a room of its own (drain*.go; drain.go lists its parts). For a set without a drain policy, and without traces of one,
// the room is nil and all its answers are those of nothing to drain.
package engine
