package verify

import (
	"cmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// template is what a created object must agree with: the set's template or, of a replica that has its spec, the one that its revision stores.
func (s *subject) template() *node {
	switch {
	case s.isDrain():
		return s.document("drain", s.policy().document())
	case s.operation == createPod:
		stored := s.stored(s.revisionOf(s.revisionLabel()))
		if stored != nil && differing(s.load().get("spec"), stored.get("spec"), ownSpec) == "" {
			return stored
		}
	}
	return s.setTemplate()
}

// stored is the template that a revision stores.
func (v *Verifier) stored(revision *setplanv1.Revision) *node {
	if revision == nil {
		return nil
	}
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
		if v.read == nil {
			v.read = map[string]*node{}
		}
		v.read[name] = read
	}
	return read
}

// newest returns the newest revision of the set: by number, then age, then name.
func (v *Verifier) newest() *setplanv1.Revision {
	var newest *setplanv1.Revision
	for _, revision := range v.snapshot.GetRevisions() {
		if v.ownRevision(revision) && (newest == nil || byAge(revision, newest) > 0) {
			newest = revision
		}
	}
	return newest
}

func byAge(a, b *setplanv1.Revision) int {
	return cmp.Or(cmp.Compare(a.GetNumber(), b.GetNumber()), cmp.Compare(a.GetCreatedUnixMs(), b.GetCreatedUnixMs()),
		cmp.Compare(a.GetName(), b.GetName()))
}
