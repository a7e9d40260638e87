package main

// vectorMutations are mistakes anywhere between objects and a plan. Clients in other languages could make them too, so the vectors
// must find each.
var vectorMutations = []mutation{
	{"number-spelling", "engine/jsontree/write.go", "strings.ContainsAny(text, \".eE\")", "strings.ContainsAny(text, \".\")",
		"1e3 and 1000 are two revisions"},
	{"json-escape", "engine/jsontree/write.go", "w.text(m.Key)", "w.to = strconv.AppendQuote(w.to, m.Key)",
		"keys are written with Go's escapes and not JSON's"},
	{"drain-cancel-spelled", "engine/drain_policy.go", "\"Cancel\"", "\"cancel\"",
		"a documented value of a policy is refused"},
	{"block-since", "server/codec/encode.go", "\t\t\tSince:     encodeTime(b.Since),\n", "",
		"a block does not say since when the set waits"},
	{"limit-untold", "server/statuses/statuses.go", "\"limit\": strconv.Itoa(pods.Limit)}", "\"limit\": strconv.Itoa(pods.Pods)}",
		"an error names the pods that were sent as the limit"},
	{"index-of-another", "adapters/snapshot/pod.go", "hasOrdinal && value == digits", "hasOrdinal && value >= digits",
		"a label with another pod's index counts as right"},
	{"claims-of-any-name", "adapters/snapshot/pod.go", "volume.Name+\"-\"+pod.Name", "volume.PersistentVolumeClaim.ClaimName",
		"a pod that is bound to another claim looks as if it had its own"},
	{"neighbours-by-template", "adapters/snapshot/membership.go", "return claimBase(their, other.Name) == claimBase(template, o.Set.Name)", "return their == template",
		"two sets with claims of the same names do not know of each other"},
	{"phase-unknown", "adapters/snapshot/pod.go", "\tcase corev1.PodUnknown:\n\t\treturn setplanv1.PodPhase_POD_PHASE_UNKNOWN\n", "",
		"a pod of phase Unknown has no phase in the snapshot"},
}
