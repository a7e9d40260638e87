package codec

import (
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// tables hold the decoded shared values. Elements with the same index share one value. The first entry stands for "none".
type tables struct {
	labels    []*model.Labels
	owners    [][]model.Owner
	revisions []string
	volumes   [][]string
	notes     []*model.Annotations
	storages  []*model.ClaimStorage
}

func decodeTables(r *report, in *setplanv1.Tables) *tables {
	checkFirst(r, in)
	w := &r.waiting
	return &tables{
		labels: listOf(w, in.GetLabelSets(), func(s *setplanv1.LabelSet) *model.Labels { return &model.Labels{Values: s.GetLabels()} }),
		owners: indexed(w, in.GetOwnerSets(), func(i int, s *setplanv1.OwnerSet) []model.Owner {
			if r.consumes {
				in.OwnerSets[i] = nil
			}
			return listOf(w, s.GetOwners(), decodeOwner)
		}),
		revisions: in.GetRevisionNames(),
		volumes:   listOf(w, in.GetVolumeSets(), (*setplanv1.VolumeSet).GetVolumes),
		notes: listOf(w, in.GetAnnotationSets(), func(s *setplanv1.AnnotationSet) *model.Annotations {
			return &model.Annotations{Values: s.GetAnnotations()}
		}),
		storages: indexed(w, in.GetClaimStorages(), func(i int, s *setplanv1.ClaimStorage) *model.ClaimStorage { return decodeStorage(r, i, s) }),
	}
}

func decodeStorage(r *report, i int, in *setplanv1.ClaimStorage) *model.ClaimStorage {
	return &model.ClaimStorage{
		Request:                in.GetRequest(),
		Capacity:               in.GetCapacity(),
		ResizeStatus:           in.GetResizeStatus(),
		Class:                  in.GetStorageClass(),
		AttributesClass:        in.GetAttributesClass(),
		CurrentAttributesClass: in.GetCurrentAttributesClass(),
		ModifyStatus:           in.GetModifyStatus(),
		Conditions: decodeConditions(r, in.GetConditions(), func(c int) *element {
			return &element{r, "snapshot.tables.claim_storages", i, "conditions", c}
		}),
	}
}

func decodeOwner(o *setplanv1.OwnerReference) model.Owner {
	return model.Owner{
		APIVersion:         o.GetApiVersion(),
		Kind:               o.GetKind(),
		Name:               o.GetName(),
		UID:                o.GetUid(),
		Controller:         o.GetController(),
		BlockOwnerDeletion: o.GetBlockOwnerDeletion(),
	}
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

// entry is the entry that an element refers to; zero for "none", and for an index outside the table, which is reported.
func entry[T any](e *element, field string, table []T, index uint32) (none T) {
	switch {
	case index == 0:
		return none
	case uint64(index) >= uint64(len(table)):
		e.add(field, "index %d is outside the table of %d: entries count from 0", index, len(table))
		return none
	}
	return table[index]
}
