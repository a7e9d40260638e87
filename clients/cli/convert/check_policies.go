package convert

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/setplan/setplan/clients/cli/shell"
	"github.com/setplan/setplan/engine/policy"
)

const drainFinalizer = policy.Prefix + "drain"

// policies returns the new set's annotations that are a policy for Setplan, sorted. Drain templates may have other prefixes.
func (c *Case) policies() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.annotations())) {
		if strings.HasPrefix(name, policy.Prefix) || strings.HasSuffix(name, "-pod-template") {
			names = append(names, name)
		}
	}
	return names
}

// byUs reports whether Setplan wrote the status last: then it obeys the annotations already.
func (c *Case) byUs() bool {
	manager := ""
	var last string
	for _, entry := range c.Set.GetManagedFields() {
		if entry.Subresource == "status" && entry.Time != nil && entry.Time.UTC().Format(sortable) >= last {
			manager, last = entry.Manager, entry.Time.UTC().Format(sortable)
		}
	}
	return manager == adapterName
}

// waking: the built-in controller ignores these annotations, and an adapter obeys them once the new set works.
func waking(c *Case) (found []Finding) {
	if c.From.Group != BuiltIn.Group || c.byUs() {
		return nil
	}
	for _, name := range c.policies() {
		severity := Act
		if name == policy.Reserved {
			severity = Stop // other ordinals are other pods
		}
		found = append(found, Finding{Severity: severity, Code: "WAKES", Subject: name, Message: "The annotation has no effect now, but takes effect after the move.",
			Remedy: "Remove it if you do not want that.", Commands: []string{c.kubectl("annotate %s %s", c.From.argument(c.name()), c.removals(name))}})
	}
	return found
}

// removals returns the arguments that remove the old set's annotations from which the new set gets this one.
func (c *Case) removals(name string) shell.Raw {
	var all []string
	for _, old := range slices.Sorted(maps.Keys(c.Set.GetAnnotations())) {
		if old == name || fromAnnotations[old].name == name || old == annotationDrain && name == policy.DrainOnDelete {
			all = append(all, old+"-")
		}
	}
	return shell.Words(all)
}

// forgotten: the built-in controller ignores these, and does what they hold back.
func forgotten(c *Case) (found []Finding) {
	if c.To.Group != BuiltIn.Group {
		return nil
	}
	for _, name := range c.policies() {
		severity := Note
		switch {
		case name == policy.Reserved, name == policy.Pause, name == policy.Guard:
			severity = Stop
		case name == policy.DrainOnDelete, hasField(name) && !strings.HasPrefix(name, policy.Prefix+"claim-"):
			severity = Act
		}
		message := "The built-in controller ignores this annotation."
		if name == policy.Reserved {
			message = "The built-in controller has no reserved ordinals: it deletes pods above the first spec.replicas ordinals and creates the reserved ones."
		}
		found = append(found, Finding{Severity: severity, Code: "FORGOTTEN", Subject: name, Message: message,
			Remedy: "Before the move, undo what it asks for, and remove it."})
	}
	return found
}

// hasField reports whether a field of our own kind means the same as an annotation.
func hasField(annotation string) bool {
	return slices.ContainsFunc(policy.All[:], func(p policy.Setting) bool { return p.Annotation == annotation && p.Field != "" })
}

// drained: the new set does not continue a drain of the old one.
func drained(c *Case) (found []Finding) {
	for i := range c.Pods {
		if pod := &c.Pods[i]; pod.Annotations[policy.Prefix+"drain-set"] == c.name() {
			found = append(found, Finding{Severity: Stop, Code: "DRAINING", Subject: "Pod/" + pod.Name, Message: "An ordinal of the set is being drained.",
				Remedy: "Wait until it is done."})
		}
	}
	if c.protected() {
		found = append(found, Finding{Severity: Note, Code: "DRAIN_ON_DELETE", Subject: policy.DrainOnDelete,
			Message: "The set is drained when it is deleted. The commands turn that off first, and the new set has the annotation again."})
	}
	return found
}

// annotationDrain notes on a set that moves that it had drain-on-delete, which the commands turn off. With the annotation a second run of
// convert still prints the same manifest.
const annotationDrain = "convert.setplan.io/drain-on-delete"

// protected reports whether the set, as it is now, is drained when it is deleted.
func (c *Case) protected() bool {
	return slices.Contains(c.Set.GetFinalizers(), drainFinalizer) || c.Set.GetAnnotations()[policy.DrainOnDelete] == "true"
}

// drainsOnDelete reports whether the set had drain-on-delete before it began to move.
func (c *Case) drainsOnDelete() bool {
	return c.Set.GetAnnotations()[policy.DrainOnDelete] == "true" || c.Set.GetAnnotations()[annotationDrain] == "true"
}

// unsupported: the other kind lacks fields that the set uses.
func unsupported(c *Case) (found []Finding) {
	_, dropped := c.newSpec()
	for _, field := range dropped {
		severity := Stop
		if field.harmless {
			severity = Act
		}
		found = append(found, Finding{Severity: severity, Code: "UNSUPPORTED", Subject: field.path, Message: fmt.Sprintf("%s has no such field. %s", c.To.APIVersion(), field.effect),
			Remedy: "Remove the field first, and wait until the set is at rest without it."})
	}
	return found
}
