// Package engine decides what should happen to one set: Decide turns a snapshot into a plan.
//
// It is a pure function. It imports the standard library only, has no clock (Snapshot.ObservedAt is the time), no
// randomness, no logging, and its output does not depend on the order of the input lists. A test in test/walls
// keeps it so.
//
// The reference is the controller of Kubernetes 1.36.3 (k8s.io/kubernetes, pkg/controller/statefulset, called
// "upstream" here). Where the SETPLAN preset departs from it, a field of Rules says so, and docs/rules.md has a row.
//
// # Rooms
//
//	model          what goes in and what comes out: the snapshot, the plan, codes, capabilities, rules
//	policy         the names of what a set may ask for
//	quantity       amounts of resources
//	ordinals       which ordinals a set has
//	jsontree       JSON as templates and revisions have it
//	prose          words that all sentences share, and the commands in them
//	podtemplate    what templates of pods say, and what differs between two
//	differ         what differs between two templates, for people
//	plan           the draft of a plan: its actions, its blocks, its limits, and what has failed before
//
// Each of these knows more of a set than the one before, and has it in a part of the view:
//
//	state          the set as it was read, its pods and its revisions
//	rollout        ranks, gates, budgets, and the limit of a scale-up
//	claimtemplate  claim templates: the set's own, patched, added and removed; what pods and claims are made of
//	inplace        what a pod runs, whether it can be changed in place, and at which revision it comes back
//	claims         whose the claims are, whether they stay, and how they grow
//	drain          the data of ordinals that leave
//	setstatus      the status, with its conditions, and the history
//
// The engine itself is the core: the pods of the range, those outside it, updates, repairs. The room forecast runs it to the end.
//
// # How a plan is made
//
// A pass (decide.go) has two halves: it reads the snapshot into a view (view.go), and then decides on the view. It writes the draft
// of a plan (plan/draft.go, state/draft.go). Each step has its own file, and its signature says what it reads, asks and writes. A step that cannot do its
// part adds a block and ends the pass.
//
// These steps fill in the view. They already plan what makes objects the set's own, because the rest builds on that:
//
//	usable.go         whether anything can be planned: coverage, selector, the fields of the spec
//	claimtemplate/additions.go which claim templates revisions have beside the set's own
//	claimtemplate/policy.go   the patches of the claim templates, and whether claims that are there follow their templates
//	unknown.go        unknown annotations, which hold back what deletes
//	namesake.go       whether a set of the same name and another kind has pods; then nothing is done to pods
//	drain/policy.go   what the drain policy means, and whether earlier drains have left traces
//	claims/shared.go  whether another set has the same claim names; then no claim is deleted with an owner
//	claimtemplate/templates.go      the templates of claims and pods
//	claimtemplate/removals.go which claim templates the pods of each revision are without
//	ownership.go      adopt what matches and has no controller, release what no longer matches: members and strangers
//	drain/protect.go  release claims that a drain policy covers from owners that they would be deleted with
//	classify.go       which members are replicas, which are condemned, which names strangers have taken
//	claims/stay.go    release claims that are kept from their pods; no pod that owns one is deleted
//	claims/held.go    which claims would lose their data with the pod that runs on them; none of these pods is deleted
//	claims/going.go   release claims that are kept from a set that is being deleted; which claims go with others
//	claims/changes.go  let claims that follow their templates grow: this waits for nothing
//	revision.go       which revision has the template, and which one pods below the partition have
//	drain/read.go     which ordinals have something to drain
//	repair_policy.go  which pods are to be repaired
//
// From here on nobody changes the view, and these steps decide:
//
//	update_all.go     all outdated pods at once, under the strategy Recreate, and nothing else until they are gone
//	replicas.go       every ordinal of the range, ascending: replace, create, restore identity and claims
//	condemned.go      every pod outside the range, descending: hand over claims, delete
//	drain/drain.go          the data that they leave, if a policy asks for it: drain pods, then their claims
//	setstatus/counters.go       the counters of the status
//	finish_in_place.go pods whose images have changed in place, and that run them by now
//	update.go         outdated pods, descending, within the partition and the budget; in place where that is enough (update_in_place.go)
//	repair.go         pods that cannot become ready, and whose template has been corrected, even if the update waits
//	recreate.go       pods that somebody wants recreated, within the budget
//	waiting.go        why outdated and unavailable pods stay as they are
//	setstatus/status.go         the status, with its conditions (conditions.go)
//	setstatus/history.go        old revisions
//	drain/set.go      the finalizer that keeps a set until it is drained
//	setstatus/requeue.go        when to look again
//
// What the API server has refused before starves nobody: plan/tried_before.go says how. A decision takes a time that is proportional to the snapshot, because
// state/bounds.go bounds what is done for each object; plan/caller.go ends it early where nobody waits for it.
//
// A step uses only rooms before its own, and files before its own: order_test.go has the files of the engine in this order and enforces it, and the two lists above. A
// feature that only keeps pods stands apart in a file of its own: the steps ask holds.go, which alone knows it. Whether a pod is available is asked of
// state/available.go.
//
// For a set that never had a drain policy the drain is nil, and answers that there is nothing to drain.
//
// Sentences stand apart from the steps that use them: in sentences.go of each room, in blocks*.go and causes.go, and in the package prose. A test keeps
// it so.
package engine
