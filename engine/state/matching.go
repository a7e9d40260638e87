package state

import (
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// matching is what the set's selector has said about the labels that pods share.
type matching struct {
	required []required                    // what its expressions say
	known    Memo[*model.Labels, selected] // as far as it is about labels that do not differ from pod to pod
}

// selected is what a selector says of labels.
type selected struct {
	matches bool
	partly  bool // if it matches: it names others, which were not asked
}

// identityLabel reports whether a label differs from pod to pod.
func identityLabel(key string) bool {
	return key == model.LabelPodName || key == model.LabelPodIndex || key == model.LabelRevision
}

func sharedLabel(key string) bool { return !identityLabel(key) }

func anyLabel(string) bool { return true }

// Selects reports whether the selector matches an object's labels.
func (v *View) Selects(labels map[string]string) bool {
	return v.matches(labelIn(labels), anyLabel).matches
}

func labelIn(labels map[string]string) func(string) (string, bool) {
	return func(key string) (string, bool) {
		value, present := labels[key]
		return value, present
	}
}

// SelectsTree is the same for labels of a template.
func (v *View) SelectsTree(labels jsontree.Value) bool {
	return v.Selects(jsontree.Strings(labels))
}

// SelectsPod evaluates the selector once for all pods that share their labels, which is nearly all of them, and for each
// what it says about identity labels.
func (v *View) SelectsPod(p *model.Pod) bool {
	shared, known := v.matching.known.Get(p.Labels)
	if !known {
		shared = v.matches(p.Label, sharedLabel)
		v.matching.known.Set(p.Labels, shared)
	}
	return shared.matches && (!shared.partly || v.matches(p.Label, identityLabel).matches)
}

// SelectsIdentity reports whether the selector names a label that differs from pod to pod.
func (v *View) SelectsIdentity() bool { return selectorNames(&v.Set.Selector, identityLabel) }
