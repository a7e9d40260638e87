package setplan

import (
	"strconv"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Tables builds the tables of a snapshot. The pods and claims of a set have nearly everything in common, so it is sent once, and each
// has indexes. Equal values get equal indexes. An empty value gets 0, which means none. The zero Tables is empty.
type Tables struct {
	out  setplanv1.Tables
	seen map[string]uint32 // by table and content
}

// Labels returns the label_set_index of a pod with these labels.
func (t *Tables) Labels(labels map[string]string) uint32 {
	if len(labels) == 0 {
		return 0
	}
	return entry(t, "labels", &t.out.LabelSets, &setplanv1.LabelSet{Labels: labels})
}

// Owners returns the owner_set_index of an object with these owner references, in the object's order.
func (t *Tables) Owners(owners ...*setplanv1.OwnerReference) uint32 {
	if len(owners) == 0 {
		return 0
	}
	return entry(t, "owners", &t.out.OwnerSets, &setplanv1.OwnerSet{Owners: owners})
}

// RevisionName returns the revision_name_index of a pod whose label controller-revision-hash has this value.
func (t *Tables) RevisionName(name string) uint32 {
	if name == "" {
		return 0
	}
	return t.at("revision "+name, len(t.out.RevisionNames), func(first bool) {
		if first {
			t.out.RevisionNames = append(t.out.RevisionNames, "")
		}
		t.out.RevisionNames = append(t.out.RevisionNames, name)
	})
}

// Volumes returns the volume_set_index of a pod with these volumes.
func (t *Tables) Volumes(volumes ...string) uint32 {
	if len(volumes) == 0 {
		return 0
	}
	return entry(t, "volumes", &t.out.VolumeSets, &setplanv1.VolumeSet{Volumes: volumes})
}

// Annotations returns the annotation_set_index of a pod or a claim with these annotations. Only those whose key begins with
// "setplan.io/" belong in a snapshot.
func (t *Tables) Annotations(annotations map[string]string) uint32 {
	if len(annotations) == 0 {
		return 0
	}
	return entry(t, "annotations", &t.out.AnnotationSets, &setplanv1.AnnotationSet{Annotations: annotations})
}

// Message returns the tables for Snapshot.Tables. Later additions appear in it, too.
func (t *Tables) Message() *setplanv1.Tables { return &t.out }

// entry finds the index of a value, or appends it. The first entry of a table is empty and stands for none.
func entry[M proto.Message](t *Tables, table string, values *[]M, value M) uint32 {
	content, err := proto.MarshalOptions{Deterministic: true}.Marshal(value)
	if err != nil {
		content = strconv.AppendInt(nil, int64(len(*values)), 10) // text that is not UTF-8: the planner refuses it where it is
	}
	return t.at(table+" "+string(content), len(*values), func(first bool) {
		if first {
			*values = append(*values, value.ProtoReflect().New().Interface().(M))
		}
		*values = append(*values, value)
	})
}

// at returns the index of the value with a key. add adds it to a table of the given length if it is new.
func (t *Tables) at(key string, length int, add func(first bool)) uint32 {
	if index, found := t.seen[key]; found {
		return index
	}
	if t.seen == nil {
		t.seen = map[string]uint32{}
	}
	t.seen[key] = uint32(max(length, 1))
	add(length == 0)
	return t.seen[key]
}
