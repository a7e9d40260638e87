package main

// convertMutations print commands or manifests that lose something.
var convertMutations = []mutation{
	{"both-run", "manifest.go", "annotations[pause] = \"All\"", "annotations[pause] = \"Updates\"",
		"the new set takes pods while the old one runs them"},
	{"pods-go-too", "steps.go", "remove := c.kubectl(\"delete %s --cascade=orphan\", old)", "remove := c.kubectl(\"delete %s --cascade=background\", old)",
		"the pods are deleted with the old set"},
	{"edited-since", "steps.go", "generation++", "generation += 0",
		"the old set is deleted although somebody has changed it since the manifest was made"},
	{"claims-go-too", "retention.go", "if c.refers(&c.Claims[i]) {", "if c.refers(&c.Claims[i]) && false {",
		"a claim that a garbage collector has not seen yet is deleted with the old set"},
	{"policy-lost", "retention.go", "if text, begun := c.Set.GetAnnotations()[AnnotationRetention]; begun {", "if text, begun := \"\", false; begun {",
		"who asks again after the first command gets a manifest that keeps claims for ever"},
	{"second-revision", "manifest.go", "err == nil && !reflect.DeepEqual(", "err != nil && !reflect.DeepEqual(",
		"a revision of an older API server is stored once more, and all pods restart"},
	{"stale-collector", "check_rest.go", "age >= settling", "age >= 0",
		"a pod that a garbage collector has not seen yet is deleted with the old set, and nothing warns of it"},
	{"pruned", "check_owners.go", "if !d.kept {", "if d.kept {",
		"a delivery tool finds its mark on the new set and prunes it with its pods"},
	{"writes", "read.go", "metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}", "metav1.CreateOptions{}",
		"convert creates a set"},
	{"waits-for-ever", "steps.go", "paused(\"HealOnly\")", "paused(\"All\")",
		"a set that was paused wholly never takes its pods"},
}

// rolloutMutations say or write something else than kubectl.
var rolloutMutations = []mutation{
	{"others-history", "history.go", "if metav1.IsControlledBy(&list.Items[i], set) {", "if list.Items[i].Name != \"\" {",
		"undo goes back to the template of another set"},
	{"order-of-names", "history.go", "cmp.Compare(a.Revision, b.Revision)", "cmp.Compare(a.Name, b.Name)",
		"undo goes back to any revision"},
	{"last", "history.go", "history[len(history)-2]", "history[len(history)-1]",
		"undo goes nowhere"},
	{"directive", "template.go", "delete(data.Spec.Template, \"$patch\")", "delete(data.Spec.Template, \"patch\")",
		"undo writes a directive into the template"},
	{"digits", "template.go", "decoder.UseNumber()\n\tif err := decoder.Decode(&data)", "if err := decoder.Decode(&data)",
		"undo rounds large numbers of a template"},
	{"partition", "status.go", "want -= *rolling.Partition", "want -= 0",
		"status waits for pods below the partition"},
	{"field-stays", "patch.go", "patch, err = paused(nil, nil)", "patch, err = paused(nil, annotation)",
		"a set whose kind has the field stays paused"},
}
