package verify

import (
	"cmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// template is what a created object must agree with. A replica agrees with the set's template if its revision stores that, and
// otherwise with the revision. The newest revision stores it, in the planner's sense, which knows more of equal texts than this package;
// but for one case: the template's revision may be there under its name and not be the set's, so that the newest is an older one.
func (s *subject) template() *node {
	switch {
	case s.operation == createRevision:
		return s.setTemplate()
	case s.isDrain():
		return s.document("drain", s.policy().document())
	}
	revision := s.revisionOf(s.revisionLabel())
	if revision == nil || len(revision.GetData()) == 0 || s.made[revision.GetName()] {
		return s.setTemplate()
	}
	stored := s.stored(revision)
	newest := len(s.made) == 0 && s.newest().GetName() == revision.GetName()
	if newest && (s.storesTemplate(stored) || differing(s.load().get("spec"), stored.get("spec"), ownSpec) != "") {
		return s.setTemplate()
	}
	return stored
}

// stored is the template that a revision stores.
func (v *Verifier) stored(revision *setplanv1.Revision) *node {
	return v.document("revision "+revision.GetName(), revision.GetData()).get("spec", "template").without("$patch")
}

// templateOf is the template of a revision that pods may have.
func (v *Verifier) templateOf(name string) *node {
	if revision := v.revisionOf(name); revision != nil && len(revision.GetData()) > 0 && !v.made[name] {
		return v.stored(revision)
	}
	return v.setTemplate()
}

// storesTemplate reports whether the newest revision says what the set's template says, word for word.
func (v *Verifier) storesTemplate(newest *node) bool {
	if v.newestStores == nil {
		same := equal(newest, v.setTemplate())
		v.newestStores = &same
	}
	return *v.newestStores
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

// without returns an object without a key. It shares the rest.
func (n *node) without(key string) *node {
	if n == nil || n.members[key] == nil {
		return n
	}
	left := &node{kind: n.kind, members: make(map[string]*node, len(n.members))}
	for k, value := range n.members {
		if k != key {
			left.members[k] = value
		}
	}
	return left
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
