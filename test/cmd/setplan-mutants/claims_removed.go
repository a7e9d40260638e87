package main

// removalMutations are mistakes with claim templates that are removed.
var removalMutations = []mutation{
	{"mounted-goes", "claim_removals.go", "case own && !mounted[name] ||", "case own && (!mounted[name] || name != \"\") ||",
		"a claim template is removed that the pod template mounts, and the API server refuses each new pod"},
	{"own-volume-stays", "claim_removals.go", "delete(mounted, volume.Get(\"name\").Text)", "_ = volume",
		"a claim template stays though the pod template has a volume of its name"},
	{"typo-rolls", "claim_removals.go", "\t\twanted = r.at[newest.Name]\n", "\t\t_ = newest\n",
		"an annotation with a typo restarts all pods"},
	{"old-pods-new-claims", "removed_templates.go", "	if removed, known := v.removals.at[revision]; known {\n		return removed\n	}\n", "",
		"a pod below the partition comes back without its claims"},
	{"removal-is-no-revision", "removed_templates.go", "newest != nil && slices.Equal(v.removals.at[newest.Name], v.removals.now)", "newest != nil && !slices.Equal(v.removals.now, removedTemplates{})",
		"pods keep a claim template that the set removes"},
	{"removed-claims-change", "claim_changes.go", "case v.removals.now.has(template) || v.wants", "case v.wants",
		"claims follow a template that is removed"},
	{"stale-claim-holds", "retention.go", "		case without.has(i):\n			continue\n", "",
		"a pod waits for a claim that it does not have"},
	{"removed-claims-are-made", "claims.go", "		case without.has(i):\n			if i < next {\n				continue\n			}\n", "",
		"claims of a removed template are made"},
}
