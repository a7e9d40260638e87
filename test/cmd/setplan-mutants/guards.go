package main

// verifyMutations leave out parts of checks of a plan; TestEveryCheckIsNeeded leaves out whole checks.
var verifyMutations = []mutation{
	{"anything-is-removed", "claim_removals.go", "if value.kind != 'n' || !s.mayRemove(template) {", "if value.kind != 'n' || template == \"\" {",
		"a lying planner takes a claim template from new pods"},
	{"drain-without-claims", "claim_removals.go", "gone = s.mayRemove(template) && s.claimNamed(template+\"-\"+s.name()) == nil", "gone = s.mayRemove(template)",
		"a drain pod lacks a claim that is there, and which is then deleted undrained"},
	{"in-place-of-anything", "updates.go", "if !sameBut(old, next,", "if false && !sameBut(old, next,",
		"a lying planner gives pods the label of a revision that they do not run"},
	{"in-place-unasked", "updates.go", "case !s.updatesInPlace():", "case false:",
		"a lying planner relabels pods of a set that wants them recreated"},
	{"in-place-of-ours", "updates.go", "!ok || wants != value || strings.HasPrefix(key, \"setplan.io/\")", "!ok || wants != value",
		"a lying planner marks a pod as a drain pod"},
	{"in-place-in-part", "updates.go", "if len(set) != len(wanted) || len(gone) !=", "if len(set) > len(wanted) || len(gone) >",
		"a lying planner leaves out labels, and nobody ever adds them"},
	{"neighbour-goes", "claims.go", "case s.shared():", "case false:",
		"a lying planner deletes a claim that another set has, too"},
	{"neighbour-drained", "pods.go", "if s.shared() {", "if false {",
		"a lying planner drains a claim that another set has, too"},
	{"proof-of-nothing", "policy.go", "p.proves = notes[\"setplan.io/drain-proof\"] != \"\"", "p.proves = notes[\"setplan.io/drain-proof\"] == \"Token\"",
		"a lying planner deletes a claim although the proof of its drain is of an unknown kind"},
	{"no-template-of-the-caller", "policy.go", "if typed.PodTemplate != nil {", "if len(typed.PodTemplate) > 0 {",
		"a lying planner drains although the caller wants no drain"},
}

// monitorMutations let unauthorized readers of the metrics in, or keep authorized ones out.
var monitorMutations = []mutation{
	{"nobody-asked", "access.go", "case got != allowed:", "case got == unknownCaller:",
		"anybody with a valid token reads the names of all sets"},
	{"anybody", "access.go", "if token == \"\" {\n\t\t\ta.refuse(w, unknownCaller)\n\t\t\treturn\n\t\t}\n", "if token == \"\" {\n\t\t\tnext.ServeHTTP(w, r)\n\t\t\treturn\n\t\t}\n",
		"a reader without a token is let in"},
	{"fails-open", "access.go", "case err != nil:\n\t\t\ta.fail(w, err)\n", "case err != nil:\n\t\t\tnext.ServeHTTP(w, r)\n",
		"a reader is let in when the API server does not answer"},
	{"open-to-all", "options.go", "return !ok || !tcp.IP.IsLoopback() ||", "return ok && tcp == nil ||",
		"everybody reads beyond loopback"},
	{"trust-for-ever", "reviews.go", "r.now().Before(at.(time.Time).Add(trust))", "!at.(time.Time).IsZero()",
		"a right that was taken away holds for an hour"},
	{"any-path", "reviews.go", "sha256.Sum256([]byte(path + \"\\x00\" + token))", "sha256.Sum256([]byte(token))",
		"a reader of one path may read all"},
	{"flood", "reviews.go", "if !limit.TryAccept() {", "if !limit.TryAccept() && false {",
		"bad tokens flood the API server"},
	{"friends-are-strangers", "reviews.go", "limit = r.friends\n", "_ = r.friends\n",
		"bad tokens shut Prometheus out"},
}
