package state

import (
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// matching is what the set's selector has said about the labels that pods share.
type matching struct {
	required []required                // what its expressions say
	known    Memo[*model.Labels, bool] // as far as it is about labels that do not differ from pod to pod

	asked    bool
	identity bool // the selector names a label that differs from pod to pod
}

// identityLabel reports whether a label differs from pod to pod.
func identityLabel(key string) bool {
	return key == model.LabelPodName || key == model.LabelPodIndex || key == model.LabelRevision
}

func sharedLabel(key string) bool { return !identityLabel(key) }

func anyLabel(string) bool { return true }

// Selects reports whether the selector matches an object's labels.
func (v *View) Selects(labels map[string]string) bool {
	return v.matches(labelIn(labels), anyLabel)
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
	m := &v.matching
	if !m.asked {
		m.asked, m.identity = true, v.SelectsIdentity()
	}
	matches, known := m.known.Get(p.Labels)
	if !known {
		matches = v.matches(p.Label, sharedLabel)
		m.known.Set(p.Labels, matches)
	}
	return matches && (!m.identity || v.matches(p.Label, identityLabel))
}

// SelectsIdentity reports whether the selector names a label that differs from pod to pod.
func (v *View) SelectsIdentity() bool { return selectorNames(&v.Set.Selector, identityLabel) }
