package kube

import (
	"unique"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// tables collects what the objects of a snapshot share. The first entry of a table is empty, so that index 0 means none.
type tables struct {
	out       *setplanv1.Tables
	labels    map[string]uint32
	owners    map[string]uint32
	revisions map[string]uint32
	volumes   map[string]uint32
	notes     map[string]uint32 // annotations

	// What the object before had, which the next one nearly always has too.
	lastShared  unique.Handle[shared]
	lastIndexes indexes
}

// indexes are where the parts of a shared stand.
type indexes struct {
	labels, owners, revision, volumes, annotations uint32
}

func newTables() *tables {
	return &tables{
		out:       &setplanv1.Tables{},
		labels:    map[string]uint32{},
		owners:    map[string]uint32{},
		revisions: map[string]uint32{},
		volumes:   map[string]uint32{},
		notes:     map[string]uint32{},
	}
}

// pod is the message of a pod in this snapshot.
func (t *tables) pod(pod *cachedPod) *setplanv1.Pod {
	at, message := t.indexesOf(pod.shared), pod.message.Load()
	if at == (indexes{message.GetLabelSetIndex(), message.GetOwnerSetIndex(), message.GetRevisionNameIndex(), message.GetVolumeSetIndex(), message.GetAnnotationSetIndex()}) {
		return message
	}
	message = proto.CloneOf(message)
	message.LabelSetIndex, message.OwnerSetIndex, message.RevisionNameIndex, message.VolumeSetIndex = at.labels, at.owners, at.revision, at.volumes
	message.AnnotationSetIndex = at.annotations
	pod.message.Store(message)
	return message
}

// claim is the message of a claim in this snapshot.
func (t *tables) claim(claim *cachedClaim) *setplanv1.Claim {
	at, message := t.indexesOf(claim.shared), claim.message.Load()
	if message.GetOwnerSetIndex() == at.owners && message.GetAnnotationSetIndex() == at.annotations {
		return message
	}
	message = proto.CloneOf(message)
	message.OwnerSetIndex, message.AnnotationSetIndex = at.owners, at.annotations
	claim.message.Store(message)
	return message
}

func (t *tables) indexesOf(handle unique.Handle[shared]) indexes {
	if handle == t.lastShared {
		return t.lastIndexes
	}
	common := handle.Value()
	at := indexes{
		labels:   entry(t.labels, common.labels, &t.out.LabelSets, labelSet),
		owners:   t.ownerSet(common.owners),
		revision: entry(t.revisions, common.revision, &t.out.RevisionNames, revisionName),
		volumes:  entry(t.volumes, common.volumes, &t.out.VolumeSets, volumeSet),

		annotations: entry(t.notes, common.annotations, &t.out.AnnotationSets, annotationSet),
	}
	t.lastShared, t.lastIndexes = handle, at
	return at
}

func (t *tables) ownerSet(text string) uint32 {
	return entry(t.owners, text, &t.out.OwnerSets, ownerSet)
}

// entry finds the index of a text, or appends the value that it stands for to the table.
func entry[T any](index map[string]uint32, text string, table *[]T, value func(string) T) uint32 {
	if text == "" {
		return 0
	}
	if at, found := index[text]; found {
		return at
	}
	if len(*table) == 0 {
		*table = append(*table, value(""))
	}
	index[text] = uint32(len(*table))
	*table = append(*table, value(text))
	return index[text]
}
