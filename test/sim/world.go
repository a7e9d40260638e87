package sim

import (
	"fmt"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Namespace is where everything in a world lives.
const Namespace = "default"

// Epoch is when every world begins.
var Epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// World is a cluster.
type World struct {
	state    State
	history  []Event
	logs     map[string][]Event // the history by kind: a watch each
	now      time.Time
	version  int64
	uids     int
	onWrite  []func(before State, event Event)
	adapters []*Adapter
	evicting bool
	resizing bool              // the write is to the subresource of resources
	refuses  map[string]string // by pod: why its node does not give it other resources
	held     map[string]bool   // pods that the kubelet leaves as they are
	quorums  map[string]bool   // sets whose pods are ready only while a majority runs

	oldKubelet bool // it does not say which generation of a pod it has seen
}

// Event is one finished write, as a watch would show it, with who did it.
type Event struct {
	Version  int64
	Time     time.Time
	Actor    string // "kubelet", "gc", "user", or the name of an adapter
	Verb     string // create, update, delete (terminating from now on), remove (gone)
	Kind     string
	Name     string
	Evicted  bool   // of a pod: by the eviction subresource
	Old, New Object // nil before a create, and after a remove
}

// NewWorld makes an empty cluster.
func NewWorld() *World {
	return &World{state: NewState(), logs: map[string][]Event{}, now: Epoch, version: 100, held: map[string]bool{}, quorums: map[string]bool{}, refuses: map[string]string{}}
}

// Now is the time in the world.
func (w *World) Now() time.Time { return w.now }

// Advance lets time pass, or takes the cluster's clock back; nothing else happens.
func (w *World) Advance(d time.Duration) { w.now = w.now.Add(d) }

// State is the truth at this moment. It must not be kept across writes.
func (w *World) State() State { return w.state }

// History is every write so far.
func (w *World) History() []Event { return w.history }

// OnWrite has a function called after every write, with what was true before it.
func (w *World) OnWrite(f func(before State, event Event)) { w.onWrite = append(w.onWrite, f) }

// Hold keeps the kubelet from touching a pod: it neither starts, nor becomes ready, nor goes away.
func (w *World) Hold(pod string, held bool) { w.held[pod] = held }

// ReleaseAll undoes every Hold.
func (w *World) ReleaseAll() { clear(w.held) }

// commit makes a write true.
func (w *World) commit(actor, verb string, old, updated Object) {
	w.version++
	subject := updated
	if subject == nil {
		subject = old
	} else {
		updated.SetResourceVersion(strconv.FormatInt(w.version, 10))
	}
	event := Event{Version: w.version, Time: w.now, Actor: actor, Verb: verb, Kind: kindOf(subject),
		Name: subject.GetName(), Old: old, New: updated, Evicted: w.evicting}
	before := w.state
	if len(w.onWrite) > 0 {
		before = w.state.copy()
	}
	w.state.Apply(event)
	w.history = append(w.history, event)
	w.logs[event.Kind] = append(w.logs[event.Kind], event)
	for _, f := range w.onWrite {
		f(before, event)
	}
	for _, adapter := range w.adapters {
		if adapter.name == actor {
			adapter.view.learn(event) // its own writes it knows without a cache
		}
	}
}

// nextUID numbers the objects of the world.
func (w *World) nextUID() types.UID {
	w.uids++
	return types.UID(fmt.Sprintf("uid-%d", w.uids))
}

// stamp is the world's time in the API's form.
func (w *World) stamp() metav1.Time { return metav1.NewTime(w.now) }
