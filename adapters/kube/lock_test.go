package kube

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/setplan/setplan/adapters"
)

// storedLease is a lease as the API server has it.
type storedLease struct {
	resourcelock.Interface
	holder string
	err    error
}

func (*storedLease) Identity() string { return "ours" }

func (s *storedLease) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	return &resourcelock.LeaderElectionRecord{HolderIdentity: s.holder}, nil, s.err
}

func (s *storedLease) Update(_ context.Context, record resourcelock.LeaderElectionRecord) error {
	if s.err == nil {
		s.holder = record.HolderIdentity
	}
	return s.err
}

// TestLock: when the term of a lease ends, whatever the elector does, and that the lease is given back neither before, nor in the name of
// somebody else.
func TestLock(t *testing.T) {
	gone := apierrors.NewNotFound(schema.GroupResource{Resource: "leases"}, "setplan-adapter")
	ours := resourcelock.LeaderElectionRecord{HolderIdentity: "ours"}
	for name, test := range map[string]struct {
		happens func(l *lock, stored *storedLease, before context.CancelFunc)
		lost    bool
	}{
		"it is renewed": {func(l *lock, _ *storedLease, _ context.CancelFunc) {
			time.Sleep(13 * time.Second)
			_ = l.Update(t.Context(), ours)
			time.Sleep(13 * time.Second)
		}, false},
		"it is read": {func(l *lock, _ *storedLease, _ context.CancelFunc) { _, _, _ = l.Get(t.Context()) }, false},
		"it cannot be read": {func(l *lock, s *storedLease, _ context.CancelFunc) {
			s.err = errors.New("no answer")
			_, _, _ = l.Get(t.Context())
		}, false},
		"nobody renews it": {func(*lock, *storedLease, context.CancelFunc) { time.Sleep(14 * time.Second) }, true},
		"it cannot be renewed": {func(l *lock, s *storedLease, _ context.CancelFunc) {
			time.Sleep(13 * time.Second)
			s.err = errors.New("no answer")
			_ = l.Update(t.Context(), ours)
			time.Sleep(time.Second)
		}, true},
		"it is renewed too late": {func(l *lock, _ *storedLease, _ context.CancelFunc) {
			time.Sleep(14 * time.Second)
			if err := l.Update(t.Context(), ours); !errors.Is(err, errNotNow) {
				t.Errorf("it is renewed after the term: %v", err)
			}
		}, true},
		"it names somebody else":     {func(l *lock, s *storedLease, _ context.CancelFunc) { s.holder = "theirs"; _, _, _ = l.Get(t.Context()) }, true},
		"it was deleted":             {func(l *lock, s *storedLease, _ context.CancelFunc) { s.err = gone; _, _, _ = l.Get(t.Context()) }, true},
		"the one before it was lost": {func(_ *lock, _ *storedLease, before context.CancelFunc) { before() }, true},
		"somebody wants to release it": {func(l *lock, _ *storedLease, _ context.CancelFunc) {
			_ = l.Update(t.Context(), resourcelock.LeaderElectionRecord{})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stored := &storedLease{holder: "ours"}
				l := &lock{Interface: stored, duration: 13500 * time.Millisecond, sent: time.Now()}
				before, lose := context.WithCancel(t.Context())
				defer lose()
				err := l.during(adapters.WithTerm(t.Context(), before), t.Context(), func(working context.Context) error {
					test.happens(l, stored, lose)
					synctest.Wait()
					if ended := adapters.TermOf(working).Err() != nil; ended != test.lost || (working.Err() != nil) != test.lost {
						t.Errorf("the term has ended: %t, want %t", ended, test.lost)
					}
					return nil
				})
				if errors.Is(err, ErrLeaseLost) != test.lost {
					t.Errorf("it returned %v", err)
				}
				if stored.holder == "" {
					t.Error("the lease was given back")
				}
				stored.err = nil
				if err := l.Update(t.Context(), resourcelock.LeaderElectionRecord{}); (stored.holder == "") != (err == nil) || (err == nil) == (stored.holder == "theirs") {
					t.Errorf("afterwards it names %q, release: %v", stored.holder, err)
				}
			})
		})
	}
}
