package verdicts

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// exception is where tools say "done" of a set that is not, or do not say it of one that is.
type exception struct {
	tools []string
	when  func(seen) bool
	why   string
}

var exceptions = []exception{
	{[]string{rollout, ourRollout}, notRolling,
		"`rollout status` refuses every strategy but RollingUpdate."},
	{[]string{waitReconciling}, reconciling("none"),
		"A set at rest is not written when it is taken over, and `kubectl wait` never meets a condition that is not there."},
	{[]string{rollout, ourRollout, flux, argoCD, helm3}, reconciling("none"),
		"Under the rules of Kubernetes, or without the capability, no condition is written, and the counters do not tell everything."},
	{[]string{waitReady}, func(s seen) bool { return s.number("spec", "replicas") == 0 },
		"Without replicas the status has no `readyReplicas` to compare."},
	{[]string{helm3}, notRolling,
		"The rule takes every set with another strategy than RollingUpdate for done."},
	{[]string{rollout, argoCD, helm3}, reconciling("Scaling"),
		"The rule does not look for pods that are too many."},
	{[]string{rollout, waitReady, argoCD, helm3}, reconciling("Draining", "Waiting", "Paused", "Invalid"),
		"The replicas are as the spec wants them. Only our conditions tell that data is still being moved, that something else is to be done, or that nothing is."},
	{[]string{rollout, waitReady, argoCD, helm3}, reconciling("WaitingForPods"),
		"The rule counts ready pods, not available ones."},
	{[]string{rollout, helm3}, reconciling("Deleting"),
		"The rule does not look whether the set is being deleted."},
	{[]string{rollout, argoCD, helm3}, func(s seen) bool { return s.number("spec", "updateStrategy", "rollingUpdate", "partition") > 0 },
		"The rule takes the partition for a number of pods. It is an ordinal, and some may be reserved."},
	{[]string{rollout, argoCD}, func(s seen) bool { return s.missing("spec", "updateStrategy", "rollingUpdate") },
		"Without `rollingUpdate` the rule compares the two revisions. After a rollback they are the same, and pods may be at another one."},
	{[]string{waitReady}, func(seen) bool { return true },
		"The number of ready pods is right; it says nothing else."},
}

func notRolling(s seen) bool {
	strategy, _, _ := unstructured.NestedString(s.set.Object, "spec", "updateStrategy", "type")
	return strategy != "RollingUpdate"
}

func reconciling(reasons ...string) func(seen) bool {
	return func(s seen) bool { return slices.Contains(reasons, condition(s.set, "Reconciling")) }
}

func (s seen) missing(path ...string) bool {
	_, found, _ := unstructured.NestedFieldNoCopy(s.set.Object, path...)
	return !found
}

func (s seen) number(path ...string) int64 {
	n, _, _ := unstructured.NestedInt64(s.set.Object, path...)
	return n
}

// judge asks a tool about a set. number is that of the exception, from 1, if the tool is wrong; 0: it is right, -1: no exception says why not.
func judge(t tool, s seen) (word string, number int, err error) {
	word, err = t.ask(s)
	if err != nil || (word == t.done) == s.done {
		return word, 0, err
	}
	for i, e := range exceptions {
		if slices.Contains(e.tools, t.name) && e.when(s) {
			return word, i + 1, nil
		}
	}
	return word, -1, nil
}
