package verdicts

import "slices"

// exception is where tools say "done" of a set that is not, or do not say it of one that is.
type exception struct {
	tools  []string
	states []string
	why    string
}

var exceptions = []exception{
	{[]string{rollout}, []string{"OnDelete, pods at an older revision"},
		"`kubectl rollout status` refuses sets with OnDelete."},
	{[]string{waitReconciling}, []string{"healthy, taken over at rest"},
		"A set at rest is not written when it is taken over, and `kubectl wait` never meets a condition that is not there."},
	{[]string{waitReady}, []string{"healthy, without replicas"},
		"Without replicas the status has no `readyReplicas` to compare."},
	{[]string{rollout, argoCD}, []string{"scaling down", "a bad drain policy holds the scale-down"},
		"The rule does not look for pods that are too many."},
	{[]string{rollout, waitReady, argoCD, helm3},
		[]string{"scaled down, an ordinal is drained", "a drain has failed, another follows"},
		"The replicas are as the spec wants them. Only our conditions tell that data is still being moved."},
	{[]string{rollout, waitReady, argoCD, helm3}, []string{"all ready, waits for minReadySeconds"},
		"The rule counts ready pods, not available ones."},
	{[]string{waitReady}, []string{"updating, between two pods", "the spec cannot be used", "being deleted"},
		"The number of ready pods is right; it says nothing else."},
	{[]string{helm3}, []string{"OnDelete, scaling up", "OnDelete, the new image cannot be pulled"},
		"The rule takes every set with OnDelete for done."},
}

// excepted is the number of the exception for a tool's word on a state, from 1; 0 is none.
func excepted(tool, state string) int {
	return 1 + slices.IndexFunc(exceptions, func(e exception) bool {
		return slices.Contains(e.tools, tool) && slices.Contains(e.states, state)
	})
}
