package kube

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// tables collects what the objects of a snapshot share. An index is the position plus one; 0 means none.
//
// An object nearly always has what the object before it had, so that is compared first, as it is: nothing is hashed or
// copied for an object that brings nothing new.
type tables struct {
	out       *setplanv1.Tables
	labels    map[string]uint32
	owners    map[string]uint32
	revisions map[string]uint32
	volumes   map[string]uint32

	lastLabels   last[map[string]string]
	lastOwners   last[[]metav1.OwnerReference]
	lastRevision last[string]
	lastVolumes  last[[]string]
}

// last is the entry that the object before had.
type last[T any] struct {
	value T
	index uint32
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
	index := entry(t.labels, key.String(), &t.out.LabelSets, func() *setplanv1.LabelSet {
		return &setplanv1.LabelSet{Labels: labels}
	})
	t.lastLabels = last[map[string]string]{labels, index}
	return index
}

func (t *tables) ownerSet(references []metav1.OwnerReference) uint32 {
	if len(references) == 0 {
		return 0
	}
	if slices.EqualFunc(references, t.lastOwners.value, sameOwner) {
		return t.lastOwners.index
	}
	var key strings.Builder
	for i := range references {
		r := &references[i]
		key.WriteString(strings.Join([]string{r.APIVersion, r.Kind, r.Name, string(r.UID), flag(r.Controller) + flag(r.BlockOwnerDeletion), ""}, separator))
	}
	index := entry(t.owners, key.String(), &t.out.OwnerSets, func() *setplanv1.OwnerSet {
		owners := make([]*setplanv1.OwnerReference, len(references))
		for i := range references {
			owners[i] = encodeOwner(&references[i])
		}
		return &setplanv1.OwnerSet{Owners: owners}
	})
	t.lastOwners = last[[]metav1.OwnerReference]{references, index}
	return index
}

func sameOwner(a, b metav1.OwnerReference) bool {
	return a.UID == b.UID && a.Name == b.Name && a.Kind == b.Kind && a.APIVersion == b.APIVersion &&
		isTrue(a.Controller) == isTrue(b.Controller) && isTrue(a.BlockOwnerDeletion) == isTrue(b.BlockOwnerDeletion)
}

func (t *tables) revision(name string) uint32 {
	if t.lastRevision.index == 0 || t.lastRevision.value != name {
		t.lastRevision = last[string]{name, entry(t.revisions, name, &t.out.RevisionNames, func() string { return name })}
	}
	return t.lastRevision.index
}

// volumeSet takes a list that the caller may use again.
func (t *tables) volumeSet(volumes []string) uint32 {
	if len(volumes) == 0 {
		return 0
	}
	if slices.Equal(volumes, t.lastVolumes.value) {
		return t.lastVolumes.index
	}
	volumes = slices.Clone(volumes)
	index := entry(t.volumes, strings.Join(volumes, separator), &t.out.VolumeSets, func() *setplanv1.VolumeSet {
		return &setplanv1.VolumeSet{Volumes: volumes}
	})
	t.lastVolumes = last[[]string]{volumes, index}
	return index
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
		Controller:         isTrue(r.Controller),
		BlockOwnerDeletion: isTrue(r.BlockOwnerDeletion),
	}
}

func isTrue(b *bool) bool { return b != nil && *b }

func flag(b *bool) string {
	if isTrue(b) {
		return "1"
	}
	return "0"
}
