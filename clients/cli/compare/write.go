package compare

import (
	"strconv"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// write is what somebody has done to an object of a set.
type write struct {
	key
	uid string
	// undo takes it out of a later snapshot. The snapshot is the caller's to change.
	undo func(*setplanv1.Snapshot)

	why string // ours did not want it when it was first asked
}

// object is a pod, a claim or a revision.
type object interface {
	comparable
	GetName() string
	GetUid() string
}

// change is one object in two snapshots. Zero: it is not in that one.
type change[T object] struct{ was, is T }

// changes pairs the objects of two snapshots by their uids. What is gone comes first: another object may have the name since.
func changes[T object](old, now []T) []change[T] {
	has := make(map[string]T, len(now))
	for _, is := range now {
		has[is.GetUid()] = is
	}
	var out []change[T]
	had := make(map[string]T, len(old))
	for _, was := range old {
		had[was.GetUid()] = was
		var zero T
		if has[was.GetUid()] == zero {
			out = append(out, change[T]{was: was})
		}
	}
	for _, is := range now {
		if was := had[is.GetUid()]; was != is {
			out = append(out, change[T]{was, is})
		}
	}
	return out
}

// between lists what was done to a set's objects from one snapshot to a later one, in an order in which it may have been done.
func between(old, now *setplanv1.Snapshot, last func(uid string) Trace) []*write {
	d := &difference{old: old, now: now, last: last}
	for _, c := range changes(old.GetRevisions(), now.GetRevisions()) {
		d.revision(c.was, c.is)
	}
	for _, c := range changes(old.GetClaims(), now.GetClaims()) {
		d.claim(c.was, c.is)
	}
	for _, c := range changes(old.GetPods(), now.GetPods()) {
		d.pod(c.was, c.is)
	}
	return d.writes
}

type difference struct {
	old, now *setplanv1.Snapshot
	last     func(uid string) Trace
	writes   []*write
}

func (d *difference) add(operation string, of interface {
	GetName() string
	GetUid() string
}, detail string, undo func(*setplanv1.Snapshot)) {
	d.writes = append(d.writes, &write{key: key{operation, of.GetName(), detail}, uid: of.GetUid(), undo: undo})
}

func (d *difference) pod(was, is *setplanv1.Pod) {
	had, has := was != nil && d.controls(d.old, was.GetOwnerSetIndex()), is != nil && d.controls(d.now, is.GetOwnerSetIndex())
	switch {
	case was == nil:
		if !has {
			return
		}
		d.add(createPod, is, revisionIn(d.now, is), func(s *setplanv1.Snapshot) { s.Pods = without(s.Pods, is) })
		if is.GetDeletionUnixMs() == 0 {
			return
		}
		alive := proto.CloneOf(is)
		alive.DeletionUnixMs = 0
		d.add(deletePod, is, is.GetUid(), func(s *setplanv1.Snapshot) { s.Pods = putBack(s.Pods, podIn(s, alive, d.now.GetTables())) })
		return
	case was.GetDeletionUnixMs() != 0: // it only goes
		return
	case had && (is == nil || is.GetDeletionUnixMs() != 0):
		pod := d.last(was.GetUid()).before(was)
		d.add(deletePod, was, was.GetUid(), func(s *setplanv1.Snapshot) { s.Pods = putBack(s.Pods, podIn(s, pod, d.old.GetTables())) })
	case is == nil:
	case had && !has:
		d.add("release_pod", is, "", d.podBack(was))
	case !had && has:
		d.add("adopt_pod", is, "", d.podBack(was))
	case has && d.inPlace(was, is):
	case has && (!was.GetPodNameLabel() && is.GetPodNameLabel() || !was.GetPodIndexLabel() && is.GetPodIndexLabel()):
		d.add("patch_pod", is, "", d.podBack(was))
	}
}

// podBack undoes whatever was done to a pod.
func (d *difference) podBack(was *setplanv1.Pod) func(*setplanv1.Snapshot) {
	return func(s *setplanv1.Snapshot) { s.Pods = putBack(s.Pods, podIn(s, was, d.old.GetTables())) }
}

func (d *difference) revision(was, is *setplanv1.Revision) {
	had, has := was != nil && d.controls(d.old, was.GetOwnerSetIndex()), is != nil && d.controls(d.now, is.GetOwnerSetIndex())
	back := func(s *setplanv1.Snapshot) {
		s.Revisions = putBack(s.Revisions, revisionBack(s, was, d.old.GetTables()))
	}
	switch {
	case was == nil && has:
		d.add("create_revision", is, "", func(s *setplanv1.Snapshot) { s.Revisions = without(s.Revisions, is) })
	case had && is == nil:
		d.add("delete_revision", was, "", back)
	case was != nil && !had && has:
		d.add("adopt_revision", is, "", back)
	case had && has && was.GetNumber() != is.GetNumber():
		d.add("renumber_revision", is, strconv.FormatInt(is.GetNumber(), 10), back)
	}
}

// controls reports whether the set is the controller of an object with these owners.
func (d *difference) controls(s *setplanv1.Snapshot, owners uint32) bool {
	for _, owner := range ownersIn(s, owners) {
		if owner.GetController() && owner.GetUid() == s.GetSet().GetUid() {
			return true
		}
	}
	return false
}
