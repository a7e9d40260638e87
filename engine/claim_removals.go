package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// Which claim templates a pod has is part of its revision, as far as the set removes some: the field cannot be changed, so the annotation
// setplan.io/claim-templates says null of them. The revision of such pods says so too, so that a pod of an older one, below the partition for
// instance, comes back with its own claims. Nothing else of a claim template is part of a revision: claims grow without their pods. No claim is
// deleted because its template is removed.

// readRemovals finds out which claim templates new pods are without, and those of each revision. It returns false if the pod template has to be
// read for that and cannot be.
func readRemovals(v *view, mk *maker, out *draft) bool {
	if len(v.templates) == 0 {
		return true
	}
	r, wanted := &v.removals, v.removals.asked
	asks := slices.Contains(wanted, true) || v.adds()
	if asks && !out.able(&model.Action{Kind: v.set.Kind, Name: v.set.Name, Op: model.PatchClaim{}}) {
		r.unread = true // an adapter that does not know that operation would refuse the revision
	}
	if !v.readRemovedBy(asks) {
		return true
	}
	if r.unread || wanted == nil { // what cannot be read changes nothing
		wanted = v.withoutAdded()
	}
	if newest := v.newest(); r.unread && newest != nil {
		wanted = r.at[newest.Name]
	}
	if !slices.Contains(wanted, true) && !v.adds() {
		return true
	}
	if !mk.readTemplate() {
		return false
	}
	r.now = v.unlessMounted(wanted, mk.template.Get("spec"), out)
	return true
}

// readRemovedBy reads what each revision says, and reports whether the set or one of them removes anything, or adds it.
func (v *view) readRemovedBy(asks bool) bool {
	if !asks && v.said == nil {
		return false
	}
	at, plain, removes := make(map[string]removedTemplates, len(v.revisions)), v.withoutAdded(), asks
	for _, revision := range v.revisions {
		at[revision.Name] = plain
		if said, says := v.said[revision.Name]; says && !v.ends() {
			at[revision.Name] = v.removedBy(said)
		}
		removes = removes || at[revision.Name] != nil
	}
	if removes {
		v.removals.at = at
	}
	return removes
}

// removedBy reads which claim templates the pods of a revision are without.
func (v *view) removedBy(said []saidOf) removedTemplates {
	removed := v.withoutAdded()
	for _, m := range said {
		i, known := v.templateNamed(m.name)
		if !known || (m.kind == jsontree.Null) == (i >= v.ownTemplates()) {
			continue
		}
		if removed == nil {
			removed = make(removedTemplates, len(v.templates))
		}
		removed[i] = i < v.ownTemplates()
	}
	return removed.orNone()
}

// unlessMounted leaves out templates whose volume the pod template mounts and does not have itself: the API server would refuse its pods. So
// whoever goes back to a pod template from before a removal gets its claims, too. Those that the set adds are only for pods that ask for them.
func (v *view) unlessMounted(wanted removedTemplates, spec jsontree.Value, out *draft) removedTemplates {
	mounted, asked := v.mountedIn(spec), map[string]bool{}
	if v.adds() {
		asked = v.askedIn(spec)
	}
	left, stays := make(removedTemplates, len(v.templates)), -1
	for i := range v.templates {
		own, gone, name := i < v.ownTemplates(), wanted.has(i), v.templates[i].name
		switch {
		case own && !mounted[name] || !own && !asked[name]:
			left[i] = gone || !own
		case gone && stays < 0 && (own || !v.removals.unread):
			stays = i
		}
	}
	switch {
	case stays >= v.ownTemplates():
		out.block(blockAddedStillAsked(v.set, v.templates[stays].name))
	case stays >= 0:
		out.block(blockStillMounted(v.set, v.templates[stays].name))
	}
	return left.orNone()
}

// mountedIn lists the volumes that containers of a pod mount, and that the pod does not have itself.
func (v *view) mountedIn(spec jsontree.Value) map[string]bool {
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
