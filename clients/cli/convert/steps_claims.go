package convert

import (
	"github.com/setplan/setplan/clients/cli/shell"
	"github.com/setplan/setplan/engine/policy"
)

// The commands after which the deletion of the old set drains nothing and deletes no claim.

// unprotect turns drain-on-delete off before the set is deleted.
func (c *Case) unprotect() []Step {
	if !c.protected() {
		return nil
	}
	old, remember := c.From.argument(c.name()), ""
	if c.drainsOnDelete() {
		remember = " " + annotationDrain + "=true"
	}
	return []Step{
		{What: "The set must not drain its pods when it is deleted.", After: "the old set works, and is not drained when it is deleted",
			Command: c.kubectl("annotate %s --overwrite %s", old, shell.Raw(policy.DrainOnDelete+"-"+remember))},
		{What: "Wait until its finalizer is gone.", Command: c.until(c.kubectl("get %s -o jsonpath='{.metadata.finalizers}'", old), drainFinalizer)},
	}
}

// release removes the claims' references to the set.
func (c *Case) release() (steps []Step) {
	if c.retains() {
		return nil
	}
	old := c.From.argument(c.name())
	steps = []Step{
		{What: "The set must keep its claims when it is deleted. The new one gets the policy that it has now.",
			After:   "the old set works, and keeps its claims when it is deleted or scaled down",
			Command: c.kubectl("patch %s --type=merge -p %s", old, c.keepClaims())},
		{What: "Wait until its controller has seen that.",
			Command: c.kubectl("wait %s --for=jsonpath='{.status.observedGeneration}'=%d --timeout=2m", old, c.generation())},
	}
	if left := c.leftClaims(); len(left) > 0 {
		// A strategic patch, so that it may be sent twice.
		steps = append(steps, Step{What: "Release the claims that no pod uses: the controller does not do that.",
			Command: c.kubectl("patch persistentvolumeclaims %s -p %s", shell.Words(left),
				`{"metadata":{"ownerReferences":[{"$patch":"delete","uid":"`+string(c.Set.GetUID())+`"}]}}`)})
	}
	return append(steps, Step{What: "Wait until no claim refers to the set.",
		Command: c.until(c.kubectl("get persistentvolumeclaims -o jsonpath='{.items[*].metadata.ownerReferences[*].uid}'"), string(c.Set.GetUID()))})
}
