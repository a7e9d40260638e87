// Package world holds what the command line has read from a cluster or a file: the objects that a snapshot is made from, and what
// explains their state.
package world

import (
	"fmt"
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
)

// World holds what was read.
type World struct {
	kube.Objects
	// Kind is that of the sets.
	Kind kube.SetKind
	// Events are the events of the namespaces that were read; from a cluster only the warnings, and what tells that they are over.
	Events []corev1.Event
	// Nodes by name. A nil node does not exist; a missing one was not read.
	Nodes map[string]*corev1.Node
	// Classes says whether storage classes exist; a missing one was not read.
	Classes map[string]bool
	// Leases of adapters by name. A nil lease does not exist; a missing one could not be read.
	Leases map[string]*coordinationv1.Lease
	// Notes are sentences about what was left out.
	Notes []string

	warned map[string]bool // namespaces whose warnings were read
	api    *kube.API       // that it was read from; nil of a file
}

func empty(kind kube.SetKind) *World {
	return &World{Kind: kind, Nodes: map[string]*corev1.Node{}, Classes: map[string]bool{}, Leases: map[string]*coordinationv1.Lease{},
		warned: map[string]bool{}}
}

func (w *World) note(format string, args ...any) {
	w.Notes = append(w.Notes, fmt.Sprintf(format, args...))
}

// Keys lists the sets of a namespace in order; an empty namespace means all.
func (w *World) Keys(namespace string) []adapters.Key {
	var keys []adapters.Key
	for _, set := range w.Sets.Items {
		if namespace == "" || set.GetNamespace() == namespace {
			keys = append(keys, adapters.Key{Namespace: set.GetNamespace(), Name: set.GetName()})
		}
	}
	slices.SortFunc(keys, func(a, b adapters.Key) int { return strings.Compare(a.String(), b.String()) })
	return keys
}

// Set returns a set, or nil.
func (w *World) Set(key adapters.Key) *unstructured.Unstructured { return find(w.Sets.Items, key) }

// Replace puts a set in the place of the one that was read.
func (w *World) Replace(key adapters.Key, set *unstructured.Unstructured) {
	for i, item := range w.Sets.Items {
		if item.GetName() == key.Name && item.GetNamespace() == key.Namespace {
			w.Sets.Items[i] = set
		}
	}
}

// Pod returns a pod, or nil.
func (w *World) Pod(key adapters.Key) *corev1.Pod { return find(w.Pods.Items, key) }

// Claim returns a claim, or nil.
func (w *World) Claim(key adapters.Key) *corev1.PersistentVolumeClaim {
	return find(w.Claims.Items, key)
}

// find returns the zero value if there is no such object, which is nil for all kinds here.
func find[T metav1.Object](items []T, key adapters.Key) (found T) {
	for _, item := range items {
		if item.GetName() == key.Name && item.GetNamespace() == key.Namespace {
			return item
		}
	}
	return found
}

// Source makes snapshots of what was read, as of a time.
func (w *World) Source(at time.Time) (*kube.Source, error) {
	return kube.NewObjectSource(w.Kind, &w.Objects, w.api, func() time.Time { return at })
}

// EventsOf returns the events about an object, newest first, without those about an earlier object of the same name: they name its uid,
// or are older than this one.
func (w *World) EventsOf(kind string, object metav1.Object) []corev1.Event {
	var events []corev1.Event
	for _, event := range w.Events {
		about := event.InvolvedObject
		if about.Kind == kind && about.Name == object.GetName() && about.Namespace == object.GetNamespace() &&
			(about.UID == "" || about.UID == object.GetUID()) && !LastSeen(&event).Before(object.GetCreationTimestamp().Time) {
			events = append(events, event)
		}
	}
	slices.SortStableFunc(events, func(a, b corev1.Event) int { return LastSeen(&b).Compare(LastSeen(&a)) })
	return events
}

// LastSeen returns when an event last happened. Old and new recorders write that into different fields.
func LastSeen(event *corev1.Event) time.Time {
	last := event.LastTimestamp.Time
	if event.Series != nil && event.Series.LastObservedTime.After(last) {
		last = event.Series.LastObservedTime.Time
	}
	if last.IsZero() {
		last = event.EventTime.Time
	}
	if last.IsZero() {
		last = event.CreationTimestamp.Time
	}
	return last
}
