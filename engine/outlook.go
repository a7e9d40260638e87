package engine

import (
	"time"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// What whoever looks ahead has to know of a set in the engine's own terms; package forecast does.

// Wanted lists the names of the pods that the set shall have, by ordinal. It is empty for a set that is being deleted, for one whose spec cannot
// be read, and once stop reports true.
func Wanted(s *model.Snapshot, stop func() bool) (names []string) {
	var v view
	out := state.NewDraft(s, plan.NewCaller(stop))
	v.Begin(s, out.Caller)
	if v.Deleting() || !readSet(&v, &out) {
		return nil
	}
	for slot := range v.Size {
		names = append(names, v.Set.PodName(v.Ordinal(slot)))
	}
	return names
}

// Availability is the rule by which the set's pods count as available, at the snapshot's time.
func Availability(s *model.Snapshot, stop func() bool) state.Availability {
	var v state.View
	out := state.NewDraft(s, plan.NewCaller(stop))
	v.Begin(s, out.Caller)
	if s.Policy.WholeSet() {
		state.ReadOwnFields(&v, &out)
	}
	state.ReadAvailability(&v)
	return v.Availability
}

// ClaimTemplateNames lists the names of the claim templates that the set may have: its own, and those that it or a revision adds. The list is cut
// once stop reports true.
func ClaimTemplateNames(s *model.Snapshot, stop func() bool) (names []string) {
	for _, template := range s.Set.ClaimTemplates {
		name, _ := jsontree.Lookup(template, "metadata", "name") // the pass says what is wrong with one that cannot be read
		names = append(names, name.Text)
	}
	said := []byte(s.Set.Annotations[policy.ClaimTemplates])
	if document := s.Documents[policy.ClaimTemplates]; document.JSON != nil {
		said = document.JSON
	}
	add := func(list jsontree.Value, _ error) {
		for _, m := range list.Members() {
			names = append(names, m.Key)
		}
	}
	add(jsontree.Lookup(said))
	for i := range s.Revisions {
		if data := s.Revisions[i].Data; claimtemplate.SaysOfClaims(data) && !stop() {
			add(jsontree.Lookup(data, policy.ClaimTemplates))
		}
	}
	return names
}

// Settled is what a claim has once its provider and its node have done what it asks for; ok is false if nothing is on its way, or it fails.
func Settled(s *model.ClaimStorage) (settled *model.ClaimStorage, ok bool) {
	read := claims.ReadStorage(s)
	grows := read.Request.Compare(read.Capacity) > 0
	if !grows && s.AttributesClass == s.CurrentAttributesClass && s.ModifyStatus == "" || read.Failure+read.Unmodified != "" {
		return s, false
	}
	out := *s
	if grows {
		out.Capacity = s.Request
	}
	out.CurrentAttributesClass, out.ResizeStatus, out.ModifyStatus, out.Conditions = s.AttributesClass, "", "", nil
	return &out, true
}

// UnderWay is the revision that a pod is on its way to in place, whatever its label says; "": there is none, or nobody can read it.
func UnderWay(p *model.Pod) string {
	r, _ := recordOf(p)
	return r.Revision
}

// StartedAnew is when the last container of a pod has started whose image has changed in place; ok is false if one of them has not started since, or
// its kubelet does not know of the images.
func StartedAnew(p *model.Pod) (at time.Time, ok bool) {
	r, ok := recordOf(p)
	if !ok || p.Containers == nil || !p.Containers.Known() {
		return at, false
	}
	started := map[string]time.Time{}
	lacking := lackingOf(p, &r)
	for _, list := range [...][]model.Container{p.Containers.Containers, p.Containers.Init} {
		for _, c := range list {
			was, changes := r.Of[c.Name]
			if changes && c.ContainerID == was.ID || lacking[c.Name] && r.Starts {
				continue
			}
			if changes || r.Starts {
				started[c.Name] = c.StartedAt
			}
		}
	}
	waits := func(name string) bool { return started[name].IsZero() }
	for name := range r.Of {
		if waits(name) {
			return at, false
		}
		at = later(at, started[name])
	}
	for of := range r.Resize {
		if r.Starts && waits(of.Container) {
			return at, false
		}
		at = later(at, started[of.Container])
	}
	return at, true
}

// lackingOf are the containers of a pod on its way that do not have what its spec says of the amounts that change.
func lackingOf(p *model.Pod, r *inplace.Record) map[string]bool {
	lacking := map[string]bool{}
	for _, list := range [...][]model.Container{p.Containers.Containers, p.Containers.Init} {
		for i := range list {
			for key := range model.Resizable {
				if _, changes := r.Resize[podtemplate.Amount{Container: list[i].Name, Key: key}]; changes && !inplace.HasAmount(&list[i], key) {
					lacking[list[i].Name] = true
				}
			}
		}
	}
	return lacking
}

// LacksResources reports whether a pod on its way does not have the resources that its spec says.
func LacksResources(p *model.Pod) bool {
	r, ok := recordOf(p)
	return ok && p.Containers != nil && (len(r.Resize) > 0 && !p.Containers.Known() || len(lackingOf(p, &r)) > 0)
}

// StartsAnew reports whether containers of a pod on its way may be about to start again, and StartsForResources whether to get resources.
func StartsAnew(p *model.Pod) bool {
	r, ok := recordOf(p)
	return ok && r.Restarts()
}

// StartsForResources is explained at StartsAnew.
func StartsForResources(p *model.Pod) bool {
	r, ok := recordOf(p)
	return ok && r.Starts
}

// ResourcesOf are those that a container of a template asks for.
func ResourcesOf(container jsontree.Value) (r model.Resources) {
	for key := range model.Resizable {
		*model.Resizable[key].Of(&r) = podtemplate.AmountIn(container, key).Text
	}
	return r
}

// With is what a container asks for after a resize.
func WithResources(r model.Resources, resize model.Resources) model.Resources {
	for key := range model.Resizable {
		if quantity := *model.Resizable[key].Of(&resize); quantity != "" {
			*model.Resizable[key].Of(&r) = quantity
		}
	}
	return r
}

func recordOf(p *model.Pod) (r inplace.Record, ok bool) {
	if !inplace.IsMarked(p) {
		return r, false
	}
	if r, ok = inplace.ReadRecord(p.Annotations.Values[inplace.AnnotationUpdate]); !ok {
		return inplace.Record{}, false
	}
	return r, true
}
