package engine

import "slices"

// removedTemplates says of each claim template whether the pods of a revision are without it; nil: they have all.
type removedTemplates []bool

func (r removedTemplates) has(template int) bool { return template < len(r) && r[template] }

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

// removedNames lists the claim templates that new pods are without, in the order in which an object of JSON has them.
func (v *view) removedNames() (names []string) {
	for i, removed := range v.removals.now {
		v.meter.work(partClaimTemplates, 1)
		if removed {
			names = append(names, v.templates[i].name)
		}
	}
	return names
}
