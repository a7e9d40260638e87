package forecast

import (
	"bytes"

	"github.com/setplan/setplan/engine/jsontree"
)

// A pod does not become ready that is made at a revision of which the snapshot has only pods that have never been ready: the template is what
// is broken. Neither does one whose revision has other labels or annotations and nothing else: it runs the same. At any other revision it does.

// findBroken finds the revisions that have pods which have had their time and were never ready, and no others but young ones.
func (h *hosts) findBroken(names []string) {
	h.broken = map[string]bool{}
	var suspects []string
	for _, name := range names {
		p := h.pod(name)
		switch {
		case p.Revision == "" || ended(p) || p.Drains():
		case h.stuck(p):
			suspects = append(suspects, p.UnderWay())
		case !p.NeverReady():
			h.broken[p.Revision] = false
		case !h.young(p) && (onNode(p) || h.startable(p)):
			suspects = append(suspects, p.Revision)
		}
	}
	for _, revision := range suspects {
		if _, known := h.broken[revision]; !known {
			h.broken[revision] = true
			h.assume(brokenRevision(revision))
		}
	}
}

// isBroken reports whether pods at a revision do not become ready.
func (h *hosts) isBroken(revision string) bool {
	broken, known := h.broken[revision]
	if !known && len(h.broken) > 0 {
		if like := h.runsLike(revision); h.broken[like] {
			broken = true
			h.assume(brokenLike(revision, like))
		}
		h.broken[revision] = broken
	}
	return broken
}

// runsLike is a revision whose pods run the same and of which it is known whether they become ready, or "". One whose pods do goes first.
func (h *hosts) runsLike(revision string) (like string) {
	runs := h.runs(revision)
	if runs == nil {
		return ""
	}
	for i := range h.Revisions {
		name := h.Revisions[i].Name
		broken, known := h.broken[name]
		switch {
		case !known || !bytes.Equal(runs, h.runs(name)):
		case !broken:
			return name
		default:
			like = name
		}
	}
	return like
}

// runs is what pods of a revision run: its template but for labels and annotations, and what it says of claim templates. It is nil if nobody can tell.
func (h *hosts) runs(revision string) []byte {
	r := h.revision(revision)
	if r == nil {
		return nil
	}
	data, err := jsontree.Parse(r.Data)
	if err != nil {
		return nil
	}
	spec := data.Get("spec")
	template := spec.Get("template")
	meta := template.Get("metadata").Without("labels").Without("annotations")
	return jsontree.Append(nil, data.With("spec", spec.With("template", template.With("metadata", meta))))
}
