package compare

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// taken is how long the user's work has taken.
type taken struct {
	all  time.Duration   // from the first write until every set is complete
	each []time.Duration // from the write of a set until "kubectl rollout status" would return
}

// watcher watches sets as their user would.
type watcher struct {
	sets int

	mu        sync.Mutex
	first     time.Time
	ended     time.Time
	began     map[string]time.Time
	completed map[string]chan struct{}
	rollouts  map[string]time.Duration
	done      map[string]bool
}

func newWatcher(sets int) *watcher {
	return &watcher{sets: sets, first: time.Now(), began: map[string]time.Time{}, completed: map[string]chan struct{}{},
		rollouts: map[string]time.Duration{}, done: map[string]bool{}}
}

// begin is called before a set is written. The channel is closed when the set is complete.
func (w *watcher) begin(name string) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.began[name], w.completed[name] = time.Now(), make(chan struct{})
	return w.completed[name]
}

// waitForAll returns when the newest version of each set is complete.
func (w *watcher) waitForAll(ctx context.Context, watching watch.Interface) error {
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d sets are complete: %w", len(w.done), w.sets, ctx.Err())
		case event, open := <-watching.ResultChan():
			if !open {
				return errors.New("the watch has ended")
			}
			set, ok := event.Object.(*appsv1.StatefulSet)
			if !ok {
				return fmt.Errorf("the watch sent %s %T", event.Type, event.Object)
			}
			if w.see(set, time.Now()) {
				return nil
			}
		}
	}
}

// see handles a version of a set, and reports whether all are complete.
func (w *watcher) see(set *appsv1.StatefulSet, at time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	began, written := w.began[set.Name]
	if !written {
		return false
	}
	if _, known := w.rollouts[set.Name]; !known && rolledOut(set) {
		w.rollouts[set.Name] = at.Sub(began)
	}
	if w.done[set.Name] = testbed.Complete(set); !w.done[set.Name] {
		delete(w.done, set.Name)
	} else if completed := w.completed[set.Name]; completed != nil {
		close(completed)
		w.completed[set.Name] = nil
	}
	w.ended = at
	return len(w.done) == w.sets
}

func (w *watcher) taken() taken {
	w.mu.Lock()
	defer w.mu.Unlock()
	return taken{all: w.ended.Sub(w.first), each: slices.Collect(maps.Values(w.rollouts))}
}
