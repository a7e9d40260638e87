package kube

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// errLapsed means that a lease is not renewed because its term has ended, and others may have begun.
var errLapsed = errors.New("the term has ended")

// lease is the lock of client-go's elector with two additions: only a process that may and can work takes it, and it has a term.
type lease struct {
	resourcelock.Interface
	duration time.Duration
	// mayTake is asked before the lease is taken.
	mayTake func(context.Context) error
	// rivals says who works under another lease on the same sets. It is asked before the lease is taken and again after, so that if
	// two take theirs at once, at least one sees the other.
	rivals func(context.Context) error
	// refused is called with the error of either.
	refused func(error)

	mu   sync.Mutex
	term *term // nil while the lease is not ours
}

// Create implements resourcelock.Interface.
func (l *lease) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.take(ctx, func() error { return l.Interface.Create(ctx, record) })
}

// Update implements resourcelock.Interface: it takes or renews the lease.
func (l *lease) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	update := func() error { return l.Interface.Update(ctx, record) }
	term := l.current()
	if term == nil {
		return l.take(ctx, update)
	}
	if term.Err() != nil {
		return errLapsed
	}
	begun := time.Now()
	if err := update(); err != nil {
		return err
	}
	term.renew(begun)
	return nil
}

// Get implements resourcelock.Interface. If our lease names somebody else or nobody, the term ends at once: somebody gave it away
// without asking us.
func (l *lease) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	record, raw, err := l.Interface.Get(ctx)
	if term := l.current(); term != nil && (apierrors.IsNotFound(err) || err == nil && record.HolderIdentity != l.Identity()) {
		term.end()
	}
	return record, raw, err
}

func (l *lease) current() *term {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.term
}

func (l *lease) take(ctx context.Context, write func() error) error {
	for _, ask := range []func(context.Context) error{l.mayTake, l.rivals} {
		if err := ask(ctx); err != nil {
			l.refused(err)
			return err
		}
	}
	begun := time.Now()
	if err := write(); err != nil {
		return err
	}
	if err := l.rivals(ctx); err != nil {
		l.refused(err)
		return errors.Join(err, l.release(ctx))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.term = newTerm(context.Background(), l.duration, begun)
	return nil
}

// release gives the lease back. The caller has made sure that nothing is under way, except perhaps a cancelled renewal that may
// still arrive. That one can cause a single conflict, and nothing afterwards.
func (l *lease) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.duration/3)
	defer cancel()
	for {
		if err := l.giveBack(ctx); !apierrors.IsConflict(err) || ctx.Err() != nil {
			return err
		}
	}
}

func (l *lease) giveBack(ctx context.Context) error {
	record, _, err := l.Interface.Get(ctx)
	if err != nil {
		return fmt.Errorf("giving the lease back: %w", err)
	}
	if record.HolderIdentity != l.Identity() {
		return nil
	}
	now := metav1.Now()
	err = l.Interface.Update(ctx, resourcelock.LeaderElectionRecord{
		LeaderTransitions: record.LeaderTransitions, LeaseDurationSeconds: 1, RenewTime: now, AcquireTime: now,
	})
	if err != nil {
		return fmt.Errorf("giving the lease back: %w", err)
	}
	return nil
}
