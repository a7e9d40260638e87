package verify

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// noteClaimTemplates is the annotation by which a set changes its claim templates: it has a patch of one, null for one that is removed, or a whole
// template where the set has none of that name. The data of a revision has the same at the top for those that its pods are without, or have beside the
// set's own.
const noteClaimTemplates = "setplan.io/claim-templates"

type claimTemplate struct {
	name  string
	own   bool    // the set's; others are added
	asked *node   // what the annotation makes of it; nil if it is added, and not by the annotation
	forms []*node // by which a claim may be made: as it stands, as it is asked for, as revisions have it
}

// claimTemplates lists the set's own, in order, and after them those that are added, by name: by a revision of the set, or by the annotation. One that the
// annotation has alone adds nothing: neither a revision has it nor does the pod template ask for it, and claims that are called like that are somebody
// else's.
func (v *Verifier) claimTemplates() []*claimTemplate {
	if v.claimed != nil {
		return v.claimed
	}
	v.claimed = []*claimTemplate{}
	all := map[string]*claimTemplate{}
	for i, text := range v.set.GetClaimTemplates() {
		stands := v.document("claim "+strconv.Itoa(i), text)
		t := &claimTemplate{name: stands.get("metadata", "name").string(), own: true, asked: stands}
		if patch := v.claimPatches().get(t.name); patch != nil {
			t.asked = stands.merged(patch)
		}
		t.forms = []*node{stands, t.asked}
		v.claimed, all[t.name] = append(v.claimed, t), t
	}
	own := len(v.claimed)
	add := func(of *node, asks bool) {
		for name, form := range of.object() {
			t := all[name]
			if form.kind != '{' || t != nil && t.own || asks && t == nil && !v.asksFor(name) {
				continue
			}
			if t == nil {
				t = &claimTemplate{name: name}
				v.claimed, all[name] = append(v.claimed, t), t
			}
			if t.forms = append(t.forms, form); asks {
				t.asked = form
			}
		}
	}
	for _, revision := range v.snapshot.GetRevisions() {
		if v.ownRevision(revision) {
			add(v.saidBy(revision), false)
		}
	}
	add(v.claimPatches(), true)
	slices.SortFunc(v.claimed[own:], func(a, b *claimTemplate) int { return cmp.Compare(a.name, b.name) })
	return v.claimed
}

// claimPatches is what the annotation says; nil if it cannot be read.
func (v *Verifier) claimPatches() *node {
	const name = "claim patches"
	if _, known := v.read[name]; !known {
		return v.document(name, asJSON(v.set.GetAnnotations()[noteClaimTemplates]))
	}
	return v.read[name]
}

// asksFor reports whether the pod template has a volume that is bound to a claim, both of one name.
func (v *Verifier) asksFor(name string) bool {
	return slices.ContainsFunc(v.setTemplate().get("spec", "volumes").list(), func(volume *node) bool {
		readOnly := volume.get("persistentVolumeClaim", "readOnly")
		return volume.get("name").is(name) && volume.get("persistentVolumeClaim", "claimName").is(name) && (readOnly == nil || readOnly.text != "true")
	})
}

// merged is an object with the members of another one laid over it, at every level.
func (n *node) merged(over *node) *node {
	if n == nil || n.kind != '{' || over.kind != '{' {
		return over
	}
	out := &node{kind: '{', members: maps.Clone(n.members)}
	for key, value := range over.members {
		out.members[key] = out.members[key].merged(value)
	}
	return out
}

// isNull reports whether an object has null for a key.
func (n *node) isNull(key string) bool {
	value := n.object()[key]
	return value != nil && value.kind == 'n'
}

// saidBy is what a revision says of claim templates.
func (v *Verifier) saidBy(revision *setplanv1.Revision) *node {
	return v.document("revision "+revision.GetName(), revision.GetData()).get(noteClaimTemplates)
}

// hasClaim reports whether the pods of a revision have a claim template.
func (v *Verifier) hasClaim(revision string, t *claimTemplate) bool {
	said := v.madeSays
	if v.made != revision {
		said = v.saidBy(v.revisionOf(revision))
	}
	if t.own {
		return !said.isNull(t.name)
	}
	return said.get(t.name) != nil && said.get(t.name).kind == '{'
}

// mayRemove reports whether new pods may be without a claim template: the set says so, or a revision, because the set's annotation may be one that
// cannot be read.
func (v *Verifier) mayRemove(template string) bool {
	return v.claimPatches().isNull(template) || slices.ContainsFunc(v.snapshot.GetRevisions(), func(r *setplanv1.Revision) bool {
		return v.ownRevision(r) && v.saidBy(r).isNull(template)
	})
}

// podTemplates lists the claim templates that a new pod has: those that its revision does not remove, and those that it adds. A drain pod has those
// whose claims are there, of added ones where the claim is marked or the pod template asks for it, and all of the set's own that are not removed.
func (s *subject) podTemplates() (has []string) {
	for _, t := range s.claimTemplates() {
		there := s.hasClaim(s.revisionLabel(), t)
		if claim := s.claims[t.name+"-"+s.name()]; s.isDrain() {
			there = claim != nil && (t.own || s.markOf(claim) == s.mark() || s.asksFor(t.name)) || t.own && !s.mayRemove(t.name)
		}
		if there {
			has = append(has, t.name)
		}
	}
	return has
}

// claimsSaidFault: beside the template the data of a revision says only which claim templates the set removes, and which it or an earlier revision adds.
func (v *Verifier) claimsSaidFault(data *node) string {
	said := data.object()[noteClaimTemplates]
	if said != nil && said.kind != '{' {
		return "the data does not have claim templates by name"
	}
	for name, value := range said.object() {
		added := func(t *claimTemplate) bool {
			return !t.own && t.name == name && slices.ContainsFunc(t.forms, func(form *node) bool { return equal(form, value) })
		}
		if value.kind == 'n' && !v.mayRemove(name) || value.kind != 'n' && !slices.ContainsFunc(v.claimTemplates(), added) {
			return "the data has a claim template that the set does not add, or is without one that it does not remove"
		}
	}
	return ""
}
