package kube

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// tables collects what the objects of a snapshot share. An index is the position plus one; 0 means none.
type tables struct {
	out       *setplanv1.Tables
	labels    map[string]uint32
	owners    map[string]uint32
	revisions map[string]uint32
	volumes   map[string]uint32
}

func newTables() *tables {
	return &tables{
		out:       &setplanv1.Tables{},
		labels:    map[string]uint32{},
		owners:    map[string]uint32{},
		revisions: map[string]uint32{},
		volumes:   map[string]uint32{},
	}
}

// separator cannot stand in a name, a label or a uid.
const separator = "\x00"

func (t *tables) labelSet(labels map[string]string) uint32 {
	if len(labels) == 0 {
		return 0
	}
	var key strings.Builder
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		key.WriteString(name + separator + labels[name] + separator)
	}
	return entry(t.labels, key.String(), &t.out.LabelSets, func() *setplanv1.LabelSet {
		return &setplanv1.LabelSet{Labels: labels}
	})
}

func (t *tables) ownerSet(references []metav1.OwnerReference) uint32 {
	if len(references) == 0 {
		return 0
	}
	var key strings.Builder
	for i := range references {
		r := &references[i]
		key.WriteString(strings.Join([]string{r.APIVersion, r.Kind, r.Name, string(r.UID), flag(r.Controller) + flag(r.BlockOwnerDeletion), ""}, separator))
	}
	return entry(t.owners, key.String(), &t.out.OwnerSets, func() *setplanv1.OwnerSet {
		owners := make([]*setplanv1.OwnerReference, len(references))
		for i := range references {
			owners[i] = encodeOwner(&references[i])
		}
		return &setplanv1.OwnerSet{Owners: owners}
	})
}

func (t *tables) revision(name string) uint32 {
	return entry(t.revisions, name, &t.out.RevisionNames, func() string { return name })
}

func (t *tables) volumeSet(volumes []string) uint32 {
	if len(volumes) == 0 {
		return 0
	}
	return entry(t.volumes, strings.Join(volumes, separator), &t.out.VolumeSets, func() *setplanv1.VolumeSet {
		return &setplanv1.VolumeSet{Volumes: volumes}
	})
}

// entry finds the index of a key, or appends a new value to the table.
func entry[T any](index map[string]uint32, key string, table *[]T, value func() T) uint32 {
	if at, found := index[key]; found {
		return at
	}
	*table = append(*table, value())
	index[key] = uint32(len(*table))
	return index[key]
}

func encodeOwner(r *metav1.OwnerReference) *setplanv1.OwnerReference {
	return &setplanv1.OwnerReference{
		ApiVersion:         r.APIVersion,
		Kind:               r.Kind,
		Name:               r.Name,
		Uid:                string(r.UID),
		Controller:         r.Controller != nil && *r.Controller,
		BlockOwnerDeletion: r.BlockOwnerDeletion != nil && *r.BlockOwnerDeletion,
	}
}

func flag(b *bool) string {
	if b != nil && *b {
		return "1"
	}
	return "0"
}
