package verify

import (
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// template is what a created object must agree with: the set's template or, of a replica that has its spec, the one that its revision stores.
func (s *subject) template() *node {
	switch {
	case s.isDrain():
		return s.document("drain", s.policy().template)
	case s.operation == createPod:
		stored := s.stored(s.revisionOf(s.revisionLabel()))
		if stored != nil && differing(s.load().get("spec"), stored.get("spec"), ownSpec) == "" {
			return stored
		}
	}
	return s.setTemplate()
}

// stored is the template that a revision stores; nil where there is none.
func (v *Verifier) stored(revision *setplanv1.Revision) *node {
	return v.document("revision "+revision.GetName(), revision.GetData()).get("spec", "template").without("$patch")
}

// templates are those that pods of the set may have: the set's, and those of its revisions.
func (v *Verifier) templates() []*node {
	if v.all == nil {
		v.all = []*node{v.setTemplate()}
		for _, revision := range v.snapshot.GetRevisions() {
			if stored := v.stored(revision); v.ownRevision(revision) && stored != nil {
				v.all = append(v.all, stored)
			}
		}
	}
	return v.all
}

func (v *Verifier) setTemplate() *node { return v.document("set", v.set.GetPodTemplate()) }

// document reads a text of the snapshot once; nil if it is no JSON. If a key occurs twice the last one counts, as for everybody
// else.
func (v *Verifier) document(name string, text []byte) *node {
	read, known := v.read[name]
	if !known {
		read, _ = parse(text, false)
		v.read[name] = read
	}
	return read
}
