package claimtemplate

import (
	"slices"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// RemovedTemplates says of each claim template whether the pods of a revision are without it; nil: they have all. Templates that the set adds are
// among them: pods of a revision that does not say that they have one are without it.
type RemovedTemplates []bool

// Has reports whether the pods are without a template.
func (r RemovedTemplates) Has(template int) bool { return template < len(r) && r[template] }

// orNone is nil where none is removed.
func (r RemovedTemplates) orNone() RemovedTemplates {
	if !slices.Contains(r, true) {
		return nil
	}
	return r
}

// After counts the templates after one.
func (r RemovedTemplates) After(template int) (n int) {
	for i := template + 1; i < len(r); i++ {
		if r[i] {
			n++
		}
	}
	return n
}

// Removals is what a set says of removed claim templates, and what its revisions do.
type removals struct {
	asked  RemovedTemplates            // by the annotation
	unread bool                        // there is an annotation, and it cannot be read or followed
	Now    RemovedTemplates            // the set's new pods are without them; nil: they have all
	At     map[string]RemovedTemplates // by revision; nil: nobody removes or has removed any
}

// RemovedAt says which claim templates the pods of a revision are without. A revision that is not the set's, or is yet to be made, is like the
// set's new pods.
func (v *Known) RemovedAt(revision string) RemovedTemplates {
	if v.Removals.At == nil {
		return nil
	}
	if removed, known := v.Removals.At[revision]; known {
		return removed
	}
	return v.Removals.Now
}

// NewestRemovesTheSame reports whether new pods are without the same claim templates as those of the newest revision.
func (v *Known) NewestRemovesTheSame() bool {
	newest := v.Newest()
	return v.Removals.At == nil || newest != nil && slices.Equal(v.Removals.At[newest.Name], v.Removals.Now)
}

// AddsTheSame reports whether the pods of a revision have the same claim templates as new pods, and the set adds some of them.
func (v *Known) AddsTheSame(r *model.Revision) bool {
	at, known := v.Removals.At[r.Name]
	return known && v.Said[r.Name] != nil && v.Adds() && slices.Equal(at, v.Removals.Now)
}

// ClaimsSaid is what a revision for new pods says of claim templates: null for the set's own that they are without, and those that they have of
// the others, so that such a pod can be made as long as the revision is there.
func (v *Known) ClaimsSaid() (claims []jsontree.Member) {
	if v.Removals.At == nil {
		return nil
	}
	for i := range v.Templates {
		m := jsontree.Member{Key: v.Templates[i].Name}
		if i >= v.OwnTemplates() {
			m.Value, _ = jsontree.Parse(v.Templates[i].Source) // it was written here
		}
		if v.Removals.Now.Has(i) == (i < v.OwnTemplates()) {
			claims = append(claims, m)
		}
	}
	return claims
}

// OwnTemplates counts the claim templates of the set's spec.
func (v *Known) OwnTemplates() int { return len(v.Set.ClaimTemplates) }

// Adds reports whether there are claim templates beside those.
func (v *Known) Adds() bool { return len(v.Templates) > v.OwnTemplates() }

// WithoutAdded is for pods that have the set's own claim templates and no others.
func (v *Known) WithoutAdded() RemovedTemplates {
	if !v.Adds() {
		return nil
	}
	without := make(RemovedTemplates, len(v.Templates))
	for i := v.OwnTemplates(); i < len(without); i++ {
		without[i] = true
	}
	return without
}
