package engine

// gates are what the annotations setplan.io/before-update and setplan.io/after-update, or the fields of the same meaning, ask for: somebody
// agrees to the update of each pod, before it is deleted, and once its replacement is there. The text of the set names who is asked. The answer is
// an annotation of the pod with the same name, and with the name of the revision: so it counts for one revision, and it is gone with the
// pod. What the pod has from its template is no answer. Redpanda's operator has such gates (redpanda-data/redpanda-operator#1547).
type gates struct{ before, after asked }

func readGates(v *view) gates { return gates{v.asks(annotationBefore), v.asks(annotationAfter)} }

// hold keeps a pod to whose update nobody has agreed.
func (g *gates) hold(v *view, t *taking) *held {
	if g.before.text == "" || v.saysItself(t.pod, annotationBefore, t.revision) {
		return nil
	}
	return &held{blockGate(t.pod, annotationBefore, g.before, t.revision), g.before.whoAgrees()}
}
