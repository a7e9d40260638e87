package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The check of updates in place: a pod that is said to be at a revision runs what that revision says, and has what it asks for.

const noteInPlace = "setplan.io/in-place"

// podUpdateFault: a pod goes to another revision only if the revisions differ in labels, annotations, images and resources, and it gets exactly these
// labels and annotations. The images and the resources are other checks' business.
func podUpdateFault(s *subject) string {
	does := s.updating()
	name := does.to
	stays := does.step == notes || does.step == finishes // at the revision whose template the pod has
	from := s.revisionOf(s.runs(s.pod))
	why := s.inPlaceFault()
	switch {
	case why != "":
		return why
	case name == "" || !stays && !s.mayHave(name):
		return fmt.Sprintf("the revision %s is neither the set's nor made by the plan", quote(name))
	case stays:
		return s.metadataFaultOf(nil, nil, does)
	case from == nil:
		return "the pod's revision is not the set's"
	}
	old, next := s.stored(from), s.templateOf(name)
	if old == nil || next == nil {
		return "a template cannot be read"
	}
	old, next, changed, _ := apartFromResources(old, next)
	if does.step == starts {
		old, next, _ = apartFromImages(old, next)
	} else if len(changed) > 0 {
		return "the templates differ in resources"
	}
	if !sameBut(old, next, map[string]bool{"metadata": true}) || !sameBut(old.get("metadata"), next.get("metadata"), map[string]bool{"labels": true, "annotations": true}) {
		return "the templates differ in more than may change"
	}
	before, after := s.removedAt(from.GetName()), s.removedAt(name)
	for i := range s.claimTemplates() {
		if s.has(before, i) != s.has(after, i) {
			return "the revisions have other claim templates"
		}
	}
	return s.metadataFaultOf(old, next, does)
}

// metadataFaultOf: the pod gets exactly the labels and annotations in which two templates differ. The label of the revision is no part of a start:
// it follows when the images run.
func (s *subject) metadataFaultOf(old, next *node, does updating) string {
	update := s.action.GetUpdatePod()
	labels, annotations := maps.Clone(update.GetLabels()), maps.Clone(update.GetAnnotations())
	if delete(annotations, noteUpdate); does.step == relabels || does.step == finishes {
		delete(labels, labelRevision)
	}
	if why := changeFault("label", old.get("metadata", "labels"), next.get("metadata", "labels"), labels, update.GetRemoveLabels()); why != "" {
		return why
	}
	return changeFault("annotation", old.get("metadata", "annotations"), next.get("metadata", "annotations"), annotations, update.GetRemoveAnnotations())
}

// inPlaceFault: only pods in the range of a set that asks for it are updated in place.
func (s *subject) inPlaceFault() string {
	ordinal, isMember := ordinalOf(s.name(), s.set.GetName())
	switch {
	case !s.updatesInPlace():
		return "the set does not ask that pods are updated in place"
	case s.deleting() || !isMember || !s.inRange(ordinal):
		return "no ordinal of the range has this pod"
	}
	return ""
}

// updatesInPlace reads the set's policy. A text that this build does not know asks for it, too: what is not deleted is safe.
func (v *Verifier) updatesInPlace() bool {
	policy := v.set.GetAnnotations()[noteInPlace]
	if field := v.document("own fields", v.set.GetOwnFields()).get("inPlace").string(); field != "" {
		policy = field
	}
	return policy != "" && policy != "Recreate"
}

// changeFault compares what is set and removed with how two maps of strings differ.
func changeFault(what string, old, next *node, set map[string]string, remove []string) string {
	identity := map[string]bool{labelPodName: true, labelPodIndex: true, labelRevision: true}
	wanted, gone := map[string]string{}, map[string]bool{}
	for key := range next.object() {
		if value, ok := next.label(key); ok && !identity[key] && !old.get(key).is(value) {
			wanted[key] = value
		}
	}
	for key := range old.object() {
		if _, stays := next.label(key); !stays && !identity[key] {
			gone[key] = true
		}
	}
	for key, value := range set {
		if wants, ok := wanted[key]; !ok || wants != value || strings.HasPrefix(key, "setplan.io/") {
			return fmt.Sprintf("the %s %s is not what the templates differ in", what, quote(key))
		}
	}
	for _, key := range remove {
		if !gone[key] || strings.HasPrefix(key, "setplan.io/") {
			return fmt.Sprintf("the %s %s is not what the templates differ in", what, quote(key))
		}
	}
	if len(set) != len(wanted) || len(gone) != len(slices.Compact(slices.Sorted(slices.Values(remove)))) {
		return "a " + what + " in which the templates differ is left out"
	}
	return ""
}

// sameBut compares two templates, or parts, but for some keys. Nulls and empty objects are as good as nothing: older API servers wrote them.
func sameBut(a, b *node, except map[string]bool) bool {
	for _, side := range [...]*node{a, b} {
		for key := range side.object() {
			if !except[key] && !same(a.get(key), b.get(key)) {
				return false
			}
		}
	}
	return true
}

func same(a, b *node) bool {
	if a.nothing() || b.nothing() {
		return a.nothing() && b.nothing()
	}
	switch {
	case a.kind != b.kind:
		return false
	case a.kind == '{':
		return sameBut(a, b, nil)
	case a.kind == '[':
		return slices.EqualFunc(a.items, b.items, same)
	}
	return equal(a, b)
}

func (n *node) nothing() bool {
	return n == nil || n.kind == 'n' || n.kind == '{' && len(n.members) == 0
}
