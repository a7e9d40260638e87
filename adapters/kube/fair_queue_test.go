package kube

import (
	"slices"
	"testing"

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
	fair := newFairQueue()
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
	fair := newFairQueue()
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

// TestEditDuringAPass: an edit that arrives while the set is worked on gives it the next place among the edited; its next pass takes it away.
func TestEditDuringAPass(t *testing.T) {
	fair := newFairQueue()
	q := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[adapters.Key]{Queue: fair})
	key := named("a1")[0]
	q.Add(key)
	working, _ := q.Get()
	fair.begun(working)
	fair.wasEdited(key)
	q.Add(key)
	for _, other := range named("b1", "b2") {
		q.Add(other)
	}
	q.Done(working)
	if next, _ := q.Get(); next != key {
		t.Errorf("next is %s", next)
	}
	fair.begun(key)
	q.Add(key)
	q.Done(key)
	if got, want := order(q), []string{"b1", "a1", "b2"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}
