package kube

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/util/workqueue"

	"github.com/setplan/setplan/adapters"
)

func named(names ...string) []adapters.Key {
	keys := make([]adapters.Key, len(names))
	for i, name := range names {
		keys[i] = adapters.Key{Namespace: name[:1], Name: name}
	}
	return keys
}

// order empties the queue.
func order(q workqueue.TypedInterface[adapters.Key]) (got []string) {
	for q.Len() > 0 {
		key, _ := q.Get()
		got = append(got, key.Name)
		q.Done(key)
	}
	return got
}

// TestEditedSetsComeFirst: after a start every set waits for a look; one that somebody edits does not wait for them, even if it waits already.
func TestEditedSetsComeFirst(t *testing.T) {
	fair := newFairQueue(100)
	q := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[adapters.Key]{Queue: fair})
	for _, key := range named("a1", "a2", "a3", "b1", "b2") {
		q.Add(key)
	}
	for _, key := range named("a3", "b9") { // one waits already, the other is new
		fair.wasEdited(key)
		q.Add(key)
	}
	if q.Len() != 6 {
		t.Errorf("%d sets wait", q.Len())
	}
	if got, want := order(q), []string{"a3", "b9", "a1", "b1", "a2", "b2"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

// TestEditsDoNotStopOthers: after a few edited sets it is the turn of one that only goes on.
func TestEditsDoNotStopOthers(t *testing.T) {
	fair := newFairQueue(100)
	q := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[adapters.Key]{Queue: fair})
	q.Add(named("z1")[0])
	for _, key := range named("a1", "a2", "a3", "a4", "a5", "a6") {
		fair.wasEdited(key)
		q.Add(key)
	}
	if got, want := order(q), []string{"a1", "a2", "a3", "a4", "z1", "a5", "a6"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

// TestEditDuringAPass: an edit that arrives while the set is worked on gives it the next place among the edited; then that is used up.
func TestEditDuringAPass(t *testing.T) {
	fair := newFairQueue(100)
	q := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[adapters.Key]{Queue: fair})
	key := named("a1")[0]
	q.Add(key)
	working, _ := q.Get()
	fair.wasEdited(key)
	q.Add(key)
	for _, other := range named("b1", "b2") {
		q.Add(other)
	}
	q.Done(working)
	if next, _ := q.Get(); next != key {
		t.Errorf("next is %s", next)
	}
	q.Add(key)
	q.Done(key)
	if got, want := order(q), []string{"b1", "a1", "b2"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

// TestNamespacesTakeTurns: whatever the order in which sets came.
func TestNamespacesTakeTurns(t *testing.T) {
	for given, want := range map[string]string{
		"a1 a2 a3":                "a1 a2 a3",
		"a1 a2 a3 b1 b2":          "a1 b1 a2 b2 a3",
		"a1 a2 a3 a4 a5 a6 b7 c8": "a1 b7 c8 a2 a3 a4 a5 a6",
		"a1 a2 a3 a4 b1 b2 c1":    "a1 b1 c1 a2 b2 a3 a4",
	} {
		fair := newFairQueue(100)
		for _, key := range named(strings.Fields(given)...) {
			fair.Push(key)
		}
		var got []string
		for fair.Len() > 0 {
			key := fair.Pop()
			got = append(got, key.Name)
			fair.done(key)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, want %s", given, got, want)
		}
		if left := fmt.Sprint(fair.edited, fair.others, fair.working); left != "{[] map[] 0} {[] map[] 0} map[]" {
			t.Errorf("left: %s", left)
		}
	}
}

// TestNoNamespaceHasAllWorkers: a set of another one finds a worker at once, and no set is forgotten that had to wait for its namespace's.
func TestNoNamespaceHasAllWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fair := newFairQueue(2)
		q := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[adapters.Key]{Queue: fair})
		var mu sync.Mutex
		began := map[adapters.Key]time.Duration{}
		start := time.Now()
		for range 3 {
			go func() {
				for key, end := q.Get(); !end; key, end = q.Get() {
					mu.Lock()
					began[key] = time.Since(start)
					mu.Unlock()
					time.Sleep(time.Second)
					fair.done(key)
					q.Done(key)
				}
			}()
		}
		for _, key := range named("a1", "a2", "a3", "a4", "a5") {
			q.Add(key)
		}
		synctest.Wait()
		fair.wasEdited(named("a5")[0])
		q.Add(named("a5")[0])
		time.Sleep(500 * time.Millisecond)
		q.Add(named("b1")[0])
		time.Sleep(time.Minute)
		synctest.Wait()
		want := map[string]time.Duration{"a1": 0, "a2": 0, "b1": 500 * time.Millisecond, "a5": time.Second, "a3": time.Second, "a4": 2 * time.Second}
		for _, key := range named("a1", "a2", "a3", "a4", "a5", "b1") {
			if at, has := began[key]; !has || at != want[key.Name] {
				t.Errorf("%s begins after %s (%t), want %s", key, at, has, want[key.Name])
			}
		}
		q.ShutDown()
	})
}
