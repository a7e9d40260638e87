package podtemplate

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/policy"
)

// The data of the revision that stores a template is a patch that replaces spec.template (getPatch upstream). Its bytes are what a
// revision's name is computed from. What is said of claim templates stands at a key of ours, which nobody else reads: whoever applies the data, as
// kubectl rollout undo and upstream do, drops it.

// SayingOf begins the data: null for claim templates that the pods of the revision are without, and those that they have beside the set's own.
func SayingOf(claims []jsontree.Member) []byte {
	data := []byte{'{'}
	if len(claims) > 0 {
		data = append(data, `"`+policy.ClaimTemplates+`":`...)
		data = append(jsontree.Append(data, jsontree.NewObject(claims...)), ',')
	}
	return data
}

// WithTemplate ends it.
func WithTemplate(data []byte, template jsontree.Value) []byte {
	data = append(data, `"spec":{"template":`...)
	data = jsontree.Append(data, template.With("$patch", jsontree.NewString("replace")))
	return append(data, "}}"...)
}

// IsPlain reports whether the data of a revision begins as upstream's does, and so says nothing of claim templates.
func IsPlain(data []byte) bool { return bytes.HasPrefix(data, []byte(`{"spec":`)) }

// Of is the way back: the template that revision data holds. ok is false for data that holds none.
func Of(data []byte) (template jsontree.Value, ok bool) {
	tree, err := jsontree.Parse(data)
	if err != nil {
		return jsontree.Value{}, false
	}
	template = tree.Get("spec").Get("template")
	if template.Kind != jsontree.Object {
		return jsontree.Value{}, false
	}
	return template.Without("$patch"), true
}

// AnnotationsOf is how much of their limit the annotations of a template take.
func AnnotationsOf(template jsontree.Value) (size int) {
	for _, m := range template.Get("metadata").Get("annotations").Members() {
		size += len(m.Key) + len(m.Value.Text)
	}
	return size
}

// HashAfter is the hash in a revision's name and label: FNV-1 over the data, whose sum it is given, and the decimal collision count, spelled with
// letters that make no words (HashControllerRevision upstream).
func HashAfter(sum uint32, collisions int32) string {
	sum = FNV1(sum, strconv.AppendInt(nil, int64(collisions), 10))
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	text := strconv.AppendUint(nil, uint64(sum), 10)
	for i, c := range text {
		text[i] = letters[int(c)%len(letters)]
	}
	return string(text)
}

// LongestHash is the length of the longest text that HashAfter returns.
const LongestHash = len("4294967295")

const FNVOffset, fnvPrime = 2166136261, 16777619

// FNV1 is hash/fnv's New32, which goes on from a sum.
func FNV1(sum uint32, data []byte) uint32 {
	for _, b := range data {
		sum = sum*fnvPrime ^ uint32(b)
	}
	return sum
}

// maxRevisionPrefix leaves room for a dash and a hash in a name of 253 bytes.
const maxRevisionPrefix = 223

// RevisionName is the name of a revision (ControllerRevisionName upstream).
func RevisionName(set, hash string) string {
	if len(set) > maxRevisionPrefix {
		set = strings.ToValidUTF8(set[:maxRevisionPrefix], "") // no half letter, which no message could carry
	}
	return set + "-" + hash
}

// SameTemplate compares two templates as upstream's semantic comparison does (setMatchesLatestExistingRevision): what
// older releases wrote differently does not count, because it reads back the same. A null is the same as nothing, and
// so are the empty objects that every API server fills in. Each value is looked at once.
func SameTemplate(a, b jsontree.Value) bool { return sameAt(a, b, special) }

// place is a path in a template, as far as the comparison treats what is there, or below, in its own way. Items of an array
// are at the place of the array.
type place struct {
	below map[string]*place
	// filledIn: an empty object equals a missing one. Elsewhere the two differ, a label selector for one: {} selects
	// everything, a missing one nothing.
	filledIn bool
	// forgotten: an API server stored the field once and has forgotten it since: a revision may still hold it, the set that
	// is served does not.
	forgotten bool
}

// special are struct fields that are always encoded, the one object that defaulting adds, and alpha fields that were dropped; filled is the
// same without these.
var (
	special = placesWith(&place{below: map[string]*place{"source": {forgotten: true}}}) // 1.26 to 1.30, gone from 1.31
	filled  = placesWith(ordinary)
)

func placesWith(resourceClaims *place) *place {
	return &place{below: map[string]*place{
		"metadata": {filledIn: true, below: map[string]*place{"labels": {filledIn: true}, "annotations": {filledIn: true}}},
		"spec": {below: map[string]*place{
			"securityContext": {filledIn: true},
			"containers":      {below: map[string]*place{"resources": {filledIn: true}}},
			"initContainers":  {below: map[string]*place{"resources": {filledIn: true}}},
			"resourceClaims":  resourceClaims,
		}},
	}}
}

var ordinary = &place{}

func (p *place) at(key string) *place {
	if below := p.below[key]; below != nil {
		return below
	}
	return ordinary
}

// sameAt compares two values that stand at a place.
func sameAt(a, b jsontree.Value, at *place) bool { return differsAt(a, b, at) == nil }

// differsAt finds the first field in which two values at a place differ, in the order of the keys. It returns the parts of the path from there, the last one
// first; nil: the values are the same. It looks at each value once.
func differsAt(a, b jsontree.Value, at *place) (path []string) {
	switch {
	case at.forgotten && (a.Kind == jsontree.Null || b.Kind == jsontree.Null), at.filledIn && a.IsEmpty() && b.IsEmpty():
		return nil
	case a.Kind != b.Kind:
		// An object with nothing but nulls still differs from null; a member that one side lacks counts as null.
		return []string{""}
	}
	switch a.Kind {
	case jsontree.Object:
		jsontree.Pairs(a, b, func(key string, x, y jsontree.Value) bool {
			if path = differsAt(x, y, at.at(key)); path != nil {
				path = append(path, "."+key)
			}
			return path == nil
		})
		return path
	case jsontree.Array:
		left, right := a.Items(), b.Items()
		if len(left) != len(right) {
			return []string{""}
		}
		for i := range left {
			if path = itemDiffers(left[i], right[i], i, at); path != nil {
				return path
			}
		}
		return nil
	case jsontree.Number:
		// A revision holds what a float64 keeps of a number, the set holds its text.
		if a.Text == b.Text || string(jsontree.Append(nil, a)) == string(jsontree.Append(nil, b)) {
			return nil
		}
	default:
		if a.Text == b.Text {
			return nil
		}
	}
	return []string{""}
}

// itemDiffers is differsAt for two items of a list, which go by their name.
func itemDiffers(a, b jsontree.Value, i int, at *place) (path []string) {
	if path = differsAt(a, b, at); path == nil {
		return nil
	}
	name := a.Get("name").Text
	switch {
	case name != b.Get("name").Text:
		return []string{""} // another item stands there
	case name == "":
		name = strconv.Itoa(i)
	}
	return append(path, "["+name+"]")
}
