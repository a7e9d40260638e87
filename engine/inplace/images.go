package inplace

import (
	"maps"
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
)

// Images in place take up to four writes to a pod, each with all of it or nothing of it; resources take one more. An adapter that is killed between two of them leaves a
// pod of which the next plan knows how far it is.
//
//	mark     the annotation of the record, empty: from then on the snapshot says what runs in the pod
//	start    the images, the labels and annotations of the revision, and the record; the label of the revision stays
//	resize   the resources, which are a subresource of the pod; see resize.go
//	note     the record anew, where ids do not tell whether a container runs what it should; see proof.go
//	finish   the label of the revision, and the empty record
//
// Mark and start are the update, and take their turn. The others cost nothing, and are written as soon as they can be.

// GoesInSteps is an update in place that takes more than one write: something of containers changes, or such a change is under way.
func (v *Pods) GoesInSteps(p *model.Pod, d *podtemplate.Difference) bool {
	return d.OfContainers() || v.FlightOf(p) != nil
}

// TakesMark reports whether nobody can see yet what runs in a pod whose containers change.
func (v *Pods) TakesMark(p *model.Pod, d *podtemplate.Difference) bool {
	return d.OfContainers() && !IsMarked(p)
}

// Mark is the write after which snapshots say what runs in a pod.
func Mark() model.PatchAnnotations {
	return model.PatchAnnotations{Set: []model.KeyValue{{Key: AnnotationUpdate, Value: NothingUnderWay}}}
}

// Start is the write that brings a marked pod on its way to a revision.
func (v *Pods) Start(p *model.Pod, d *podtemplate.Difference, revision string) model.UpdatePod {
	op := MetadataOf(d)
	op.Annotations = WithEntry(op.Annotations, AnnotationUpdate, v.recordOf(p, d, revision))
	op.Containers = imagesOf(p.Containers.Containers, d.Images)
	op.InitContainers = imagesOf(p.Containers.Init, d.Images)
	return op
}

// MetadataOf is what a write to a pod says of labels and annotations.
func MetadataOf(d *podtemplate.Difference) model.UpdatePod {
	return model.UpdatePod{Labels: d.Labels.Set, RemoveLabels: d.Labels.Remove, Annotations: d.Annotations.Set, RemoveAnnotations: d.Annotations.Remove}
}

// recordOf is the record of a pod that goes to a revision. What is under way already stays in it: the pod may be sent back to what it came from.
func (v *Pods) recordOf(p *model.Pod, d *podtemplate.Difference, revision string) string {
	r := Record{uid: p.UID, Revision: revision, Of: map[string]entry{}, At: v.Now, Starts: d.StartsForResources}
	shown := v.shownOf(p)
	f := v.FlightOf(p)
	if f != nil {
		maps.Copy(r.Of, f.Of)
		r.Resize, r.Starts = maps.Clone(f.Resize), r.Starts || f.Starts
	}
	for name := range d.Images {
		e := entry{ran: ranOf(shown[name])}
		if f != nil {
			if before, again := f.Of[name]; again {
				e.good, e.open = before.atLabel(), true
			}
		}
		r.Of[name] = e
	}
	for of := range d.Resources {
		r.Resize.Put(of.Container, of.Key, *model.Resizable[of.Key].Of(&shown[of.Container].Resources))
	}
	return r.Text()
}

// imagesOf lists all containers of a list, if one of them gets another image.
func imagesOf(list []model.Container, images map[string]string) []model.ContainerImage {
	out := make([]model.ContainerImage, len(list))
	changed := false
	for i := range list {
		c := &list[i]
		out[i] = model.ContainerImage{Name: c.Name, Image: c.Image}
		if image, changes := images[c.Name]; changes {
			out[i].Image, changed = image, true
		}
	}
	if !changed {
		return nil
	}
	return out
}

// WithEntry adds an entry to labels or annotations, in its place.
func WithEntry(list []model.KeyValue, key, value string) []model.KeyValue {
	at, _ := slices.BinarySearchFunc(list, key, func(l model.KeyValue, key string) int { return strings.Compare(l.Key, key) })
	return slices.Insert(slices.Clone(list), at, model.KeyValue{Key: key, Value: value})
}
