package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
)

// Images in place take up to four writes to a pod, each with all of it or nothing of it; resources take one more. An adapter that is killed between two of them leaves a
// pod of which the next plan knows how far it is.
//
//	mark     the annotation of the record, empty: from then on the snapshot says what runs in the pod
//	start    the images, the labels and annotations of the revision, and the record; the label of the revision stays
//	resize   the resources, which are a subresource of the pod; see in_place_resize.go
//	note     the record anew, where ids do not tell whether a container runs what it should; see in_place_proof.go
//	finish   the label of the revision, and the empty record
//
// Mark and start are the update, and take their turn. The others cost nothing, and are written as soon as they can be.

// goesInSteps is an update in place that takes more than one write: something of containers changes, or such a change is under way.
func (v *view) goesInSteps(p *model.Pod, d *difference) bool {
	return d.ofContainers() || v.flightOf(p) != nil
}

// takesMark reports whether nobody can see yet what runs in a pod whose containers change.
func (v *view) takesMark(p *model.Pod, d *difference) bool { return d.ofContainers() && !isMarked(p) }

// mark is the write after which snapshots say what runs in a pod.
func mark() model.PatchAnnotations {
	return model.PatchAnnotations{Set: []model.KeyValue{{Key: annotationUpdate, Value: nothingUnderWay}}}
}

// start is the write that brings a marked pod on its way to a revision.
func (v *view) start(p *model.Pod, d *difference, revision string) model.UpdatePod {
	op := d.metadata()
	op.Annotations = withEntry(op.Annotations, annotationUpdate, v.recordOf(p, d, revision))
	op.Containers = imagesOf(p.Containers.Containers, d.images)
	op.InitContainers = imagesOf(p.Containers.Init, d.images)
	return op
}

// metadata is what a write to a pod says of labels and annotations.
func (d *difference) metadata() model.UpdatePod {
	return model.UpdatePod{Labels: d.labels.set, RemoveLabels: d.labels.remove, Annotations: d.annotations.set, RemoveAnnotations: d.annotations.remove}
}

// recordOf is the record of a pod that goes to a revision. What is under way already stays in it: the pod may be sent back to what it came from.
func (v *view) recordOf(p *model.Pod, d *difference, revision string) string {
	r := record{uid: p.UID, revision: revision, of: map[string]entry{}, at: v.now, starts: d.startsForResources}
	shown := v.shownOf(p)
	f := v.flightOf(p)
	if f != nil {
		maps.Copy(r.of, f.of)
		r.resize, r.starts = maps.Clone(f.resize), r.starts || f.starts
	}
	for name := range d.images {
		e := entry{ran: ranOf(shown[name])}
		if f != nil {
			if before, again := f.of[name]; again {
				e.good, e.open = before.atLabel(), true
			}
		}
		r.of[name] = e
	}
	for of := range d.resources {
		r.resize.put(of.container, of.key, *resizable[of.key].of(&shown[of.container].Resources))
	}
	return r.text()
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

// withEntry adds an entry to labels or annotations, in its place.
func withEntry(list []model.KeyValue, key, value string) []model.KeyValue {
	at, _ := slices.BinarySearchFunc(list, key, func(l model.KeyValue, key string) int { return strings.Compare(l.Key, key) })
	return slices.Insert(slices.Clone(list), at, model.KeyValue{Key: key, Value: value})
}
