package main

// simMutations are mistakes of the simulated cluster: one that is kinder than a real one finds nothing.
var simMutations = []mutation{
	{"uid", "api.go", "if pre.UID != \"\" && object.GetUID() != types.UID(pre.UID) {", "if false {",
		"a precondition on the uid always holds"},
	{"resource-version", "api.go", "if pre.ResourceVersion != \"\" && object.GetResourceVersion() != pre.ResourceVersion {", "if false {",
		"a precondition on the version always holds"},
	{"two-of-a-name", "api.go", "if w.state.Get(kind, name) != nil {", "if false {",
		"a create replaces what is there"},
	{"graceful", "api.go", "return ok && pod.Spec.NodeName != \"\" && !hasEnded(pod)", "return false",
		"a pod is gone as soon as it is deleted"},
	{"protection", "gc.go", "claim.DeletionTimestamp == nil || !slices.Contains", "claim.DeletionTimestamp == nil || slices.Contains",
		"claims are never let go"},
	{"in-use", "gc.go", "pod.Spec.NodeName != \"\" && slices.Contains(claimsOf(pod), claim.Name) {", "false {",
		"a claim goes while a pod mounts it"},
	{"collector", "gc.go", "case len(solid) == 0:", "case false:",
		"what has lost its owner stays"},
	{"stranger-is-ours", "executor.go", "return kindOf(wanted) != KindRevision || sameData(wanted, existing)", "return true",
		"a revision with other data counts as the revision"},
	{"deleted-is-done", "executor.go", "UID: action.GetPrecondition().GetUid(), Deleted: true}}", "UID: action.GetPrecondition().GetUid()}}",
		"the gate takes a delete for a write"},
}
