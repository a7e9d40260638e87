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
// One pass, in the order of decision.run; each step has a file of its own. A step that cannot do its part ends the pass there,
// with a block.
//
//	usable.go         whether anything can be planned: coverage, selector, the fields of the spec
//	policy.go         what the set's annotations ask for, and what the caller says in place of them
//	unknown.go        annotations that mean nothing here, and hold what deletes
//	drain.go          what the drain policy means, and what earlier drains have left; nil without either
//	templates.go      the pod template and the claim templates
//	ownership.go      adopt what matches and nobody controls, release what matches no longer: members and strangers
//	drain_protect.go  take claims that a drain policy covers from owners that would take them along
//	revision.go       which revision the template is, and which one pods below the partition have
//	classify.go       which member is a replica, which one is condemned, which names strangers have taken
//	claims_stay.go    release claims of the range from their pods; no pod is deleted that would take one along
//	replicas.go       every ordinal of the range, ascending: replace, create, mend identity and claims
//	condemned.go      every pod outside the range, descending: hand over claims, delete
//	drain_places.go   the data that they leave, where a policy asks for it: drain pods, then their claims
//	update.go         outdated pods, descending, within the partition and the budget
//	repair.go         pods that cannot become ready, and whose template has been corrected: also where the update waits
//	waiting.go        why what is outdated or unavailable stays as it is
//	status.go         the counters and conditions
//	history.go        old revisions
//	drain_set.go      the finalizer that keeps a set until it is drained
//	requeue.go        when to look again
package engine
