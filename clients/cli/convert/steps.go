package convert

import (
	"encoding/json"
	"fmt"

	"github.com/setplan/setplan/clients/cli/shell"
)

// Step is one command of the move. Each may be repeated.
type Step struct {
	What    string `json:"what"`
	Command string `json:"command"`
	// After is how things stand from here on if nobody goes on; empty is as before.
	After string `json:"after,omitempty"`
}

// kubectl is a command for the set's namespace.
func (c *Case) kubectl(format string, args ...any) string {
	return shell.Command("kubectl -n %s "+format, append([]any{c.Set.GetNamespace()}, args...)...)
}

// steps are the commands in their order. What keeps pods, claims and revisions is in doc.go.
func (c *Case) steps() []Step {
	create, remove := c.creation(), c.deletion()
	steps := append(c.copies(), c.unprotect()...)
	steps = append(steps, c.release()...)
	if c.foundOnlyAsOrphan() {
		steps = append(append(append(steps, c.dryRun()), remove...), create...)
	} else {
		steps = append(append(steps, create...), remove...)
	}
	return append(append(steps, c.begin()...), c.retarget()...)
}

// copies keep both manifests, while the set is as it is. A resource version cannot be created.
func (c *Case) copies() []Step {
	return []Step{
		{"Keep the old set's manifest, for the way back.", fmt.Sprintf("%s | grep -v '^  resourceVersion:' > %s", c.kubectl("get %s -o yaml", c.From.argument(c.name())), c.From.file(c.name())),
			"nothing has changed"},
		{"Keep the new set's manifest.", shell.Command("%s convert -n %s %s --to %s -o yaml > %s", shell.Raw(c.Program), c.Set.GetNamespace(),
			c.From.argument(c.name()), c.To.APIVersion(), c.To.file(c.name())), ""},
	}
}

// unprotect ends the drain of a deleted set before the set is deleted.
func (c *Case) unprotect() []Step {
	if !c.protected() {
		return nil
	}
	old := c.From.argument(c.name())
	return []Step{
		{"The set must not drain its pods when it is deleted.", c.kubectl("annotate %s %s-", old, shell.Raw(drainOnDelete)), "the old set works, and is not drained when it is deleted"},
		{"Wait until its finalizer is gone.", c.until(shell.Command("%s -o jsonpath='{.metadata.finalizers}'", shell.Raw(c.kubectl("get %s", old))), drainFinalizer), ""},
	}
}

// release takes the claims' references to the set away.
func (c *Case) release() (steps []Step) {
	if c.retains() {
		return nil
	}
	old := c.From.argument(c.name())
	return []Step{
		{"The set must keep its claims when it is deleted. The new one gets the policy that it has now.",
			c.kubectl("patch %s --type=merge -p %s", old, c.keepClaims()), "the old set works, and keeps its claims when it is deleted or scaled down"},
		{"Wait until its controller has seen that.", c.kubectl("wait %s --for=jsonpath='{.status.observedGeneration}'=%d --timeout=2m", old, c.generation()), ""},
		{"Wait until no claim refers to the set.", c.until(c.kubectl("get persistentvolumeclaims -o jsonpath='{.items[*].metadata.ownerReferences[*].uid}'"), string(c.Set.GetUID())), ""},
	}
}

// generation is what the old set has when it is deleted: that of the manifest, and one more if the claims' policy is changed.
func (c *Case) generation() int64 {
	generation := c.Set.GetGeneration()
	if p := c.spec.PersistentVolumeClaimRetentionPolicy; p != nil && (p.WhenDeleted != retain || p.WhenScaled != retain) {
		generation++
	}
	return generation
}

// until waits in a loop for a text to be gone. A failing kubectl is not taken for an answer.
func (c *Case) until(command, gone string) string {
	return shell.Command(`until seen=$(%s) && ! printf %%s "$seen" | grep -qF %s; do sleep 1; done`, shell.Raw(command), gone)
}

func (c *Case) dryRun() Step {
	return Step{"Have the API server check the new set.", shell.Command("kubectl create --dry-run=server -f %s", c.To.file(c.name())), ""}
}

