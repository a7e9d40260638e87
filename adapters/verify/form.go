package verify

import (
	"bytes"
	"cmp"
	"slices"
)

// Pods of one revision differ in their names alone. The first is read and checked; those after it are compared with it, byte
// by byte, at a thousandth of the cost.

// form is a pod that passed, cut where pods of one revision differ: at their names and ordinals.
type form struct {
	pieces [][]byte
	fills  []func(name string) string // between two pieces each
}

// fits tells whether a manifest is the same pod under another name.
func (f *form) fits(manifest []byte, name string) bool {
	for i, piece := range f.pieces {
		if !bytes.HasPrefix(manifest, piece) {
			return false
		}
		manifest = manifest[len(piece):]
		if i < len(f.fills) {
			fill := f.fills[i](name)
			if !bytes.HasPrefix(manifest, []byte(fill)) {
				return false
			}
			manifest = manifest[len(fill):]
		}
	}
	return len(manifest) == 0
}

// fits tells whether a pod is, but for its name, one that has passed.
func (s *subject) fits() bool {
	if s.known == nil {
		fits := s.operation == createPod && slices.ContainsFunc(s.forms, func(f *form) bool { return f.fits(s.bytes(), s.name()) })
		s.known = &fits
	}
	return *s.known
}

// maxForms is more than the revisions that pods of one plan have.
const maxForms = 4

// keepForm keeps a replica that has passed, cut at what follows from its name.
func (s *subject) keepForm() {
	if len(s.forms) == maxForms || s.isDrain() {
		return
	}
	type place struct {
		at   *node
		fill func(name string) string
	}
	name := func(name string) string { return `"` + name + `"` }
	m := s.load()
	labels, spec := m.get("metadata", "labels"), m.get("spec")
	places := []place{{m.get("metadata", "name"), name}, {labels.get(labelPodName), name}, {spec.get("hostname"), name},
		{labels.get(labelPodIndex), func(name string) string { return `"` + trailingDigits(name) + `"` }}}
	for i, template := range s.claimTemplates() {
		if !isName(template) || spec.get("volumes") == nil || len(spec.get("volumes").items) <= i {
			return // its text may differ from what is written of it
		}
		places = append(places, place{spec.get("volumes").items[i].get("persistentVolumeClaim", "claimName"),
			func(name string) string { return `"` + template + "-" + name + `"` }})
	}
	if slices.ContainsFunc(places, func(p place) bool { return p.at == nil }) {
		return
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.at.from, b.at.from) })
	form, from, text := &form{}, 0, s.bytes()
	for _, p := range places {
		form.pieces, form.fills = append(form.pieces, text[from:p.at.from]), append(form.fills, p.fill)
		from = p.at.to
	}
	form.pieces = append(form.pieces, text[from:])
	s.Verifier.forms = append(s.forms, form)
}
