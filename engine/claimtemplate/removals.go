package claimtemplate

import (
	"slices"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// Which claim templates a pod has is part of its revision, as far as the set removes some: the field cannot be changed, so the annotation
// setplan.io/claim-templates says null of them. The revision of such pods says so too, so that a pod of an older one, below the partition for
// instance, comes back with its own claims. Nothing else of a claim template is part of a revision: claims grow without their pods. No claim is
// deleted because its template is removed.

// ReadRemovals finds out which claim templates new pods are without, and those of each revision. It returns false if the pod template has to be
// read for that and cannot be.
func ReadRemovals(v *Known, mk *Maker, out *state.Draft) bool {
	if len(v.Templates) == 0 {
		return true
	}
	r, wanted := &v.Removals, v.Removals.asked
	asks := slices.Contains(wanted, true) || v.Adds()
	if asks && !out.Able(&model.Action{Kind: v.Set.Kind, Name: v.Set.Name, Op: model.PatchClaim{}}) {
		r.unread = true // an adapter that does not know that operation would refuse the revision
	}
	if !v.readRemovedBy(asks) {
		return true
	}
	if r.unread || wanted == nil { // what cannot be read changes nothing
		wanted = v.WithoutAdded()
	}
	if newest := v.Newest(); r.unread && newest != nil {
		wanted = r.At[newest.Name]
	}
	if !slices.Contains(wanted, true) && !v.Adds() {
		return true
	}
	if !mk.ReadTemplate() {
		return false
	}
	r.Now = v.unlessMounted(wanted, mk.Template.Get("spec"), out)
	return true
}

// readRemovedBy reads what each revision says, and reports whether the set or one of them removes anything, or adds it.
func (v *Known) readRemovedBy(asks bool) bool {
	if !asks && v.Said == nil {
		return false
	}
	at, plain, removes := make(map[string]RemovedTemplates, len(v.Revisions)), v.WithoutAdded(), asks
	for _, revision := range v.Revisions {
		at[revision.Name] = plain
		if said, says := v.Said[revision.Name]; says && !v.Ends() {
			at[revision.Name] = v.removedBy(said)
		}
		removes = removes || at[revision.Name] != nil
	}
	if removes {
		v.Removals.At = at
	}
	return removes
}

// removedBy reads which claim templates the pods of a revision are without.
func (v *Known) removedBy(said []saidOf) RemovedTemplates {
	removed := v.WithoutAdded()
	for _, m := range said {
		i, known := v.TemplateNamed(m.Name)
		if !known || (m.Kind == jsontree.Null) == (i >= v.OwnTemplates()) {
			continue
		}
		if removed == nil {
			removed = make(RemovedTemplates, len(v.Templates))
		}
		removed[i] = i < v.OwnTemplates()
	}
	return removed.orNone()
}

// unlessMounted leaves out templates whose volume the pod template mounts and does not have itself: the API server would refuse its pods. So
// whoever goes back to a pod template from before a removal gets its claims, too. Those that the set adds are only for pods that ask for them.
func (v *Known) unlessMounted(wanted RemovedTemplates, spec jsontree.Value, out *state.Draft) RemovedTemplates {
	mounted, asked := v.mountedIn(spec), map[string]bool{}
	if v.Adds() {
		asked = v.askedIn(spec)
	}
	left, stays := make(RemovedTemplates, len(v.Templates)), -1
	for i := range v.Templates {
		own, gone, name := i < v.OwnTemplates(), wanted.Has(i), v.Templates[i].Name
		switch {
		case own && !mounted[name] || !own && !asked[name]:
			left[i] = gone || !own
		case gone && stays < 0 && (own || !v.Removals.unread):
			stays = i
		}
	}
	switch {
	case stays >= v.OwnTemplates():
		out.Block(blockAddedStillAsked(v.Set, v.Templates[stays].Name))
	case stays >= 0:
		out.Block(blockStillMounted(v.Set, v.Templates[stays].Name))
	}
	return left.orNone()
}

// mountedIn lists the volumes that containers of a pod mount, and that the pod does not have itself.
func (v *Known) mountedIn(spec jsontree.Value) map[string]bool {
	mounted := map[string]bool{}
	for _, list := range [...]string{"initContainers", "containers"} {
		for _, container := range spec.Get(list).Items() {
			for _, volumes := range [...]string{"volumeMounts", "volumeDevices"} {
				for _, mount := range container.Get(volumes).Items() {
					mounted[mount.Get("name").Text] = true
				}
			}
		}
	}
	for _, volume := range spec.Get("volumes").Items() {
		delete(mounted, volume.Get("name").Text)
	}
	return mounted
}
