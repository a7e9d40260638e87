package main

// resourceMutations are mistakes with resources that change in place.
var resourceMutations = []mutation{
	// What differs
	{"class-of-service", "difference_resources.go", "return ok && okAfter && before == after", "return ok && okAfter && before <= after+guaranteed",
		"an API server refuses a resize for ever"},
	{"limit-that-is-gone", "difference_resources.go", "case to.Kind == jsontree.Null || twice, ", "case twice, ",
		"a zero that is taken away stays"},
	{"limit-to-zero", "difference_resources.go", ", after.isZero() && !before.isZero(): //", ": //",
		"a limit that is taken away stays, and a kubelet tells of a request that is to be zero"},
	{"zero-that-is-added", "difference_resources.go", "after.isZero() && !before.isZero():", "after.isZero():",
		"a pod is recreated for a zero that says no more than nothing did"},
	{"zero-is-a-limit", "difference_resources.go", "case !q.isZero():\n", "case q.nanos != nil:\n",
		"an API server refuses a resize for ever, because a limit of zero is none"},
	{"pod-level-resources", "difference_resources.go", "spec.Get(\"resources\").Kind != jsontree.Null || ", "",
		"containers are resized in a pod that has resources as a whole"},
	{"windows", "difference_resources.go", " || spec.Get(\"os\").Get(\"name\").Text == \"windows\"", "",
		"a pod for Windows waits for resources that it never gets"},
	{"start-without-eviction", "difference_resources.go", "if starts && (!c.may.restarts || mayEnd(a) || mayEnd(b)) {", "if starts && c == nil {",
		"a container starts anew without the disruption budget"},
	{"request-from-limit", "resources.go", "if value.Kind == jsontree.Null && k.list == \"requests\" {", "if value.Kind == jsontree.Null && k.list == \"\" {",
		"a request that comes from the limit stays behind it"},
	{"amounts-as-texts", "difference_resources.go", "case before.compare(after) == 0:", "case before.compare(after) == 0 && from.Text == to.Text:",
		"another text of the same amount is written to each pod"},
	{"resize-capability", "in_place.go", "resources: can&resources == resources", "resources: true",
		"an adapter is asked for a resize that it does not know"},

	// The writes
	{"autoscaler-overwritten", "in_place_resize.go", "!sameAmount(shown, quantity) && sameAmount(shown, was)", "!sameAmount(shown, quantity) && sameAmount(was, was)",
		"what an autoscaler has asked for since is overwritten"},
	{"resize-forgotten", "in_place_images.go", "r.resize, r.starts = maps.Clone(f.resize), r.starts || f.starts", "r.starts = r.starts || f.starts",
		"a pod that is sent elsewhere keeps resources of the revision in between"},
	{"resized-elsewhere", "finish_in_place.go", "case len(look.unwritten) > 0 && !v.goesElsewhere(slot, f) && ", "case len(look.unwritten) > 0 && ",
		"a pod asks for what nobody wants any more before it is sent back"},
	{"note-forgets-resources", "in_place_proof.go", "at: now, seen: true, resize: f.resize, starts: f.starts}", "at: now, seen: true}",
		"a pod whose image only time tells never asks for its resources"},

	// The proof
	{"resize-not-given", "in_place_proof.go", "len(l.unwritten) == 0 && l.lacking == \"\" && !l.resizing", "len(l.unwritten) == 0 && !l.resizing",
		"a label comes before the container has its resources"},
	{"resize-not-asked", "in_place_proof.go", "len(l.unwritten) == 0 && l.lacking == \"\" && !l.resizing", "l.lacking == \"\" && !l.resizing",
		"a label comes before anybody has asked for the resources"},
	{"resize-in-progress", "in_place_proof.go", "len(l.unwritten) == 0 && l.lacking == \"\" && !l.resizing", "len(l.unwritten) == 0 && l.lacking == \"\"",
		"a label comes while the kubelet is still about it"},

	// The update
	{"resize-costs", "in_place_record.go", "return r.starts || len(r.of) > 0 }", "return r != nil }",
		"a pod that runs on counts as unavailable"},
	{"resize-restart-costs-nothing", "in_place_record.go", "return r.starts || len(r.of) > 0 }", "return len(r.of) > 0 }",
		"the next pod starts anew for its resources before the one before is back"},
	{"resize-overtaken", "update_pass.go", "return !f.unreadable && !v.proven(p) && !v.keepsRefused(p)", "return false",
		"all pods of an ordered set ask for more than their nodes have"},
	{"resize-overtaken-at-once", "update_pass.go", "return pass.out.updated[p.UID] && len(v.differenceTo(p, v.update).resources) > 0", "return false",
		"the next pod of an ordered set is sent in the same plan"},

	// What a node refuses
	{"refused-and-kept", "in_place_way.go", "if f != nil && f.revision == to.name && v.recreatesRefused(p) {", "if f != nil && f == nil {",
		"a pod that its node refuses is sent there again and again"},
	{"refused-long-ago", "in_place_refused.go", "return r.said.ObservedGeneration >= p.Containers.Generation", "return true",
		"a pod that was sent back is recreated for what a kubelet has said before"},
	{"refused-by-silence", "in_place_refused.go", "(r.said.Since.After(f.at) || !f.at.Add(slackUnknown).After(now))", "true",
		"the same, where the kubelet does not say what it speaks of"},
	{"refused-before-asking", "in_place_refused.go", "if !r.isAbout(p, f, v.now) || len(v.unwritten(f)) > 0 {", "if !r.isAbout(p, f, v.now) {",
		"a pod is recreated for what somebody else has asked for"},
	{"refused-only", "in_place_refused.go", "p.recreates = p.recreates && v.inPlace == inPlaceIfPossible", "p.recreates = p.recreates && true",
		"a set that keeps its pods recreates one"},
	{"refused-at-once", "in_place_refused.go", "return r != nil && !r.due.IsZero() && !r.due.After(v.now)", "return r != nil && !r.due.IsZero()",
		"a pod that may wait for ten minutes is recreated at once"},
}
