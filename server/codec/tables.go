package codec

import (
	"github.com/setplan/setplan/engine"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// tables hold the decoded shared values. An element that names entry i of the wire's table gets the value i-1 here, the
// same one as every other element that names it.
type tables struct {
	labels    []engine.Labels
	owners    [][]engine.Owner
	revisions []string
	volumes   [][]string
	notes     []engine.Annotations
}

func decodeTables(r *report, in *setplanv1.Tables) *tables {
	t := &tables{
		labels:    make([]engine.Labels, len(in.GetLabelSets())),
		owners:    make([][]engine.Owner, len(in.GetOwnerSets())),
		revisions: in.GetRevisionNames(),
		volumes:   make([][]string, len(in.GetVolumeSets())),
		notes:     make([]engine.Annotations, len(in.GetAnnotationSets())),
	}
	for i, set := range in.GetLabelSets() {
		if r.over(i) {
			return t
		}
		t.labels[i].Values = set.GetLabels()
	}
	for i, set := range in.GetOwnerSets() {
		if r.over(i) {
			return t
		}
		t.owners[i] = decodeOwners(r, set.GetOwners())
		if r.limits.Consume {
			in.OwnerSets[i] = nil
		}
	}
	for i, set := range in.GetVolumeSets() {
		if r.over(i) {
			return t
		}
		t.volumes[i] = set.GetVolumes()
	}
	for i, set := range in.GetAnnotationSets() {
		if r.over(i) {
			return t
		}
		t.notes[i].Values = set.GetAnnotations()
	}
	return t
}

func decodeOwners(r *report, in []*setplanv1.OwnerReference) []engine.Owner {
	if len(in) == 0 {
		return nil
	}
	out := make([]engine.Owner, len(in))
	for i, o := range in {
		if r.over(i) {
			return nil
		}
		out[i] = engine.Owner{
			APIVersion:         o.GetApiVersion(),
			Kind:               o.GetKind(),
			Name:               o.GetName(),
			UID:                o.GetUid(),
			Controller:         o.GetController(),
			BlockOwnerDeletion: o.GetBlockOwnerDeletion(),
		}
	}
	return out
}

// position turns an index of the wire into one of a table with size entries; ok is false for "none" and for an index
// outside the table, which is reported.
func (e element) position(field string, index uint32, size int) (position int, ok bool) {
	if uint64(index) > uint64(size) {
		e.add(field, "index %d is outside the table of %d", index, size)
		return 0, false
	}
	return int(index) - 1, index > 0
}

func (e element) labels(t *tables, index uint32) *engine.Labels {
	if i, ok := e.position("label_set", index, len(t.labels)); ok {
		return &t.labels[i]
	}
	return nil
}

func (e element) owners(t *tables, index uint32) []engine.Owner {
	if i, ok := e.position("owner_set", index, len(t.owners)); ok {
		return t.owners[i]
	}
	return nil
}

func (e element) revision(t *tables, index uint32) string {
	if i, ok := e.position("revision", index, len(t.revisions)); ok {
		return t.revisions[i]
	}
	return ""
}

func (e element) volumes(t *tables, index uint32) []string {
	if i, ok := e.position("volume_set", index, len(t.volumes)); ok {
		return t.volumes[i]
	}
	return nil
}

func (e element) annotations(t *tables, index uint32) *engine.Annotations {
	if i, ok := e.position("annotation_set_index", index, len(t.notes)); ok {
		return &t.notes[i]
	}
	return nil
}
