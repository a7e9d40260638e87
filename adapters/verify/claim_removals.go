package verify

import setplanv1 "github.com/setplan/setplan/proto/setplan/v1"

// Claim templates that pods are without. The annotation claim-templates has null for a template that the set removes; the data of a revision
// has the same at the top for those that its pods are without.

// removes reports whether an object has null for a claim template.
func (n *node) removes(template string) bool {
	return n != nil && n.members[template] != nil && n.members[template].kind == 'n'
}

// removedBy is what a revision says of removed claim templates.
func (v *Verifier) removedBy(revision *setplanv1.Revision) *node {
	if revision == nil {
		return nil
	}
	return v.document("revision "+revision.GetName(), revision.GetData()).get(noteClaimTemplates)
}

// removedAt is what a revision that pods may have says of removed claim templates.
func (v *Verifier) removedAt(revision string) *node {
	if v.made == revision {
		return v.madeSays
	}
	return v.removedBy(v.revisionOf(revision))
}

// mayRemove reports whether new pods may be without a claim template: the set says so, or the newest revision, as long as the set's annotation cannot
// be read.
func (v *Verifier) mayRemove(template string) bool {
	return v.claimPatches().removes(template) || v.removedBy(v.newest()).removes(template)
}

// podTemplates lists the claim templates that a new pod has: those that its revision does not remove, and those that it adds. A drain pod has those
// whose claims are there, of added ones where the claim is marked or the pod template asks for it, and all of the set's own that are not removed.
func (s *subject) podTemplates() []string {
	all := s.claimTemplates()
	said := s.removedAt(s.revisionLabel())
	has := make([]string, 0, len(all))
	for i, template := range all {
		there := s.has(said, i)
		if claim := s.claimNamed(template + "-" + s.name()); s.isDrain() {
			there = claim != nil && (!s.isAdded(i) || s.markOf(claim) == s.mark() || s.asksFor(template)) || !s.isAdded(i) && !s.mayRemove(template)
		}
		if there {
			has = append(has, template)
		}
	}
	return has
}

// removalsFault: beside the template the data of a revision says only which claim templates the set removes, and which it adds.
func (v *Verifier) removalsFault(data *node, adds bool) string {
	said := data.object()[noteClaimTemplates]
	if said != nil && said.kind != '{' {
		return "the data does not have claim templates by name"
	}
	for template, value := range said.object() {
		switch {
		case value.kind == 'n' && !v.mayRemove(template):
			return "the data has a claim template that the set does not remove"
		case value.kind != 'n' && adds && !v.mayAdd(template, value):
			return "the data has a claim template that the set does not add"
		}
	}
	return ""
}
