package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// removedTemplates says of each claim template whether the pods of a revision are without it; nil: they have all. Templates that the set adds are
// among them: pods of a revision that does not say that they have one are without it.
type removedTemplates []bool

func (r removedTemplates) has(template int) bool { return template < len(r) && r[template] }

// orNone is nil where none is removed.
func (r removedTemplates) orNone() removedTemplates {
	if !slices.Contains(r, true) {
		return nil
	}
	return r
}

// after counts the templates after one.
func (r removedTemplates) after(template int) (n int) {
	for i := template + 1; i < len(r); i++ {
		if r[i] {
			n++
		}
	}
	return n
}

// removals is what a set says of removed claim templates, and what its revisions do.
type removals struct {
	asked  removedTemplates            // by the annotation
	unread bool                        // there is an annotation, and it cannot be read or followed
	now    removedTemplates            // the set's new pods are without them; nil: they have all
	at     map[string]removedTemplates // by revision; nil: nobody removes or has removed any
}

// removedAt says which claim templates the pods of a revision are without. A revision that is not the set's, or is yet to be made, is like the
// set's new pods.
func (v *view) removedAt(revision string) removedTemplates {
	if v.removals.at == nil {
		return nil
	}
	if removed, known := v.removals.at[revision]; known {
		return removed
	}
	return v.removals.now
}

// newestRemovesTheSame reports whether new pods are without the same claim templates as those of the newest revision.
func (v *view) newestRemovesTheSame() bool {
	newest := v.newest()
	return v.removals.at == nil || newest != nil && slices.Equal(v.removals.at[newest.Name], v.removals.now)
}

// addsTheSame reports whether the pods of a revision have the same claim templates as new pods, and the set adds some of them.
func (v *view) addsTheSame(r *model.Revision) bool {
	at, known := v.removals.at[r.Name]
	return known && v.said[r.Name] != nil && v.adds() && slices.Equal(at, v.removals.now)
}

// claimsSaid is what a revision for new pods says of claim templates: null for the set's own that they are without, and those that they have of
// the others, so that such a pod can be made as long as the revision is there.
func (v *view) claimsSaid() (claims []jsontree.Member) {
	if v.removals.at == nil {
		return nil
	}
	for i := range v.templates {
		m := jsontree.Member{Key: v.templates[i].name}
		if i >= v.ownTemplates() {
			m.Value, _ = jsontree.Parse(v.templates[i].source) // it was written here
		}
		if v.removals.now.has(i) == (i < v.ownTemplates()) {
			claims = append(claims, m)
		}
	}
	return claims
}

// ownTemplates counts the claim templates of the set's spec.
func (v *view) ownTemplates() int { return len(v.set.ClaimTemplates) }

// adds reports whether there are claim templates beside those.
func (v *view) adds() bool { return len(v.templates) > v.ownTemplates() }

// withoutAdded is for pods that have the set's own claim templates and no others.
func (v *view) withoutAdded() removedTemplates {
	if !v.adds() {
		return nil
	}
	without := make(removedTemplates, len(v.templates))
	for i := v.ownTemplates(); i < len(without); i++ {
		without[i] = true
	}
	return without
}
