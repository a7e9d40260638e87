package main

// drainMutations are mistakes of the engine's drain, by which data goes that nobody has drained, or a drain never ends. The
// conformance suite knows no drain: the engine's own tests look for them, and then the simulated cluster's.
var drainMutations = []mutation{
	// When success is proof
	{"any-success", "drain_proof.go", "return !p.Disrupted", "return true",
		"a drain that its kubelet has stopped counts as done"},
	{"any-end", "drain_proof.go", "if p.Phase != PodSucceeded {\n\t\treturn false", "if p.Phase != PodSucceeded && p.Phase != PodFailed {\n\t\treturn false",
		"a drain that failed counts as done"},
	{"one-token", "drain_proof.go", "return given > 0 && back == given", "return given > 0 && back > 0",
		"one of two containers has to be done"},
	{"no-token", "drain_proof.go", "return given > 0 && back == given", "return back == given",
		"a drain pod without a token has handed it back"},
	{"going-counts", "drain_pod.go", "case p.pod.terminating():\n\t\td.block(drainPodGoes(p.pod))\n\tcase d.hasDrained(p.pod):", "case p.pod.terminating() && !d.hasDrained(p.pod):\n\t\td.block(drainPodGoes(p.pod))\n\tcase d.hasDrained(p.pod):",
		"a drain pod that is being deleted counts as done"},
	{"template-that-stops", "drain_stops.go", "if field == \"\" {", "if true {",
		"a probe may end a drain in the middle"},

	// What is drained
	{"unmarked-goes", "drain_pod.go", "if d.marked(c) && !d.emit(", "if !d.emit(",
		"a claim goes whose mark was taken off"},
	{"any-version-goes", "drain_pod.go", "UID: c.UID, ResourceVersion: c.ResourceVersion, Op: DeleteClaim{}", "UID: c.UID, Op: DeleteClaim{}",
		"a claim goes whose mark is taken off just then"},
	{"neighbours-ignored", "drain_policy.go", "if len(d.s.ClaimNeighbours) == 0 {", "if true {",
		"a drain takes the data of another set that calls its claims alike"},
	{"another-ignored", "drain_places.go", "return c != nil && c.drainSet() != \"\" && !d.ofSameName(c.drainSet())", "return false",
		"a drain takes a claim that is marked as another set's"},
	{"odd-attempts", "notes.go", "if err != nil || n < 1 {\n\t\treturn 1", "if err != nil || n < 1 {\n\t\treturn 0",
		"a drain that was begun by an odd count counts as not begun"},
	{"unlisted-goes", "drain_listed.go", "if listed[placed.claim.UID] {", "if _, there := listed[placed.claim.UID]; there {",
		"a drain pod lets a claim go that it has not drained"},
	{"list-of-another", "drain_listed.go", "d.readList(p.pod.drainClaims(), of)", "d.readList(p.pod.drainClaims(), of[:1])",
		"of drain pods that share their annotations one has drained"},
	{"leftovers-always", "drain_places.go", "if p.replica != nil || d.drain.leftovers {", "if true {",
		"claims from before the policy are drained unasked"},
	{"missing-claim-pending", "drain_pod.go", "if p.pod.Phase == PodPending && d.claimMissing(p) {", "if false && d.claimMissing(p) {",
		"nobody says why a drain pod does not start"},
	{"missing-claim", "drain_pod.go", "if d.claimMissing(p) {\n\t\treturn false\n\t}\n\tfor", "for",
		"half of an ordinal is drained"},
	{"may-not-delete", "drain_policy.go", "if d.s.Capabilities&CanDeleteClaim != 0 {", "if true {",
		"a drain is begun that nobody may end"},
	{"held-is-off", "drain.go", "d.drain.on || d.drain.held)", "d.drain.on)",
		"a policy with a mistake protects nothing"},

	// When
	{"order-not-held", "drain_order.go", "if above.replica == nil && !d.drained(above) {", "if false {",
		"OrderedReady takes an ordinal away before the one above it is drained"},
	{"goes-unmarked", "drain_order.go", "if dr.on && !d.marked(c) {", "if dr.on && !d.marked(c) && c == nil {",
		"a replica goes whose claims nobody will drain"},
	{"room-without-end", "drain_order.go", "dr.room--\n\t\treturn true", "return true",
		"all ordinals of a Parallel set leave at once"},
	{"no-back-off", "drain_backoff.go", "if begun.IsZero() || begun.After(d.now) || !at.After(d.now) {", "if true {",
		"drain pods that are lost follow each other without a pause"},
	{"unasked", "drain_order.go", "if dr.ask {", "if false {",
		"a replica goes unasked"},

	// Claims that would be deleted with somebody
	{"goes-with-pod", "drain_protect.go", " || o.Kind == KindPod && d.drain.pods[o.UID] {", " {",
		"a claim goes undrained with its pod"},
	{"goes-with-set", "drain_protect.go", "if o.UID == d.set.UID && !d.deletesOnDelete() || ", "if ",
		"a claim goes undrained with its set"},
	{"keeps-nobody", "drain_order.go", "if dr.on && d.wouldGo(p) {", "if false {",
		"a replica goes and takes its claim along"},
	{"finalizer-early", "drain_set.go", "if !present && len(dr.doomed) == 0 {", "if !present {",
		"the finalizer says that a set may be deleted whose claims go with it"},
	{"finalizer-leaves", "drain_set.go", "case d.leftToDrain() == 0:", "case d.leftToDrain() <= 1:",
		"a set that is deleted goes before its last ordinal is drained"},
	{"retention-with-set", "retention.go", " && !(d.drains() && d.drain.onDelete)", "",
		"a claim is given to a set that is drained before it goes"},
	{"retention-with-pod", "retention.go", "return d.set.WhenScaled == \"Delete\" && !d.drains()", "return d.set.WhenScaled == \"Delete\"",
		"a claim is given to the pod that goes before its drain"},
	{"orphans-drained", "drain_set.go", "d.readFinalizers().orphan || ", "",
		"--cascade=orphan drains what it is to keep"},

	// Beside it
	{"repair-of-nothing", "repair.go", "if p == nil || d.current.lost", "if d.current.lost",
		"the planner panics where a pod is missing and the current revision is lost"},
}
