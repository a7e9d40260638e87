package forecast

import (
	"crypto/sha256"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/podtemplate"
)

// A pod does not become ready that is made at a revision of which the snapshot has only pods that have never been ready: the template is what
// is broken. Neither does one whose revision differs from that one in labels alone, or in when pods were restarted, unless pods of a third that differs no
// more were ready. Annotations may be the cure: a checksum of a configuration that was corrected, or a word to a webhook. At any other revision pods
// become ready.

// brokenRevisions is what is known of that.
type brokenRevisions struct {
	known map[string]bool   // by revision: whether its pods do not become ready
	runs  map[digest]string // what pods run that do not: the revision whose pods show it
}

// findBroken finds the revisions that have pods which have had their time and were never ready, and no others but young ones.
func (h *hosts) findBroken(names []string) {
	h.broken = brokenRevisions{map[string]bool{}, map[digest]string{}}
	var suspects, works []string
	for _, name := range names {
		p := h.pod(name)
		h.lookAt(p)
		switch {
		case p.Revision == "" || p.HasEnded() || engine.Drains(p):
		case h.stuck(p):
			suspects = append(suspects, engine.UnderWay(p))
		case !p.NeverReady():
			if _, known := h.broken.known[p.Revision]; !known {
				h.broken.known[p.Revision] = false
				works = append(works, p.Revision)
			}
		case !h.young(p) && (onNode(p) || h.startable(p)):
			suspects = append(suspects, p.Revision)
		}
	}
	for _, revision := range suspects {
		if _, known := h.broken.known[revision]; known {
			continue
		}
		h.broken.known[revision] = true
		h.assume(brokenRevision, revision)
		if runs, ok := h.runs(revision); ok && h.broken.runs[runs] == "" {
			h.broken.runs[runs] = revision
		}
	}
	for i := 0; i < len(works) && len(h.broken.runs) > 0; i++ {
		if runs, ok := h.runs(works[i]); ok {
			delete(h.broken.runs, runs)
		}
	}
}

// isBroken reports whether pods at a revision do not become ready.
func (h *hosts) isBroken(revision string) bool {
	broken, known := h.broken.known[revision]
	if known || len(h.broken.runs) == 0 {
		return broken
	}
	if runs, ok := h.runs(revision); ok {
		if like := h.broken.runs[runs]; like != "" {
			broken = true
			h.assume(brokenLike, revision, like)
		}
		h.broken.known[revision] = broken
	}
	return broken
}

// runs is what pods of a revision run: its template without labels, and what it says of claim templates. ok is false if nobody can tell.
func (h *hosts) runs(revision string) (runs digest, ok bool) {
	r := h.revision(revision)
	if r == nil {
		return runs, false
	}
	h.parsing(len(r.Data))
	data, err := jsontree.Parse(r.Data)
	if err != nil {
		return runs, false
	}
	spec := data.Get("spec")
	template := spec.Get("template")
	annotations := template.Get("metadata").Get("annotations").Without(podtemplate.AnnotationRestarted)
	return sha256.Sum256(jsontree.Append(nil, data.With("spec", spec.With("template", template.With("metadata", annotations))))), true
}
