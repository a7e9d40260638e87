package compare

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// undone is a snapshot without some writes, given in the order in which they were done.
func undone(now *setplanv1.Snapshot, writes []*write) *setplanv1.Snapshot {
	before := proto.CloneOf(now)
	if before.Tables == nil {
		before.Tables = &setplanv1.Tables{}
	}
	for _, w := range slices.Backward(writes) {
		w.undo(before)
	}
	return before
}

// putBack puts an object as it was in the place of what has its name now.
func putBack[T object](list []T, was T) []T {
	for i, is := range list {
		if is.GetName() == was.GetName() {
			list[i] = was
			return list
		}
	}
	return append(list, was)
}

// without leaves an object out.
func without[T object](list []T, made T) []T {
	return slices.DeleteFunc(list, func(is T) bool { return is.GetUid() == made.GetUid() })
}

// podIn is a pod of another snapshot, with its indexes in the tables of this one.
func podIn(s *setplanv1.Snapshot, pod *setplanv1.Pod, from *setplanv1.Tables) *setplanv1.Pod {
	pod, to := proto.CloneOf(pod), s.GetTables()
	pod.LabelSetIndex = moved(&to.LabelSets, from.GetLabelSets(), pod.GetLabelSetIndex(), &setplanv1.LabelSet{})
	pod.OwnerSetIndex = moved(&to.OwnerSets, from.GetOwnerSets(), pod.GetOwnerSetIndex(), &setplanv1.OwnerSet{})
	pod.RevisionNameIndex = moved(&to.RevisionNames, from.GetRevisionNames(), pod.GetRevisionNameIndex(), "")
	pod.VolumeSetIndex = moved(&to.VolumeSets, from.GetVolumeSets(), pod.GetVolumeSetIndex(), &setplanv1.VolumeSet{})
	pod.AnnotationSetIndex = moved(&to.AnnotationSets, from.GetAnnotationSets(), pod.GetAnnotationSetIndex(), &setplanv1.AnnotationSet{})
	return pod
}

func revisionBack(s *setplanv1.Snapshot, revision *setplanv1.Revision, from *setplanv1.Tables) *setplanv1.Revision {
	revision, to := proto.CloneOf(revision), s.GetTables()
	revision.OwnerSetIndex = moved(&to.OwnerSets, from.GetOwnerSets(), revision.GetOwnerSetIndex(), &setplanv1.OwnerSet{})
	return revision
}

// moved appends an entry of one table to another, whose first entry is none, and returns its index there.
func moved[T any](to *[]T, from []T, index uint32, none T) uint32 {
	if index == 0 || int(index) >= len(from) {
		return 0
	}
	return added(to, from[index], none)
}

// added appends an entry to a table, whose first entry is none, and returns its index.
func added[T any](to *[]T, entry, none T) uint32 {
	if len(*to) == 0 {
		*to = append(*to, none)
	}
	*to = append(*to, entry)
	return uint32(len(*to) - 1)
}

func ownersIn(s *setplanv1.Snapshot, index uint32) []*setplanv1.OwnerReference {
	if sets := s.GetTables().GetOwnerSets(); int(index) < len(sets) {
		return sets[index].GetOwners()
	}
	return nil
}

func revisionIn(s *setplanv1.Snapshot, pod *setplanv1.Pod) string {
	if names := s.GetTables().GetRevisionNames(); int(pod.GetRevisionNameIndex()) < len(names) {
		return names[pod.GetRevisionNameIndex()]
	}
	return ""
}

// notesIn are the annotations behind an index.
func notesIn(s *setplanv1.Snapshot, index uint32) map[string]string {
	if sets := s.GetTables().GetAnnotationSets(); int(index) < len(sets) {
		return sets[index].GetAnnotations()
	}
	return nil
}

// changedIn changes what has a name in a list.
func changedIn[T object](list []T, name string, change func(T)) {
	for _, is := range list {
		if is.GetName() == name {
			change(is)
		}
	}
}

// notesBack gives the annotations behind an index, with some keys as others have them, another index.
func notesBack(s *setplanv1.Snapshot, index uint32, was map[string]string, keys ...string) uint32 {
	notes := maps.Clone(notesIn(s, index))
	if notes == nil {
		notes = map[string]string{}
	}
	for _, key := range keys {
		delete(notes, key)
		if value, had := was[key]; had {
			notes[key] = value
		}
	}
	return added(&s.Tables.AnnotationSets, &setplanv1.AnnotationSet{Annotations: notes}, &setplanv1.AnnotationSet{})
}
