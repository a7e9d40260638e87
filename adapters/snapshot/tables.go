package snapshot

import (
	"google.golang.org/protobuf/proto"
	appsv1 "k8s.io/api/apps/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Tables collects what the objects of one snapshot share. The first entry of each table is empty, so that index 0 means none.
type Tables struct {
	out       setplanv1.Tables
	labels    places
	owners    places
	revisions places
	volumes   places
	notes     places // annotations
	storages  places

	long      map[string]bool // sets of annotations that are carried as they are, though long
	longBytes int

	// The previous object's, which the next one nearly always shares.
	lastShared  Shared
	lastIndexes indexes
}

// indexes are the table indexes of the parts of a shared.
type indexes struct {
	labels, owners, revision, volumes, annotations, storage uint32
}

// NewTables makes empty tables.
func NewTables() *Tables { return &Tables{} }

// Message returns the tables in the contract's form. Later additions appear in it, too.
func (t *Tables) Message() *setplanv1.Tables { return &t.out }

// Pod returns the message of a pod with its indexes in these tables. It copies a message with other indexes and never changes it: that
// message may be part of another snapshot, which is still on its way.
func (t *Tables) Pod(message *setplanv1.Pod, shared Shared) *setplanv1.Pod {
	at := t.indexesOf(shared)
	if at == (indexes{message.GetLabelSetIndex(), message.GetOwnerSetIndex(), message.GetRevisionNameIndex(), message.GetVolumeSetIndex(), message.GetAnnotationSetIndex(), 0}) {
		return message
	}
	message = proto.CloneOf(message)
	message.LabelSetIndex, message.OwnerSetIndex, message.RevisionNameIndex, message.VolumeSetIndex = at.labels, at.owners, at.revision, at.volumes
	message.AnnotationSetIndex = at.annotations
	return message
}

// Claim does the same for a claim.
func (t *Tables) Claim(message *setplanv1.Claim, shared Shared) *setplanv1.Claim {
	at := t.indexesOf(shared)
	if message.GetOwnerSetIndex() == at.owners && message.GetAnnotationSetIndex() == at.annotations && message.GetStorageIndex() == at.storage {
		return message
	}
	message = proto.CloneOf(message)
	message.OwnerSetIndex, message.AnnotationSetIndex, message.StorageIndex = at.owners, at.annotations, at.storage
	return message
}

// Revision returns a revision in the contract's form. It shares labels and data with the revision, and the data is sent as it stands.
func (t *Tables) Revision(revision *appsv1.ControllerRevision) *setplanv1.Revision {
	return &setplanv1.Revision{
		Name:            revision.Name,
		Uid:             string(revision.UID),
		ResourceVersion: revision.ResourceVersion,
		Number:          revision.Revision,
		OwnerSetIndex:   t.ownerSet(ownersText(revision.OwnerReferences)),
		Labels:          revision.Labels,
		CreatedUnixMs:   millis(&revision.CreationTimestamp),
		Data:            revision.Data.Raw,
	}
}

func (t *Tables) indexesOf(of Shared) indexes {
	if of == t.lastShared {
		return t.lastIndexes
	}
	common := of.handle.Value()
	at := indexes{
		labels:   entry(&t.labels, common.labels, &t.out.LabelSets, labelSet),
		owners:   t.ownerSet(common.owners),
		revision: entry(&t.revisions, common.revision, &t.out.RevisionNames, revisionName),
		volumes:  entry(&t.volumes, common.volumes, &t.out.VolumeSets, volumeSet),

		annotations: entry(&t.notes, t.notesOf(common.annotations), &t.out.AnnotationSets, annotationSet),
		storage:     entry(&t.storages, common.storage, &t.out.ClaimStorages, claimStorage),
	}
	t.lastShared, t.lastIndexes = of, at
	return at
}

func (t *Tables) ownerSet(text string) uint32 {
	return entry(&t.owners, text, &t.out.OwnerSets, ownerSet)
}

// entry finds the index of a text, or appends the text's value to the table.
func entry[T any](p *places, text string, table *[]T, value func(string) T) uint32 {
	if text == "" {
		return 0
	}
	at, found := p.of(text)
	switch {
	case found:
	case at == 1:
		*table = append(*table, value(""), value(text))
	default:
		*table = append(*table, value(text))
	}
	return at
}
