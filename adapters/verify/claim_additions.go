package verify

import (
	"maps"
	"slices"
	"strconv"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Claim templates that a set adds. The annotation claim-templates has a whole template where the set has none of that name; the data of a
// revision has the same at the top for those that its pods have.

// addedTemplates are the claim templates that the annotation adds, or a revision of the set, by name. One that the annotation has alone adds nothing:
// neither a revision has it nor does the pod template ask for it, and claims that are called like that are somebody else's. One of the annotation goes before one of a
// revision, and that of a newer revision before an older one's.
type addedTemplates struct {
	asked, stored map[string]*node
}

func (v *Verifier) added() *addedTemplates {
	if v.adds != nil {
		return v.adds
	}
	v.adds = &addedTemplates{asked: map[string]*node{}, stored: map[string]*node{}}
	own := v.ownTemplates()
	take := func(of *node, into map[string]*node) {
		for name, value := range of.object() {
			if value.kind == '{' && !slices.Contains(own, name) {
				into[name] = value
			}
		}
	}
	take(v.claimPatches(), v.adds.asked)
	var revisions []*setplanv1.Revision
	for _, revision := range v.snapshot.GetRevisions() {
		if v.ownRevision(revision) {
			revisions = append(revisions, revision)
		}
	}
	slices.SortFunc(revisions, byAge)
	for _, revision := range revisions {
		take(v.removedBy(revision), v.adds.stored)
	}
	maps.DeleteFunc(v.adds.asked, func(name string, _ *node) bool { return v.adds.stored[name] == nil && !v.asksFor(name) })
	return v.adds
}

// asksFor reports whether the pod template has a volume that is bound to a claim, both of one name.
func (v *Verifier) asksFor(name string) bool {
	volumes := v.setTemplate().get("spec", "volumes")
	return volumes != nil && slices.ContainsFunc(volumes.items, func(volume *node) bool {
		readOnly := volume.get("persistentVolumeClaim", "readOnly")
		return volume.get("name").is(name) && volume.get("persistentVolumeClaim", "claimName").is(name) && (readOnly == nil || readOnly.text != "true")
	})
}

// ownTemplates lists the names of the set's own claim templates, in order.
func (v *Verifier) ownTemplates() []string {
	own := make([]string, len(v.set.GetClaimTemplates()))
	for i := range own {
		own[i], _ = v.ownTemplate(i).get("metadata").label("name")
	}
	return own
}

func (v *Verifier) ownTemplate(i int) *node {
	return v.document("claim "+strconv.Itoa(i), v.set.GetClaimTemplates()[i])
}

// claimTemplates lists the names of the claim templates: the set's own, in order, and after them those that are added, sorted.
func (v *Verifier) claimTemplates() []string {
	if v.claimed == nil {
		v.claimed = v.ownTemplates()
		own := len(v.claimed)
		for _, list := range []map[string]*node{v.added().asked, v.added().stored} {
			for name := range list {
				v.claimed = append(v.claimed, name)
			}
		}
		slices.Sort(v.claimed[own:])
		v.claimed = append(v.claimed[:own], slices.Compact(v.claimed[own:])...)
	}
	return v.claimed
}

// isAdded reports whether a claim template, by its place, is none of the set's own.
func (v *Verifier) isAdded(i int) bool { return i >= len(v.set.GetClaimTemplates()) }

// claimTemplate is a claim template without what the annotation says.
func (v *Verifier) claimTemplate(i int) *node {
	if v.isAdded(i) {
		return v.added().stored[v.claimTemplates()[i]]
	}
	return v.ownTemplate(i)
}

// has reports whether the pods of a revision have a claim template, by its place, if said is what the revision says.
func (v *Verifier) has(said *node, i int) bool {
	name := v.claimTemplates()[i]
	if v.isAdded(i) {
		return said.get(name) != nil && said.get(name).kind == '{'
	}
	return !said.removes(name)
}

// mayAdd reports whether a new revision may say that its pods have a claim template beside the set's own: what the set adds, or an earlier revision.
func (v *Verifier) mayAdd(name string, template *node) bool {
	asked, stored := v.added().asked[name], v.added().stored[name]
	return asked != nil && equal(template, asked) || stored != nil && equal(template, stored)
}
