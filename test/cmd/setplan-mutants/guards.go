package main

// verifyMutations leave out parts of checks of a plan; TestEveryCheckIsNeeded leaves out whole checks.
var verifyMutations = []mutation{
	{"neighbour-goes", "claims.go", "case s.shared():", "case false:",
		"a planner that lies has a claim deleted that another set calls its own"},
	{"neighbour-drained", "pods.go", "if s.shared() {", "if false {",
		"a planner that lies empties a claim that another set calls its own"},
	{"proof-of-nothing", "policy.go", "p.proves = notes[\"setplan.io/drain-proof\"] != \"\"", "p.proves = notes[\"setplan.io/drain-proof\"] == \"Token\"",
		"a planner that lies deletes a claim under a proof that nobody can give"},
	{"no-template-of-the-caller", "policy.go", "if typed.PodTemplate != nil {", "if len(typed.PodTemplate) > 0 {",
		"a planner that lies drains where the caller wants no drain"},
}

// monitorMutations let the wrong readers in, or keep the right ones out.
var monitorMutations = []mutation{
	{"nobody-asked", "access.go", "case got != allowed:", "case got == unknownCaller:",
		"whoever has any token reads the names of all sets"},
	{"anybody", "access.go", "if token == \"\" {\n\t\t\ta.refuse(w, unknownCaller)\n\t\t\treturn\n\t\t}\n", "if token == \"\" {\n\t\t\tnext.ServeHTTP(w, r)\n\t\t\treturn\n\t\t}\n",
		"who says nothing is let in"},
	{"fails-open", "access.go", "case err != nil:\n\t\t\ta.fail(w, err)\n", "case err != nil:\n\t\t\tnext.ServeHTTP(w, r)\n",
		"who cannot be asked about is let in"},
	{"open-to-all", "options.go", "return !ok || !tcp.IP.IsLoopback() ||", "return ok && tcp == nil ||",
		"beyond loopback everybody reads"},
	{"trust-for-ever", "reviews.go", "r.now().Before(at.(time.Time).Add(trust))", "!at.(time.Time).IsZero()",
		"a right that was taken away holds for an hour"},
	{"any-path", "reviews.go", "sha256.Sum256([]byte(path + \"\\x00\" + token))", "sha256.Sum256([]byte(token))",
		"who may read one path may read all"},
	{"flood", "reviews.go", "if !limit.TryAccept() {", "if !limit.TryAccept() && false {",
		"bad tokens flood the API server"},
	{"friends-are-strangers", "reviews.go", "limit = r.friends\n", "_ = r.friends\n",
		"bad tokens shut Prometheus out"},
}
