// Package simtest shows the sim adapter to the conformance suite.
package simtest

import (
	"encoding/json"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/sim"
)

// Harness is a world with one adapter. It implements conformance.Harness.
type Harness struct {
	t       *testing.T
	world   *sim.World
	adapter *sim.Adapter
}

// New makes an empty world.
func New(t *testing.T) *Harness {
	world := sim.NewWorld()
	return &Harness{t: t, world: world, adapter: sim.NewAdapter(world, "a")}
}

// Source implements conformance.Harness; so do all methods below.
func (h *Harness) Source() adapters.Source     { return h.adapter }
func (h *Harness) Executor() adapters.Executor { return h.adapter }
func (h *Harness) Namespace() string           { return sim.Namespace }
func (h *Harness) WaitSynced()                 {} // these caches are never behind unless told to be

func (h *Harness) Create(manifest []byte) []byte {
	h.t.Helper()
	object, err := sim.ParseObject(manifest)
	if err == nil {
		object, err = h.world.Create("user", object)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return h.json(object)
}

func (h *Harness) Get(kind, name string) []byte {
	object := h.world.State().Get(kind, name)
	if object == nil {
		return nil
	}
	return h.json(object)
}

func (h *Harness) Delete(kind, name string) {
	h.t.Helper()
	need.NoError(h.t, h.world.Remove("user", kind, name))
}

func (h *Harness) PatchStatus(kind, name string, patch []byte) {
	h.t.Helper()
	_, err := h.world.Update("user", kind, name, sim.Preconditions{}, func(o sim.Object) {
		var status any
		switch o := o.(type) {
		case *sim.Set:
			o.Status = appsv1.StatefulSetStatus{}
			status = &o.Status
		case *corev1.Pod:
			status = &o.Status
		}
		need.NoError(h.t, json.Unmarshal(patch, status))
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *Harness) json(object sim.Object) []byte {
	h.t.Helper()
	data := need.Value(json.Marshal(object))(h.t)
	return data
}
