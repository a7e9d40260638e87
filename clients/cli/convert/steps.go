package convert

import (
	"encoding/json"
	"fmt"

	"github.com/setplan/setplan/clients/cli/shell"
	"github.com/setplan/setplan/engine/policy"
)

// Step is one command of the move. Every command may be repeated.
type Step struct {
	What    string `json:"what"`
	Command string `json:"command"`
	// After says how things stand if nobody goes on from here; empty is as before.
	After string `json:"after,omitempty"`
	// Back has the commands that go back if this one fails for good.
	Back []string `json:"back,omitempty"`
}

// program returns the call of a program that takes kubectl's flags for the cluster.
func (c *Case) program(name string) string {
	for _, flag := range c.Cluster {
		name += " " + flag
	}
	return name
}

// kubectl returns a command in the set's namespace.
func (c *Case) kubectl(format string, args ...any) string {
	return c.program("kubectl") + shell.Command(" -n %s "+format, append([]any{c.Set.GetNamespace()}, args...)...)
}

// steps returns the commands in order. doc.go explains the order.
func (c *Case) steps() []Step {
	create, remove := c.creation(), c.deletion()
	steps := append(c.copies(), c.unprotect()...)
	steps = append(steps, c.release()...)
	if c.deletedFirst() {
		steps = append(append(append(steps, c.dryRun()), remove...), create...)
	} else {
		steps = append(append(steps, create...), remove...)
	}
	return append(append(steps, c.begin()...), c.retarget()...)
}

// copies keeps both manifests before the set changes. A command that is repeated when the set is gone must not overwrite them.
func (c *Case) copies() []Step {
	old := c.From.argument(c.name())
	into := func(command string, kind Kind) string {
		return shell.Command("%s > %s && mv %s %s", shell.Raw(command), kind.file(c.name())+".new", kind.file(c.name())+".new", kind.file(c.name()))
	}
	return []Step{
		{What: "Keep the old set's manifest, for the way back.", After: "nothing has changed",
			Command: into(c.kubectl("get %s -o yaml", old), c.From)},
		{What: "Keep the new set's manifest.",
			Command: into(c.program(c.Program)+shell.Command(" convert -n %s %s --to %s -o yaml", c.Set.GetNamespace(), old, c.To.APIVersion()), c.To)},
	}
}

// generation returns the old set's generation when it is deleted: today's, and one more if the commands change its retention policy.
func (c *Case) generation() int64 {
	generation := c.Set.GetGeneration()
	if p := c.spec.PersistentVolumeClaimRetentionPolicy; !c.retains() && (p == nil || p.WhenDeleted != retain || p.WhenScaled != retain) {
		generation++
	}
	return generation
}

// until returns a loop that waits until a command's output no longer has a text. A command that fails does not count.
func (c *Case) until(command, gone string) string {
	return shell.Command(`until seen=$(%s) && ! printf %%s "$seen" | grep -qF %s; do sleep 1; done`, shell.Raw(command), gone)
}

func (c *Case) dryRun() Step {
	return Step{What: "Let the API server validate the new set.", Command: c.program("kubectl") + shell.Command(" create --dry-run=server -f %s", c.To.file(c.name()))}
}

// creation creates the new set, and waits for proof that its controller runs and would create the same pods.
func (c *Case) creation() []Step {
	made := c.To.argument(c.name())
	after := "the old set works; the new one does nothing"
	if c.deletedFirst() {
		after = orphaned
	}
	steps := []Step{
		{What: "Create the new set. It is paused: it touches no pod and no claim.", Command: c.program("kubectl") + shell.Command(" create -f %s", c.To.file(c.name())), After: after},
		{What: "Wait until its controller recognizes the pods' revision.", Back: c.back(),
			Command: c.kubectl("wait %s --for=jsonpath='{.status.updateRevision}'=%s --timeout=2m", made, c.status.UpdateRevision)},
	}
	if c.To.Group != BuiltIn.Group {
		steps = append(steps, c.history()...)
	}
	return steps
}

