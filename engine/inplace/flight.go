package inplace

import "github.com/setplan/setplan/engine/model"

// Which records count, and which are another pod's.

// NoteFlight reads what is under way in a pod, before anybody asks: who looks something up takes nothing to the heap.
func (v *Pods) NoteFlight(p *model.Pod) {
	text, marked := p.Annotations.Values[AnnotationUpdate]
	if !marked || text == NothingUnderWay {
		return
	}
	if f := v.readFlight(p, text); f != nil {
		if v.flights == nil {
			v.flights = map[*model.Pod]*Flight{}
		}
		v.flights[p] = f
	}
}

func (v *Pods) readFlight(p *model.Pod, text string) *Flight {
	if v.IsOfEveryPod(p.Revision, AnnotationUpdate, text) {
		return nil
	}
	r, ok := v.recordIn(p.Annotations)
	f := &Flight{Record: r, Unreadable: !ok, shown: v.shownOf(p)}
	if ok && !v.isRecordOf(p, f) {
		if v.hasImages(f.shown, p.Revision) {
			return nil
		}
		f.Unreadable = true
	}
	if f.Unreadable {
		f.Revision = ""
	}
	return f
}

// isRecordOf reports whether a record was written for a pod. A copy on another pod counts for nothing there: the label says what such a pod runs, if its
// spec has the images of that revision. A record without a uid may be the pod's, unless it is older than the pod, or the spec does not have the images
// that were in the same write.
func (v *Pods) isRecordOf(p *model.Pod, f *Flight) bool {
	if p.Containers != nil && !f.isOfShown() {
		return false
	}
	if f.uid != "" {
		return f.uid == p.UID
	}
	return f.At.Unix() >= p.CreatedAt.Unix() && (len(f.Of) == 0 || v.hasImages(f.shown, f.Revision) || !v.hasImages(f.shown, p.Revision))
}

// hasImages reports whether the containers of a pod are seen to have the images of a revision.
func (v *Pods) hasImages(shown map[string]*model.Container, revision string) bool {
	v.compared.begin(v)
	if v.compared.stored[revision] == nil {
		return false // which revision is the update's is not known yet
	}
	images := v.factsOf(revision).images
	if len(images) > len(shown) {
		return false
	}
	for name, image := range images {
		if shown[name] == nil || shown[name].Image != image {
			return false
		}
	}
	return len(images) > 0
}
