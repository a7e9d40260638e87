package main

// fieldMutations are mistakes with what a set of another kind says in fields.
var fieldMutations = []mutation{
	{"fields-unread", "own_fields.go", "if of, ok := v.fields[annotation]; ok {", "if of, ok := v.fields[annotation]; ok && false {",
		"a field of our own kind has no effect"},
	{"fields-win", "own_fields.go", "text != \"\" && !v.sameText(", "false && !v.sameText(",
		"where a field and an annotation differ, what the annotation keeps goes"},
	{"spellings-differ", "own_fields.go", "if a == b || annotation != annotationReserved {", "if true {",
		"the same ordinals in two spellings stop a set"},
	{"fields-broken", "own_fields.go", "if err == nil && tree.Kind != jsontree.Object {", "if false {",
		"fields that nobody can read keep nothing"},
	{"odd-items", "own_fields.go", "items[i] == \"\" || item.Kind == jsontree.Array {", "false {",
		"a list in a list of ordinals is read as part of it"},
	{"refusal-ignored", "templates.go", "if v.set.Refusal == \"\" || v.deleting() {", "if true {",
		"pods are made of a template that the API server refuses"},
	{"refusal-holds-the-deleted", "templates.go", "if v.set.Refusal == \"\" || v.deleting() {", "if v.set.Refusal == \"\" {",
		"a set with a bad template cannot be deleted"},
}

// defaultsMutations are mistakes with the defaults that the API server is asked for, and with kinds.
var defaultsMutations = []mutation{
	{"old-answer", "defaults.go", "known.question != set.question || !known", "known.with == nil || !known",
		"a template that was edited keeps the defaults of the one before"},
	{"old-spec", "defaults.go", "if !bytes.Equal(known.spec, set.undefaulted) {", "if known.with == nil && !bytes.Equal(known.spec, set.undefaulted) {",
		"a set that is scaled keeps the replicas that it had when it was asked about"},
	{"asks-every-time", "defaults_question.go", `"updateStrategy", "volumeClaimTemplates"}`, `"updateStrategy", "volumeClaimTemplates", "replicas"}`,
		"the API server is asked whenever a set is scaled"},
	{"refused-for-ever", "defaults.go", "!known.until.IsZero() && !d.clock().Before(known.until)", "false",
		"a policy that refused a set and was corrected still holds it"},
	{"failure-refuses", "defaults.go", "\tdefault:\n\t\treturn \"\", false\n", "\tdefault:\n",
		"a missing right is told as a mistake in the template"},
	{"deleted-asks", "defaults.go", "if set.GetDeletionTimestamp() != nil {", "if false {",
		"a set in a namespace that ends is never finished"},
	{"own-template", "defaults_question.go", "\t\tdelete(own, field)\n", "\t\t_ = field\n",
		"templates are sent without their defaults"},
	{"strategy-as-it-came", "defaults_question.go", "if isObject && too {", "if isObject && too && len(upper) == 0 {",
		"a strategy that names one thing loses the defaults of the others"},
	{"stored-for-real", "api.go", `.Param("dryRun", metav1.DryRunAll)`, "",
		"the question is a set that the built-in controller runs"},
	{"one-lease", "rivals.go", "return Manager + \"-\" + k.Resource + \"-\" + strings.ReplaceAll(k.Group, \".\", \"-\")", "return Manager",
		"adapters of different kinds wait for each other"},
	{"resource-of-nobody", "setkind.go", "case !status:", "case !status && found.Kind == \"\":",
		"a kind is run whose status nobody can write"},
}
