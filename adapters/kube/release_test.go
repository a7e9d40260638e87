package kube

import (
	"context"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// heldLock is our lease. A cancelled renewal arrives between its first read and its first write.
type heldLock struct {
	resourcelock.Interface
	record resourcelock.LeaderElectionRecord
	writes int
}

func (*heldLock) Identity() string { return "ours" }

func (h *heldLock) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	record := h.record
	return &record, nil, nil
}

func (h *heldLock) Update(_ context.Context, record resourcelock.LeaderElectionRecord) error {
	if h.writes++; h.writes == 1 {
		return apierrors.NewConflict(schema.GroupResource{Resource: "leases"}, "setplan-adapter", nil)
	}
	h.record = record
	return nil
}

// TestReleaseAfterALateRenewal: the lease is still given back, so that the next holder need not wait until it expires.
func TestReleaseAfterALateRenewal(t *testing.T) {
	held := &heldLock{record: resourcelock.LeaderElectionRecord{HolderIdentity: "ours"}}
	if err := (&lease{Interface: held, duration: time.Minute}).release(context.Background()); err != nil || held.record.HolderIdentity != "" {
		t.Errorf("%v; the lease is held by %q", err, held.record.HolderIdentity)
	}
}
