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

// BuiltinManager is the field manager of the built-in controller. Other controllers of the same process use it, too, so the guard
// looks only at what none of them does: writes of a set's status, and the creation of its pods.
const BuiltinManager = "kube-controller-manager"

// AnnotationTakenOver on a set holds a time (RFC 3339): whatever another controller wrote before the annotation got this value
// counts as history. People set it to end a hold without restarting the adapter, after they have switched off the other controller. Only
// people read the time. The set's versions give the order, so a time in the future means the same.
const AnnotationTakenOver = "setplan.io/taken-over-at"

// Guard notices when another controller writes to a set that this adapter runs. Two controllers on one set delete each other's
// pods, so the adapter stops acting on it.
//
// A write counts if it came after the take-over in the order of resource versions. No clock is used, and a write in the second of
// the take-over counts like any other. Earlier writes are the normal history of a set that was taken over. The changes between two
// versions show who wrote the later one: see writersBetween. A sighting is kept, because our next status write could wipe the
// trace. A hold ends when the adapter restarts, when the set is recreated, or by AnnotationTakenOver.
//
// Another process of this adapter writes under the same name; see ownWrites.
//
// Whoever may create pods in a namespace can create one that names a set as its controller, under any field manager, and so hold
// that set. Sets of other namespaces are not affected.
type Guard struct {
	caches   *Caches
	managers []string
	noticed  func(adapters.Key) // queues the set when a hold begins or ends; set by the adapter

	mu    sync.Mutex
	since *Versions // the versions of the take-over; nil until they are known
	early []sighting
	seen  map[adapters.Key]sighting
	own   map[adapters.Key]*ownWrites
}

// Versions are resource versions of two kinds, at one moment.
type Versions struct{ Sets, Pods string }

// sighting is a write by somebody else.
type sighting struct {
	key     adapters.Key
	uid     types.UID
	manager string
	what    string
	at      string // by the API server's clock, for people

	kind    string
	version string
}

// NewGuard watches for writes of the given field managers.
func NewGuard(caches *Caches, managers []string) *Guard {
	return &Guard{caches: caches, managers: managers, noticed: func(adapters.Key) {},
		seen: map[adapters.Key]sighting{}, own: map[adapters.Key]*ownWrites{}}
}

// TakeOver sets the versions after which other controllers must not write.
func (g *Guard) TakeOver(since Versions) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.since = &since
	for _, s := range g.early {
		g.note(s)
	}
	g.early = nil
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
	g.mu.Lock()
	defer g.mu.Unlock()
	if own := g.own[key]; own != nil && len(own.suspects) > 0 {
		// No write of ours to this set is under way, so all answers have arrived.
		s := own.suspects[0]
		g.note(sighting{key: key, uid: own.uid, manager: Manager, what: "(another process of this adapter) wrote the status",
			at: s.at, kind: g.caches.kind.Kind, version: s.upTo})
		own.suspects = nil
	}
	found, ok := g.seen[key]
	if !ok {
		return nil
	}
	if found.uid != set.GetUID() {
		delete(g.seen, key)
		return nil
	}
	return fmt.Errorf("%s %s at %s, after this adapter took over the set; the adapter leaves the set alone until that controller is off and the annotation %s is set, or until the adapter is restarted",
		found.manager, found.what, found.at, AnnotationTakenOver)
}

// note keeps a sighting, unless it is history.
func (g *Guard) note(s sighting) {
	switch {
	case g.since == nil:
		g.early = append(g.early, s)
	case !g.history(s.kind, s.version):
		g.seen[s.key] = s
		g.noticed(s.key)
	}
}

// history reports whether a version is no newer than the take-over.
func (g *Guard) history(kind, version string) bool {
	since := g.since.Sets
	if kind == kindPod {
		since = g.since.Pods
	}
	return atLeast(since, version)
}

// setChanged notes who wrote a new version of a set. The version before may be nil.
func (g *Guard) setChanged(old, set *unstructured.Unstructured) {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := adapters.Key{Namespace: set.GetNamespace(), Name: set.GetName()}
	if old != nil && old.GetUID() != set.GetUID() {
		g.release(key)
		old = nil
	}
	if old != nil && old.GetAnnotations()[AnnotationTakenOver] != set.GetAnnotations()[AnnotationTakenOver] && takenOver(set) {
		g.release(key)
		g.noticed(key) // the pass that this version asked for may have come too early
		return
	}
	for _, writer := range writersBetween(old, set) {
		switch {
		case slices.Contains(g.managers, writer.manager):
			g.note(sighting{key: key, uid: set.GetUID(), manager: writer.manager, what: "wrote the status", at: writer.at,
				kind: g.caches.kind.Kind, version: set.GetResourceVersion()})
		case writer.manager == Manager && old != nil && g.since != nil && !g.history(g.caches.kind.Kind, old.GetResourceVersion()):
			g.ownOf(key, set.GetUID()).shown(old.GetResourceVersion(), set.GetResourceVersion(), writer.at)
		}
	}
}

// podAdded notes a new pod of a set that another controller created.
func (g *Guard) podAdded(pod *cachedPod) {
	if !slices.Contains(g.managers, pod.creator) {
		return
	}
	owner, scope := metav1.GetControllerOfNoCopy(pod), g.caches.of(pod.Namespace)
	if owner == nil || scope == nil {
		return
	}
	key := adapters.Key{Namespace: pod.Namespace, Name: owner.Name}
	set, err := scope.set(key)
	if err != nil || !controls(set, pod) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.note(sighting{key: key, uid: set.GetUID(), manager: pod.creator, what: "created pod " + pod.Name,
		at: pod.CreationTimestamp.UTC().Format(time.RFC3339), kind: kindPod, version: pod.ResourceVersion})
}

// release drops the sightings of a set, but keeps which versions are ours: they are still needed.
func (g *Guard) release(key adapters.Key) {
	delete(g.seen, key)
	g.early = slices.DeleteFunc(g.early, func(s sighting) bool { return s.key == key })
	if own := g.own[key]; own != nil {
		own.suspects = nil
	}
}

// forget drops what is known about a set.
func (g *Guard) forget(key adapters.Key) {
	g.release(key)
	delete(g.own, key)
}

// takenOver reports whether the annotation holds a time.
func takenOver(set *unstructured.Unstructured) bool {
	_, err := time.Parse(time.RFC3339, set.GetAnnotations()[AnnotationTakenOver])
	return err == nil
}
