package main

// engineMutations has, for each part of the engine that has its behaviour from upstream, at least one way to get it wrong.
var engineMutations = []mutation{
	// Order
	{"order-not-held", "replicas.go", "if !pass.view.parallel() && pass.holdsOrder(p) {", "if !pass.view.parallel() && p.terminating() && pass.holdsOrder(p) {",
		"OrderedReady goes on above a pod that is not ready"},
	{"update-of-nothing", "update.go", "if !pass.view.anyOutdated(pass.view.belowPartition, len(pass.view.replicas)) {", "if pass.view.anyOutdated(pass.view.belowPartition, len(pass.view.replicas)) {",
		"an update within a budget goes on only where nothing is outdated"},
	{"slow-start", "walk.go", "firstBatch = 1", "firstBatch = 2",
		"the first batch of a slow start has two pods"},
	{"condemned-upwards", "classify.go", "return int(b.ordinal) - int(a.ordinal)", "return int(a.ordinal) - int(b.ordinal)",
		"scaling down begins with the lowest ordinal"},
	{"condemned-at-once", "condemned.go", "if v := pass.deleteCondemned(step, m); v != goOn {\n\t\treturn v\n\t}\n\treturn hold", "return pass.deleteCondemned(step, m)",
		"OrderedReady scales down by more than one pod at a time"},
	{"condemned-blindly", "condemned.go", "if (!p.runningReady() || !p.available(pass.view.minReady, pass.view.now)) && p != first && !pass.view.wouldRepair(p) {", "if !p.available(pass.view.minReady, pass.view.now) && p != first && !pass.view.wouldRepair(p) {",
		"OrderedReady scales down below a pod that is not running"},

	// Pods
	{"succeeded-stays", "pods.go", "p.Phase == PodFailed || p.Phase == PodSucceeded", "p.Phase == PodFailed",
		"a pod that has succeeded is not replaced"},
	{"pending-without-claims", "replicas.go", "pending := p.Phase == PodPending", "pending := false",
		"the missing claim of a pending pod is not created"},
	{"current-replicas-ignored", "view.go", "return slot < int(v.set.Status.CurrentReplicas)-v.leaving", "return false",
		"with a nil rollingUpdate a lost pod comes back new, whatever was current"},
	{"no-index-label", "manifest.go", "jsontree.Member{Key: labelPodIndex, Value: jsontree.NewCut(\"\")}, ", "",
		"pods are created without their index label"},

	// Ownership
	{"adopts-the-dying", "ownership.go", "!v.adoptsNothing() && !p.terminating() && !v.isDrainPod(p)):", "!v.adoptsNothing() && !v.isDrainPod(p)):",
		"pods that are being deleted are adopted"},
	{"releases-in-the-end", "ownership.go", "if controller != nil && !v.adoptsNothing() {", "if controller != nil {",
		"a set that is being deleted still releases pods"},

	// Claims
	{"claim-terminating", "claims.go", "case !c.DeletedAt.IsZero():\n\t\t\tready = false", "case !c.DeletedAt.IsZero():",
		"a pod is created on a claim that is being deleted"},
	{"claim-stale", "retention.go", "case is.stalePod && (condemned || ", "case is.stalePod && (",
		"a pod is created on the claim of an earlier pod"},
	{"retention-in-range", "retention.go", "if v.deletesOnScale && !inRange {", "if v.deletesOnScale {",
		"whenScaled Delete ties claims of the range to their pods"},
	{"retention-when-deleted", "retention.go", "return claimOwner{set: v.deletesOnDelete}", "return claimOwner{set: v.deletesOnDelete && !v.deletesOnScale}",
		"whenScaled Delete switches whenDeleted off"},
	{"retention-owned-before", "retention.go", "if v.retainsAll() && !v.claims.owned {", "if v.retainsAll() {",
		"a claim keeps the owner that an earlier policy gave it"},
	{"retention-no-owner-yet", "retention.go", "if v.retainsAll() && !v.claims.owned {", "if !v.claims.owned {",
		"a retention policy has no effect on claims without an owner"},
	{"retention-mere-owner", "retention.go", "case is.mereOwner:\n\t\treturn false", "case is.mereOwner:\n\t\treturn true",
		"a reference to the set that does not say controller stays as it is"},

	// Revisions
	{"revision-order", "ownership.go", "return a.CreatedAt.Compare(b.CreatedAt)", "return b.CreatedAt.Compare(a.CreatedAt)",
		"the older of two revisions with one number counts as the newer"},
	{"revision-number", "revision.go", "next = newest.Number + 1", "next = int64(len(v.revisions)) + 1",
		"a new revision's number is the count of revisions plus one"},
	{"revision-rollback", "revision.go", "case equal != nil:", "case equal != nil && equal == newest:",
		"a rollback makes a new revision"},
	{"revision-equality", "revision_data.go", "\"securityContext\": {filledIn: true},", "",
		"leaving out an empty securityContext makes another template"},
	{"revision-hash", "revision_data.go", "sum = sum*fnvPrime ^ uint32(b)", "sum = (sum ^ uint32(b)) * fnvPrime",
		"revisions get other names"},
	{"revision-collision", "revision.go", "v.collision++", "v.collision += 2",
		"a collision counts twice"},
	{"history-newest", "history.go", "old[:len(old)-limit])", "old[limit:])",
		"trimming the history removes the newest revisions"},
	{"history-in-use", "history.go", " && !used[r.Name] {", " {",
		"a revision is trimmed although a pod still has it"},

	// Updates
	{"update-upwards", "update.go", "updateOne(step *Step) {\n\tfor slot := len(pass.view.replicas) - 1; slot >= pass.view.belowPartition; slot-- {",
		"updateOne(step *Step) {\n\tfor slot := pass.view.belowPartition; slot < len(pass.view.replicas); slot++ {",
		"updates begin at the partition"},
	{"update-partition", "view.go", "return max(0, int(v.set.RollingUpdate.Partition))", "return 0",
		"updates go below the partition"},
	{"update-ready-is-enough", "view.go", "|| !p.available(v.minReady, v.now)", "|| !p.runningReady()",
		"a pod counts as available as soon as it is ready"},
	{"update-budget-rounding", "update_pass.go", "int(percent*int64(v.set.Replicas)/100)", "int((percent*int64(v.set.Replicas)+99)/100)",
		"maxUnavailable in percent is rounded up"},
	{"update-budget-range", "update_pass.go", "for slot := len(pass.view.replicas) - 1; slot >= 0; slot-- {", "for slot := len(pass.view.replicas) - 1; slot >= pass.view.partition(); slot-- {",
		"pods below the partition do not count against maxUnavailable"},
	{"available-at-the-instant", "pods.go", "return ok && !at.After(now)", "return ok && at.Before(now)",
		"a pod is available an instant after minReadySeconds"},

	// Status
	{"status-terminating", "counters.go", "if p.terminating() {\n\t\treturn\n\t}\n", "",
		"pods that are being deleted count as current and updated"},
	{"status-completion", "status.go", " || st.ReadyReplicas != want", "",
		"an update is complete before its pods are ready"},
	{"status-available", "status.go", "a.AvailableReplicas != b.AvailableReplicas ||", "",
		"a status with another number of available pods is not written"},
	{"requeue-last", "requeue.go", "first || wait < soonest", "first || wait > soonest",
		"the next pass is when the last pod becomes available"},

	// How a plan is carried out
	{"uid-precondition", "disruption.go", "Name: p.Name, UID: p.UID, ResourceVersion: version, Op: DeletePod{}", "Name: p.Name, ResourceVersion: version, Op: DeletePod{}",
		"scaling down deletes any pod of that name"},
	{"goes-on-after-failure", "walk.go", "Steps: []Step{*step}, OnFailure: Stop})", "Steps: []Step{*step}, OnFailure: SkipPhase})",
		"OrderedReady goes on after a refused request"},
	{"status-after-failure", "status.go", "AlwaysRun: !ahead && !out.uncertain})", "AlwaysRun: ahead && !ahead})",
		"the status is not written after a refused request"},
}
