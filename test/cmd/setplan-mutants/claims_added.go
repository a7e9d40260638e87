package main

// additionMutations are mistakes with claim templates that are added.
var additionMutations = []mutation{
	{"any-volume-asks", "claim_additions.go", "claim.Get(\"claimName\").Text == name && claim", "claim",
		"pods get a claim in the place of a volume of their own"},
	{"read-only-asks", "claim_additions.go", " && claim.Get(\"readOnly\").Text != \"true\"", "",
		"pods can write to a volume that they asked to read"},
	{"annotation-alone", "claim_additions.go", "return isNew(t) && !asked[t.name]", "return isNew(t) && asked == nil",
		"a claim of somebody else's is deleted with the set or a pod, because the annotation has a template of its name"},
	{"history-forgets", "history.go", "which[template] = is.set || is.podSeen", "which[template] = is.set && false",
		"a claim is deleted with the set although the retention policy has come to keep it, because no revision has its template any more"},
	{"history-forgets-pods", "history.go", "is.set || is.podSeen", "is.set",
		"the same with a pod"},
	{"history-grows", "history.go", "which[i], found = false, true", "found = true",
		"every revision that has an added claim template is kept as long as a claim goes with the set"},
	{"size-rolls", "revision.go", " || v.addsTheSame(r) && bytes.HasSuffix(r.Data, data.text[data.spec-1:])", "",
		"another size of an added claim template restarts all pods"},
	{"revision-forgotten", "claim_additions.go", "if !asked[t.name] {", "if false {",
		"a pod of a revision comes back without its claim once the set adds the claim template no more"},
	{"unseen-claims", "claim_additions.go", "	if !out.showsAdded() {\n		return false\n	}\n	if !v.s", "	if !v.s",
		"claims are made again of which the adapter does not show that they are there"},
	{"unlisted-claims", "claim_additions.go", "if !v.s.Coverage.Claims {", "if false {",
		"claims are made again before they are listed"},
	{"no-access-mode", "claim_patches.go", "if len(modes.Items()) == 0 {", "if false {",
		"a patch with a mistyped name is taken for a claim template of which the API server makes no claim"},
	{"drain-waits", "drain_manifest.go", "without := dr.view.withoutAdded()", "var without removedTemplates",
		"an ordinal whose pod never had an added claim is not drained"},
}
