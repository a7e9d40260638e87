package engine

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
)

// patchOf returns the data of the revision that stores a template: a patch that replaces spec.template (getPatch
// upstream). Its bytes are what a revision's name is computed from.
func patchOf(template jsontree.Value) []byte {
	data := append([]byte(nil), `{"spec":{"template":`...)
	data = jsontree.Append(data, template.With("$patch", jsontree.NewString("replace")))
	return append(data, "}}"...)
}

// templateOf is the way back: the template that revision data holds. ok is false for data that holds none.
func templateOf(data []byte) (template jsontree.Value, ok bool) {
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

// hashOf is the hash in a revision's name and label: FNV-1 over the data and the decimal collision count, spelled with
// letters that make no words (HashControllerRevision upstream).
func hashOf(data []byte, collisions int32) string {
	h := fnv.New32()
	h.Write(data)
	h.Write(strconv.AppendInt(nil, int64(collisions), 10))
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	text := strconv.AppendUint(nil, uint64(h.Sum32()), 10)
	for i, c := range text {
		text[i] = letters[int(c)%len(letters)]
	}
	return string(text)
}

// maxRevisionPrefix leaves room for a dash and a hash in a name of 253 bytes.
const maxRevisionPrefix = 223

func revisionName(set, hash string) string {
	if len(set) > maxRevisionPrefix {
		set = strings.ToValidUTF8(set[:maxRevisionPrefix], "") // no half letter, which no message could carry
	}
	return set + "-" + hash
}

// sameTemplate compares two templates as upstream's semantic comparison does (setMatchesLatestExistingRevision): what
// older releases wrote differently does not count, because it reads back the same. A null is the same as nothing, and
// so are the empty objects that every API server fills in.
func sameTemplate(a, b jsontree.Value) bool { return same(a, b, "") }

// filledIn are the places of a template where an empty object equals a missing one: struct fields that are always
// encoded, and the one object that defaulting adds. Elsewhere the two differ, a label selector for one: {} selects
// everything, a missing one nothing.
var filledIn = map[string]bool{
	".metadata":                      true,
	".spec.securityContext":          true,
	".spec.containers.resources":     true,
	".spec.initContainers.resources": true,
	".metadata.labels":               true,
	".metadata.annotations":          true,
}

// droppedAlpha are fields that an API server stored once and has forgotten since: a revision may still hold them, the set
// that is served does not.
var droppedAlpha = map[string]bool{
	".spec.resourceClaims.source": true, // 1.26 to 1.30, gone from 1.31
}

func same(a, b jsontree.Value, path string) bool {
	if droppedAlpha[path] && (a.Kind == jsontree.Null || b.Kind == jsontree.Null) {
		return true
	}
	if filledIn[path] && a.IsEmpty() && b.IsEmpty() {
		return true
	}
	if a.Kind != b.Kind {
		// An object with nothing but nulls still differs from null; an absent member has been handled by the caller.
		return false
	}
	switch a.Kind {
	case jsontree.Object:
		return sameMembers(a, b, path) && sameMembers(b, a, path)
	case jsontree.Array:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !same(a.Items[i], b.Items[i], path) {
				return false
			}
		}
		return true
	case jsontree.Number:
		// A revision holds what a float64 keeps of a number, the set holds its text.
		return a.Text == b.Text || string(jsontree.Append(nil, a)) == string(jsontree.Append(nil, b))
	default:
		return a.Text == b.Text
	}
}

// sameMembers checks every member of a against b; a member that is null in one may be missing in the other.
func sameMembers(a, b jsontree.Value, path string) bool {
	for i := range a.Members {
		if !same(a.Members[i].Value, b.Get(a.Members[i].Key), path+"."+a.Members[i].Key) {
			return false
		}
	}
	return true
}
