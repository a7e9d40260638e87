package kube

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
)

// BuiltinManager is the field manager of the built-in controller. Other controllers of the same process use it too, so
// the guard looks only at what no other of them does: a set's status, and the creation of its pods.
const BuiltinManager = "kube-controller-manager"

// AnnotationTakenOver on a set holds a time (RFC 3339): whatever another controller wrote up to then is history. With it
// people end a hold without a restart of the adapter, after they have switched the other controller off.
const AnnotationTakenOver = "setplan.io/taken-over-at"

// Guard sees when another controller writes a set that this adapter runs. Two controllers on one set delete each other's
// pods, so the adapter stops acting on it.
//
// A write counts if it is younger than the take-over, to the second, by the API server's clock; what the other controller
// wrote before is the normal history of a set that was taken over. What was seen once is kept: our own next status write
// could wipe the trace. A hold ends when the adapter restarts, when the set is made anew, or by AnnotationTakenOver.
type Guard struct {
	caches   *Caches
	managers []string

	mu    sync.Mutex
	since time.Time // the take-over; zero while the adapter does not act
	seen  map[adapters.Key]sighting
}

// sighting is a write by somebody else.
type sighting struct {
	uid     types.UID
	manager string
	what    string
	at      time.Time
}

// NewGuard watches for writes of the given field managers.
func NewGuard(caches *Caches, managers []string) *Guard {
	return &Guard{caches: caches, managers: managers, seen: map[adapters.Key]sighting{}}
}

// TakeOver sets the time from which on other controllers must not write.
func (g *Guard) TakeOver(at time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.since = at.Truncate(time.Second)
}

// Check returns an error while another controller writes the set.
func (g *Guard) Check(_ context.Context, key adapters.Key) error {
	scope := g.caches.of(key.Namespace)
	if scope == nil {
		return nil
	}
	set, gone := scope.set(key)
	if gone != nil {
		return nil
	}
	g.look(key, set, scope)

	g.mu.Lock()
	defer g.mu.Unlock()
	found, ok := g.seen[key]
	if !ok {
		return nil
	}
	if found.uid != set.GetUID() || !found.at.After(takenOver(set)) {
		delete(g.seen, key)
		return nil
	}
	return fmt.Errorf("%s %s at %s, after this adapter had taken the set over; it does not act on the set until that controller is off and the annotation %s says so, or the adapter is restarted",
		found.manager, found.what, found.at.UTC().Format(time.RFC3339), AnnotationTakenOver)
}

// Saw looks at a version of a set as it comes by; the next version may not show any more who wrote this one.
func (g *Guard) Saw(set *unstructured.Unstructured) {
	g.look(adapters.Key{Namespace: set.GetNamespace(), Name: set.GetName()}, set, nil)
}

// look notes the youngest foreign write that the set, and where a scope is given its pods, show.
func (g *Guard) look(key adapters.Key, set *unstructured.Unstructured, scope *scopeCache) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.since.IsZero() {
		return
	}
	after := g.since
	if accepted := takenOver(set); accepted.After(after) {
		after = accepted
	}
	if known, ok := g.seen[key]; ok && known.uid == set.GetUID() && known.at.After(after) {
		after = known.at
	}
	note := func(manager, what string, at time.Time) {
		if slices.Contains(g.managers, manager) && at.Truncate(time.Second).After(after) {
			g.seen[key] = sighting{uid: set.GetUID(), manager: manager, what: what, at: at}
			after = at
		}
	}
	for _, entry := range statusWriters(set) {
		note(entry.manager, "wrote the status", entry.at)
	}
	if scope == nil {
		return
	}
	objects, err := scope.pods.ByIndex(bySet, inNamespace(key.Namespace, key.Name))
	if err != nil {
		return
	}
	for _, object := range objects {
		if pod, ok := object.(*cachedPod); ok && slices.Contains(g.managers, pod.creator) && controls(set, pod) {
			note(pod.creator, "created pod "+pod.Name, pod.CreationTimestamp.Time)
		}
	}
}

// Forget drops what is known about a set that is gone.
func (g *Guard) Forget(key adapters.Key) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.seen, key)
}

// Watch makes the guard see every version of every set. Call it before the caches start.
func (g *Guard) Watch() error {
	for _, scope := range g.caches.scopes {
		_, err := scope.sets.informer.AddEventHandler(handler(g.caches.kind.Kind, func(object metav1.Object, _ Change) {
			if set, ok := setIn(object); ok {
				g.Saw(set)
			}
		}))
		if err != nil {
			return err
		}
	}
	return nil
}

// statusWriter is an entry of managedFields.
type statusWriter struct {
	manager string
	at      time.Time
}

// statusWriters reads who wrote the status, and when. The decoder of unstructured objects would decode the field sets too,
// for every version of every set.
func statusWriters(set *unstructured.Unstructured) []statusWriter {
	metadata, _ := set.Object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	var writers []statusWriter
	for _, entry := range entries {
		fields, _ := entry.(map[string]any)
		if fields["subresource"] != "status" {
			continue
		}
		manager, _ := fields["manager"].(string)
		text, _ := fields["time"].(string)
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			writers = append(writers, statusWriter{manager: manager, at: at})
		}
	}
	return writers
}

// takenOver is the time in the annotation; what is no time counts as none.
func takenOver(set *unstructured.Unstructured) time.Time {
	at, err := time.Parse(time.RFC3339, set.GetAnnotations()[AnnotationTakenOver])
	if err != nil {
		return time.Time{}
	}
	return at
}