// creation makes the new set, and makes sure that somebody runs it who would make the same pods.
func (c *Case) creation() []Step {
	made := c.To.argument(c.name())
	after, back := "the old set works; the new one does nothing", c.kubectl("delete %s --cascade=orphan", made)+" takes the new set back."
	if c.foundOnlyAsOrphan() {
		after, back = orphaned, fmt.Sprintf("%s; kubectl create -f %s goes back.", c.kubectl("delete %s --cascade=orphan", made), c.From.file(c.name()))
	}
	steps := []Step{
		{"Create the new set. It is paused: it touches no pod and no claim.", shell.Command("kubectl create -f %s", c.To.file(c.name())), after},
		{"Wait until its controller takes the pods' revision for its own. If this fails, go no further: " + back,
			c.kubectl("wait %s --for=jsonpath='{.status.updateRevision}'=%s --timeout=2m", made, c.status.UpdateRevision), ""},
	}
	if c.To.Group != BuiltIn.Group {
		steps = append(steps, c.history()...)
	}
	return steps
}

const orphaned = "the pods run, and nobody replaces one that is lost: go on"

// history gives the new set what its status cannot know by itself.
func (c *Case) history() []Step {
	status := map[string]any{}
	if c.betweenRevisions() {
		status["currentRevision"] = c.status.CurrentRevision
	}
	if c.collisions() > 0 {
		status["collisionCount"] = c.collisions()
	}
	if len(status) == 0 {
		return nil
	}
	patch, _ := json.Marshal(map[string]any{"status": status}) // texts and a number
	return []Step{{"Hand over what the old set remembers.", c.kubectl("patch %s --subresource=status --type=merge -p %s", c.To.argument(c.name()), string(patch)), ""}}
}

// deletion leaves everything that belonged to the old set without an owner.
func (c *Case) deletion() []Step {
	old := c.From.argument(c.name())
	return []Step{
		{"Delete the old set alone, if nobody has changed it since.", fmt.Sprintf("%s && %s",
			c.kubectl("wait %s --for=jsonpath='{.metadata.generation}'=%d --timeout=10s", old, c.generation()),
			c.kubectl("delete %s --cascade=orphan", old)), orphaned},
		{"Wait until nothing refers to it.", c.until(c.kubectl("get pods,persistentvolumeclaims,controllerrevisions -o jsonpath='{.items[*].metadata.ownerReferences[*].uid}'"), string(c.Set.GetUID())), ""},
	}
}

// begin ends the pause that the manifest has, and waits for the new set to have its pods.
func (c *Case) begin() []Step {
	made, mode := c.To.argument(c.name()), c.annotations()[pause]
	paused := func(mode string) string {
		return c.kubectl("annotate %s --overwrite %s=%s", made, shell.Raw(pause), mode)
	}
	first := Step{"Let the new set work.", c.kubectl("annotate %s %s-", made, shell.Raw(pause)), "the new set works"}
	switch mode {
	case "":
	case "All":
		first.Command = paused("HealOnly") // under All it does not take its pods
	default:
		first.Command = paused(mode)
	}
	steps := []Step{first}
	if *c.spec.Replicas > 0 {
		steps = append(steps, Step{"Wait until it has its pods.", c.kubectl("wait %s --for=jsonpath='{.status.readyReplicas}'=%d --timeout=5m", made, *c.spec.Replicas), ""})
	}
	if mode == "All" {
		steps = append(steps, Step{"Pause it as the old set was.", paused(mode), "the new set works as far as its pause allows"})
	}
	if c.To.Group == BuiltIn.Group {
		steps = append(steps, c.history()...) // its controller forgets a revision that it cannot see yet
	}
	return steps
}

// retarget turns autoscalers to the new set.
func (c *Case) retarget() (steps []Step) {
	for _, s := range c.scalers() {
		patch, _ := json.Marshal(map[string]any{"spec": map[string]any{s.field: map[string]any{"apiVersion": c.To.APIVersion(), "kind": c.To.Kind, "name": c.name()}}})
		steps = append(steps, Step{fmt.Sprintf("Turn %s to the new set.", s.object.GetKind()), c.kubectl("patch %s %s --type=merge -p %s", s.resource, s.object.GetName(), string(patch)),
			"the new set works, and is scaled by those that name it"})
	}
	return steps
}