// back restores the old set as it was before the first command. The kept manifest may be newer than that, if the commands were begun twice.
func (c *Case) back() []string {
	old := c.From.argument(c.name())
	commands := []string{c.kubectl("delete %s --cascade=orphan", c.To.argument(c.name()))}
	if c.deletedFirst() {
		// The API server refuses to create an object with a resource version.
		commands = append(commands, shell.Command("grep -v '^  resourceVersion:' %s | %s create -f -", c.From.file(c.name()), shell.Raw(c.program("kubectl"))))
	}
	if !c.retains() || c.former() != nil {
		commands = append(commands, c.kubectl("patch %s --type=merge -p %s", old, c.formerPolicy()))
	}
	if c.drainsOnDelete() {
		commands = append(commands, c.kubectl("annotate %s --overwrite %s", old, shell.Raw(policy.DrainOnDelete+"=true "+annotationDrain+"-")))
	}
	return commands
}

const orphaned = "the pods run, but nothing replaces a lost one: continue"

// history writes into the new set's status what its controller cannot know.
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
	return []Step{{What: "Hand over what the old set remembers.",
		Command: c.kubectl("patch %s --subresource=status --type=merge -p %s", c.To.argument(c.name()), string(patch))}}
}

// deletion deletes the old set and leaves everything that belonged to it without an owner. The command may be repeated: a deletion that
// has begun has raised the generation by one.
func (c *Case) deletion() []Step {
	old := c.From.argument(c.name())
	now := c.kubectl("get %s -o jsonpath='{.metadata.uid} {.metadata.generation} {.metadata.deletionTimestamp}'", old)
	unchanged := fmt.Sprintf("^%s (%d $|%d .)", c.Set.GetUID(), c.generation(), c.generation()+1)
	remove := c.kubectl("delete %s --cascade=orphan", old)
	return []Step{
		{What: "Delete only the old set, and only if it has not changed. If it has, this fails without a message.", After: orphaned,
			Command: shell.Command("%s | grep -qE %s && %s", shell.Raw(now), unchanged, shell.Raw(remove))},
		{What: "Wait until nothing refers to it.", Command: c.until(
			c.kubectl("get pods,persistentvolumeclaims,controllerrevisions -o jsonpath='{.items[*].metadata.ownerReferences[*].uid}'"), string(c.Set.GetUID()))},
	}
}

// begin ends the manifest's pause, and waits until the new set has its pods.
func (c *Case) begin() []Step {
	made, mode := c.To.argument(c.name()), c.annotations()[policy.Pause]
	paused := func(mode string) string {
		return c.kubectl("annotate %s --overwrite %s=%s", made, shell.Raw(policy.Pause), mode)
	}
	first := Step{What: "Activate the new set.", Command: c.kubectl("annotate %s %s-", made, shell.Raw(policy.Pause)), After: "the new set works"}
	switch mode {
	case "":
	case "All":
		first.Command = paused("HealOnly") // under All it would not adopt its pods
	default:
		first.Command = paused(mode)
	}
	steps := []Step{first}
	if *c.spec.Replicas > 0 {
		steps = append(steps, Step{What: "Wait until it has its pods.",
			Command: c.kubectl("wait %s --for=jsonpath='{.status.readyReplicas}'=%d --timeout=5m", made, *c.spec.Replicas)})
	}
	if mode == "All" {
		steps = append(steps, Step{What: "Pause it like the old set.", Command: paused(mode), After: "the new set works as far as its pause allows"})
	}
	if c.To.Group == BuiltIn.Group {
		steps = append(steps, c.history()...) // not earlier: its controller drops a current revision that it does not see yet
	}
	if c.keepsUntilTheEnd() {
		steps = append(steps, Step{What: "Give the new set the policy for claims that the old one had.", After: "the new set works as the old one did",
			Command: c.kubectl("patch %s --type=merge -p %s", made, c.formerPolicy())})
	}
	return steps
}

// retarget points autoscalers at the new set.
func (c *Case) retarget() (steps []Step) {
	for _, s := range c.scalers() {
		patch, _ := json.Marshal(map[string]any{"spec": map[string]any{s.field: map[string]any{"apiVersion": c.To.APIVersion(), "kind": c.To.Kind, "name": c.name()}}})
		steps = append(steps, Step{What: fmt.Sprintf("Point %s at the new set.", s.object.GetKind()),
			Command: c.kubectl("patch %s %s --type=merge -p %s", s.resource, s.object.GetName(), string(patch))})
	}
	return steps
}
