package sim

import (
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// State is what exists at one moment: the truth, or what a cache shows.
type State struct {
	objects map[string]map[string]Object // kind, name
	small   map[string]bool              // the pods whose nodes have less in all than was asked for
}

// TooSmall reports whether the API server refuses a pod more, for its node.
func (s State) TooSmall(pod string) bool { return s.small[pod] }

func NewState() State {
	return State{small: map[string]bool{}, objects: map[string]map[string]Object{
		KindSet: {}, KindPod: {}, KindClaim: {}, KindRevision: {}, KindBudget: {},
	}}
}

// copy shares the objects, which never change, and nothing else.
func (s State) copy() State {
	copied := NewState()
	maps.Copy(copied.small, s.small)
	for kind, objects := range s.objects {
		maps.Copy(copied.objects[kind], objects)
	}
	return copied
}

// Apply brings an event into the state.
func (s State) Apply(event Event) {
	if event.New == nil {
		delete(s.objects[event.Kind], event.Name)
		return
	}
	s.objects[event.Kind][event.Name] = event.New
}

// Get returns an object, or nil.
func (s State) Get(kind, name string) Object { return s.objects[kind][name] }

// Names lists the objects of a kind, sorted.
func (s State) Names(kind string) []string { return slices.Sorted(maps.Keys(s.objects[kind])) }

// Set returns a set, or nil.
func (s State) Set(name string) *Set {
	set, _ := s.objects[KindSet][name].(*Set)
	return set
}

// Pod returns a pod, or nil.
func (s State) Pod(name string) *corev1.Pod {
	pod, _ := s.objects[KindPod][name].(*corev1.Pod)
	return pod
}

// Claim returns a claim, or nil.
func (s State) Claim(name string) *corev1.PersistentVolumeClaim {
	claim, _ := s.objects[KindClaim][name].(*corev1.PersistentVolumeClaim)
	return claim
}

// Revision returns a revision, or nil.
func (s State) Revision(name string) *appsv1.ControllerRevision {
	revision, _ := s.objects[KindRevision][name].(*appsv1.ControllerRevision)
	return revision
}

// all lists every object, by kind and name.
func (s State) all() []Object {
	var objects []Object
	for _, kind := range []string{KindSet, KindPod, KindClaim, KindRevision} {
		for _, name := range s.Names(kind) {
			objects = append(objects, s.objects[kind][name])
		}
	}
	return objects
}
