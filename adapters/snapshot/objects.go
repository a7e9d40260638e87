package snapshot

import (
	"errors"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Objects are what a snapshot is made from. The lists may hold objects of other sets and namespaces, in any order, but no nil.
type Objects struct {
	Set       *Set // required
	Pods      []*corev1.Pod
	Claims    []*corev1.PersistentVolumeClaim
	Revisions []*appsv1.ControllerRevision
	// Others are the other sets, which may use the same claim names. The set itself may be among them.
	Others []*Set
	// IsFixed reports whether a storage class lets no volume grow; nil: nobody may read classes.
	IsFixed func(class string) bool
}

// Of makes the snapshot of a set, without the caller's part: outcomes and policy. It shares maps with the objects.
func Of(objects *Objects, coverage *setplanv1.Coverage, observedAt time.Time) (*setplanv1.Snapshot, error) {
	if objects.Set == nil {
		return nil, errors.New("a snapshot needs a set")
	}
	set, err := objects.Set.Message()
	if err != nil {
		return nil, err
	}
	tables := NewTables()
	out := &setplanv1.Snapshot{
		ObservedAt:      timestamppb.New(observedAt),
		Coverage:        coverage,
		Set:             set,
		ClaimNeighbours: objects.Neighbours(),
		Tables:          tables.Message(),
	}
	for _, pod := range objects.pods() {
		out.Pods = append(out.Pods, tables.Pod(Pod(pod)))
	}
	for _, claim := range objects.claims() {
		out.Claims = append(out.Claims, tables.Claim(Claim(claim)))
	}
	out.FixedStorageClasses = tables.FixedClasses(objects.IsFixed)
	for _, revision := range objects.revisions() {
		out.Revisions = append(out.Revisions, tables.Revision(revision))
	}
	return out, nil
}
