package codec

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// tables hold the decoded shared values. Elements with the same index share one value. The first entry stands for "none".
type tables struct {
	labels    []model.Labels
	owners    [][]model.Owner
	revisions []string
	volumes   [][]string
	notes     []model.Annotations
	storages  []model.ClaimStorage
}

func decodeTables(r *report, in *setplanv1.Tables) *tables {
	t := &tables{
		labels:    make([]model.Labels, len(in.GetLabelSets())),
		owners:    make([][]model.Owner, len(in.GetOwnerSets())),
		revisions: in.GetRevisionNames(),
		volumes:   make([][]string, len(in.GetVolumeSets())),
		notes:     make([]model.Annotations, len(in.GetAnnotationSets())),
		storages:  make([]model.ClaimStorage, len(in.GetClaimStorages())),
	}
	checkFirst(r, in)
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
		if r.limits.Memory != nil {
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
	for i, storage := range in.GetClaimStorages() {
		if r.over(i) {
			return t
		}
		t.storages[i] = decodeStorage(r, i, storage)
	}
	return t
}

func decodeStorage(r *report, i int, in *setplanv1.ClaimStorage) model.ClaimStorage {
	return model.ClaimStorage{
		Request:                in.GetRequest(),
		Capacity:               in.GetCapacity(),
		ResizeStatus:           in.GetResizeStatus(),
		Class:                  in.GetStorageClass(),
		AttributesClass:        in.GetAttributesClass(),
		CurrentAttributesClass: in.GetCurrentAttributesClass(),
		ModifyStatus:           in.GetModifyStatus(),
		Conditions: decodeConditions(r, in.GetConditions(), func(c int) {
			element{r, "snapshot.tables.claim_storages", i}.add(fmt.Sprintf("conditions[%d].last_transition_time", c), outsideYears)
		}),
	}
}

func decodeOwners(r *report, in []*setplanv1.OwnerReference) []model.Owner {
	if len(in) == 0 {
		return nil
	}
	out := make([]model.Owner, len(in))
	for i, o := range in {
		if r.over(i) {
			return nil
		}
		out[i] = model.Owner{
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

// checkFirst refuses a table whose first entry is not empty: its client uses index 0 for a real entry, or index i for entry i-1.
// Either way objects would get values that are not theirs.
func checkFirst(r *report, in *setplanv1.Tables) {
	for _, table := range [...]struct {
		name  string
		holds bool
	}{
		{"label_sets", len(first(in.GetLabelSets()).GetLabels()) > 0},
		{"owner_sets", len(first(in.GetOwnerSets()).GetOwners()) > 0},
		{"revision_names", first(in.GetRevisionNames()) != ""},
		{"volume_sets", len(first(in.GetVolumeSets()).GetVolumes()) > 0},
		{"annotation_sets", len(first(in.GetAnnotationSets()).GetAnnotations()) > 0},
		{"claim_storages", proto.Size(first(in.GetClaimStorages())) > 0},
	} {
		if table.holds {
			r.add("snapshot.tables."+table.name+"[0]", "must be empty: index 0 means none, and index 1 is the second entry")
		}
	}
}

func first[T any](table []T) (entry T) {
	if len(table) > 0 {
		entry = table[0]
	}
	return entry
}

// entry checks an index into a table with size entries; ok is false for "none" and for an index outside the table, which is
// reported.
func (e element) entry(field string, index uint32, size int) (i int, ok bool) {
	if index > 0 && uint64(index) >= uint64(size) {
		e.add(field, "index %d is outside the table of %d: entries count from 0", index, size)
		return 0, false
	}
	return int(index), index > 0
}

func (e element) labels(t *tables, index uint32) *model.Labels {
	if i, ok := e.entry("label_set_index", index, len(t.labels)); ok {
		return &t.labels[i]
	}
	return nil
}

func (e element) owners(t *tables, index uint32) []model.Owner {
	if i, ok := e.entry("owner_set_index", index, len(t.owners)); ok {
		return t.owners[i]
	}
	return nil
}

func (e element) revision(t *tables, index uint32) string {
	if i, ok := e.entry("revision_name_index", index, len(t.revisions)); ok {
		return t.revisions[i]
	}
	return ""
}

func (e element) volumes(t *tables, index uint32) []string {
	if i, ok := e.entry("volume_set_index", index, len(t.volumes)); ok {
		return t.volumes[i]
	}
	return nil
}

func (e element) storage(t *tables, index uint32) *model.ClaimStorage {
	if i, ok := e.entry("storage_index", index, len(t.storages)); ok {
		return &t.storages[i]
	}
	return nil
}

func (e element) annotations(t *tables, index uint32) *model.Annotations {
	if i, ok := e.entry("annotation_set_index", index, len(t.notes)); ok {
		return &t.notes[i]
	}
	return nil
}
