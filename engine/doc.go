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
//	model      what goes in and what comes out: the snapshot, the plan, codes, capabilities, rules
//	quantity   amounts of resources
//	ordinals   which ordinals a set has
//	jsontree   JSON as templates and revisions have it
//	prose      words that all sentences share, and the commands in them
//	differ     what differs between two templates, for people
//	forecast   the same engine, run to the end
//
// # How a plan is made
//
// A pass (decide.go) has two halves: it reads the snapshot into a view (view.go), and then decides on the view. It writes the draft
// of a plan (draft.go). Each step has its own file, and its signature says what it reads, asks and writes. A step that cannot do its
// part adds a block and ends the pass.
//
// These steps fill in the view. They already plan what makes objects the set's own, because the rest builds on that:
//
//	usable.go         whether anything can be planned: coverage, selector, the fields of the spec
//	claim_additions.go which claim templates revisions have beside the set's own
//	claim_policy.go   the patches of the claim templates, and whether claims that are there follow their templates
//	unknown.go        unknown annotations, which hold back what deletes
//	namesake.go       whether a set of the same name and another kind has pods; then nothing is done to pods
//	drain_policy.go   what the drain policy means, and whether earlier drains have left traces
//	claims_shared.go  whether another set has the same claim names; then no claim is deleted with an owner
//	templates.go      the templates of claims and pods
//	claim_removals.go which claim templates the pods of each revision are without
//	ownership.go      adopt what matches and has no controller, release what no longer matches: members and strangers
//	drain_protect.go  release claims that a drain policy covers from owners that they would be deleted with
//	classify.go       which members are replicas, which are condemned, which names strangers have taken
//	claims_stay.go    release claims that are kept from their pods; no pod that owns one is deleted
//	claims_held.go    which claims would lose their data with the pod that runs on them; none of these pods is deleted
//	claims_going.go   release claims that are kept from a set that is being deleted; which claims go with others
//	claim_changes.go  let claims that follow their templates grow: this waits for nothing
//	revision.go       which revision has the template, and which one pods below the partition have
//	drain_read.go     which ordinals have something to drain
//	repair_policy.go  which pods are to be repaired
//
// From here on nobody changes the view, and these steps decide:
//
//	replicas.go       every ordinal of the range, ascending: replace, create, restore identity and claims
//	condemned.go      every pod outside the range, descending: hand over claims, delete
//	drain.go          the data that they leave, if a policy asks for it: drain pods, then their claims
//	counters.go       the counters of the status
//	finish_in_place.go pods whose images have changed in place, and that run them by now
//	update.go         outdated pods, descending, within the partition and the budget; in place where that is enough (update_in_place.go)
//	repair.go         pods that cannot become ready, and whose template has been corrected, even if the update waits
//	recreate.go       pods that somebody wants recreated, within the budget
//	waiting.go        why outdated and unavailable pods stay as they are
//	status.go         the status, with its conditions (conditions.go)
//	history.go        old revisions
//	drain_set.go      the finalizer that keeps a set until it is drained
//	requeue.go        when to look again
//
// What the API server has refused before starves nobody: tried_before.go says how. A decision takes a time that is proportional to the snapshot, because
// bounds.go bounds what is done for each object; caller.go ends it early where nobody waits for it.
//
// A step uses only files before it, and tools. order_test.go has all files in this order and enforces it, and the two lists above. A feature that only keeps
// pods, or says when one counts as available, stands apart in a file of its own: the steps ask holds.go and available.go, which alone know it.
//
// The drain is a room of its own (drain*.go; drain.go lists its parts). For a set that never had a drain policy the room is nil, and
// answers that there is nothing to drain.
//
// Sentences stand apart from the steps that use them: blocks*.go, causes*.go, conditions_words.go, problems.go and the package prose. A test keeps
// it so.
package engine
