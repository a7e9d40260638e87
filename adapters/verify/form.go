package verify

import (
	"bytes"
	"cmp"
	"slices"
)

// Pods of one revision differ only in their names, and so do claims of one template. The first one is read and checked. Later ones
// are compared with it byte by byte, at a fraction of the cost.

// form is a manifest that passed, cut where others of its revision or template differ: at names and ordinals.
type form struct {
	operation string
	base      string // their names are this, a dash and an ordinal
	pieces    [][]byte
	fills     []func(name string) string // between two pieces each
}

// fits reports whether a manifest is the same under another name.
func (f *form) fits(operation string, manifest []byte, name string) bool {
	if _, ok := ordinalOf(name, f.base); !ok || operation != f.operation {
		return false
	}
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

// fits reports whether a manifest equals one that has passed, except for its name.
func (s *subject) fits() bool {
	if s.known == nil {
		fits := slices.ContainsFunc(s.forms, func(f *form) bool { return f.fits(s.operation, s.bytes(), s.name()) })
		s.known = &fits
	}
	return *s.known
}

// maxForms is more than the revisions of the pods in a plan and the claim templates of a set.
const maxForms = 16

// place is a place in a manifest that depends on its name.
type place struct {
	at   *node
	fill func(name string) string
}

func quoted(name string) string { return `"` + name + `"` }

// keepForm keeps the manifest of a replica or a claim that has passed, cut at the places that depend on its name.
func (s *subject) keepForm() {
	if len(s.forms) == maxForms || s.isDrain() {
		return
	}
	base, places := s.set.GetName(), s.podPlaces()
	if s.operation == createClaim {
		base, places = s.claimPlaces()
	}
	if len(places) == 0 || slices.ContainsFunc(places, func(p place) bool { return p.at == nil }) {
		return
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.at.from, b.at.from) })
	form, from, text := &form{operation: s.operation, base: base}, 0, s.bytes()
	for _, p := range places {
		form.pieces, form.fills = append(form.pieces, text[from:p.at.from]), append(form.fills, p.fill)
		from = p.at.to
	}
	form.pieces = append(form.pieces, text[from:])
	s.Verifier.forms = append(s.forms, form)
}

func (s *subject) podPlaces() []place {
	m := s.load()
	labels, spec := m.get("metadata", "labels"), m.get("spec")
	places := []place{{m.get("metadata", "name"), quoted}, {labels.get(labelPodName), quoted}, {spec.get("hostname"), quoted},
		{labels.get(labelPodIndex), func(name string) string { return quoted(trailingDigits(name)) }}}
	for i, template := range s.podTemplates() {
		if !isName(template) || spec.get("volumes") == nil || len(spec.get("volumes").items) <= i {
			return nil // its text may differ from what is written of it
		}
		places = append(places, place{spec.get("volumes").items[i].get("persistentVolumeClaim", "claimName"),
			func(name string) string { return quoted(template + "-" + name) }})
	}
	return places
}

// claimPlaces also returns the claim's template, because others may differ.
func (s *subject) claimPlaces() (base string, places []place) {
	for i, template := range s.claimTemplates() {
		base = template + "-" + s.set.GetName()
		if _, ok := ordinalOf(s.name(), base); ok && (s.claimDiffers(s.claimTemplate(i)) == "" || s.claimDiffers(s.patched(i)) == "") {
			return base, []place{{s.load().get("metadata", "name"), quoted}}
		}
	}
	return "", nil
}
