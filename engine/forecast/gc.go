package forecast

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
)

// finalizerForeground lets what an object owns go before it.
const finalizerForeground = "foregroundDeletion"

// tidy lets the garbage collector and the protection of claims do all they can.
func (h *hosts) tidy() {
	for h.untidy {
		h.untidy = false
		h.endSet()
		h.collect()
		h.freeClaims()
	}
}

// endSet lets a set that is being deleted go once nothing holds it.
func (h *hosts) endSet() {
	switch {
	case h.Set.DeletedAt.IsZero() || h.setGone:
		return
	case slices.Contains(h.Set.Finalizers, model.FinalizerOrphan):
		h.eachOwnedBy(h.isSet, func(o owned) { *o.owners = h.released(*o.owners, h.Set.UID) })
		h.Set.Finalizers = h.withFinalizer(h.Set.Finalizers, model.FinalizerOrphan, false)
	case slices.Contains(h.Set.Finalizers, finalizerForeground) && !h.hasDependents():
		h.Set.Finalizers = h.withFinalizer(h.Set.Finalizers, finalizerForeground, false)
	}
	if len(h.Set.Finalizers) == 0 {
		h.setGone, h.untidy = true, true
		h.tellEvent(Gone, h.Set.Kind, h.Set.Name)
	}
}

func (h *hosts) hasDependents() (found bool) {
	h.eachOwnedBy(h.isSet, func(owned) { found = true })
	return found
}

func (c *cluster) isSet(o model.Owner) bool { return o.UID == c.Set.UID }

// collect deletes what has lost all its owners, and takes the references of what has others left.
func (h *hosts) collect() {
	var doomed []owned
	h.eachOwnedBy(h.isGone, func(o owned) {
		if o.going {
			return
		}
		h.hold(len(*o.owners) * 2 * stateBytes)
		kept := slices.DeleteFunc(slices.Clone(*o.owners), h.isGone)
		if len(kept) == 0 {
			doomed = append(doomed, o)
			return
		}
		*o.owners = kept
		h.tellEvent(Disowned, o.kind, o.name)
	})
	for _, o := range doomed {
		if o.kind == model.KindClaim && !h.Set.DeletedAt.IsZero() && !h.setGone {
			h.assume(collectsAtOnce)
		}
		h.tellEvent(Collected, o.kind, o.name)
		o.end()
	}
}

// owned is an object with owners. The pointer holds until an object of the kind goes.
type owned struct {
	kind, name string
	going      bool
	owners     *[]model.Owner
	end        func()
}

// eachOwnedBy calls f for each object with such an owner, by kind and name.
func (h *hosts) eachOwnedBy(by func(model.Owner) bool, f func(owned)) {
	owns := func(owners []model.Owner) bool {
		h.few(1 + 3*len(owners))
		return slices.ContainsFunc(owners, by)
	}
	for _, name := range namesOf(h.Pods, func(p *model.Pod) (string, bool) { return p.Name, owns(p.Owners) }) {
		p := h.pod(name)
		f(owned{model.KindPod, name, p.Terminating(), &p.Owners, func() { h.deletePod(h.pod(name)) }})
	}
	for _, name := range namesOf(h.Claims, func(c *model.Claim) (string, bool) { return c.Name, owns(c.Owners) }) {
		c := h.claimToChange(name)
		f(owned{model.KindClaim, name, !c.DeletedAt.IsZero(), &c.Owners, func() { h.deleteClaim(h.claimToChange(name)) }})
	}
	for _, name := range namesOf(h.Revisions, func(r *model.Revision) (string, bool) { return r.Name, owns(r.Owners) }) {
		f(owned{model.KindRevision, name, false, &h.revisionToChange(name).Owners, func() { h.deleteRevision(h.revision(name)) }})
	}
}

// namesOf lists the names of some objects, in order.
func namesOf[T any](list []T, of func(*T) (name string, wanted bool)) (names []string) {
	for i := range list {
		if name, wanted := of(&list[i]); wanted {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, byName)
	return names
}

// longestName is the longest that an object has.
const longestName = 253

// isGone reports whether an owner is gone, or wants what it owns to go first. Owners that the snapshot would not list are taken to stay.
func (h *hosts) isGone(o model.Owner) bool {
	switch {
	case o.Kind == h.Set.Kind && o.Name == h.Set.Name && group(o.APIVersion) == group(h.Set.APIVersion):
		return o.UID != h.Set.UID || h.setGone || !h.Set.DeletedAt.IsZero() && slices.Contains(h.Set.Finalizers, finalizerForeground)
	case o.Kind == model.KindPod && o.APIVersion == "v1" && strings.HasPrefix(o.Name, h.Set.Name+"-"):
		var p *model.Pod
		if len(o.Name) <= longestName { // a longer one costs its bytes to look for
			p = h.pod(o.Name)
		}
		return p == nil && h.Coverage.Pods || p != nil && p.UID != o.UID
	}
	return false
}

func group(apiVersion string) string {
	return apiVersion[:max(0, strings.IndexByte(apiVersion, '/'))]
}

// freeClaims lets terminating claims go that no pod on a host mounts.
func (h *hosts) freeClaims() {
	h.few(len(h.Claims))
	going := namesOf(h.Claims, func(c *model.Claim) (string, bool) { return c.Name, !c.DeletedAt.IsZero() })
	if len(going) == 0 {
		return
	}
	free := make(map[string]bool, len(going))
	for _, name := range going {
		free[name] = true
	}
	for i := range h.Pods {
		h.few(1)
		if p := &h.Pods[i]; onNode(p) {
			for name := range claimsOf(p) {
				h.text(len(name))
				delete(free, name)
			}
		}
	}
	for _, name := range going {
		if free[name] {
			h.claimGoes(h.claim(name))
		}
	}
}
