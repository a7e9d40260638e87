package inplace

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// SaysItself reports whether somebody has written a text on a pod. What the template of its revision says is nobody's word on this pod: each new one
// has it again.
func (v *Pods) SaysItself(p *model.Pod, name, text string) bool {
	return p.Annotations.Get(name) == text && !v.IsOfEveryPod(p.Revision, name, text)
}

// IsOfEveryPod reports whether the template of a revision says this itself.
func (v *Pods) IsOfEveryPod(revision, name, text string) bool {
	v.compared.begin(v)
	if v.compared.stored[revision] == nil {
		return false // which revision is the update's may not be known yet
	}
	said, says := v.factsOf(revision).notes[name]
	return says && said == text
}

// Chosen reports whether somebody wants a pod recreated.
func (v *Pods) Chosen(p *model.Pod) bool {
	return v.SaysItself(p, state.AnnotationRecreate, state.RecreateWanted)
}
