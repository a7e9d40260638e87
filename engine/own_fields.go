package engine

import (
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/ordinals"
)

// asks returns what a set asks for by an annotation, or by the field of the same meaning.
func (v *view) asks(annotation string) asked {
	if of, ok := v.fields[annotation]; ok {
		return of
	}
	return asked{annotation, v.set.Annotations[annotation]}
}

// asksNothing reports whether there is neither an annotation nor a field of ours, as nearly always.
func (v *view) asksNothing() bool { return len(v.set.Annotations) == 0 && len(v.fields) == 0 }

// readOwnFields reads the fields that mean the same as an annotation. It returns false if a field cannot be read or contradicts its
// annotation: whichever of them is wrong, the other may be there to keep pods.
func readOwnFields(v *view, out *draft) bool {
	if len(v.set.OwnFields) == 0 {
		return true
	}
	tree, err := jsontree.Parse(v.set.OwnFields)
	if err == nil && tree.Kind != jsontree.Object {
		err = errNoObject
	}
	if err != nil {
		out.block(blockInvalidOwnFields(v.set, err))
		return false
	}
	v.fields = make(map[string]asked, len(policies))
	for _, f := range policies {
		if f.field == "" {
			continue
		}
		value := tree
		for key := range strings.SplitSeq(strings.TrimPrefix(f.field, fieldPrefix), ".") {
			value = value.Get(key)
		}
		of := asked{f.field, v.listed(value)}
		if of.text == "" {
			continue
		}
		if text := v.set.Annotations[f.annotation]; text != "" && !v.sameText(f.annotation, of.text, text) {
			out.block(blockDisagree(v.set, of, asked{f.annotation, text}))
			return false
		}
		v.fields[f.annotation] = of
	}
	return true
}

// listed returns a value as an annotation would spell it. What no annotation can say becomes a text that is invalid as one.
func (v *view) listed(value jsontree.Value) string {
	switch value.Kind {
	case jsontree.Null:
		return ""
	case jsontree.Array:
		items := make([]string, len(value.Items()))
		for i, item := range value.Items() {
			if items[i] = v.listed(item); items[i] == "" || item.Kind == jsontree.Array {
				items[i] = "?"
			}
		}
		return strings.Join(items, ",")
	case jsontree.Object:
		return "{}"
	}
	return value.Text
}

// sameText reports whether two texts of an annotation mean the same.
func (v *view) sameText(annotation, a, b string) bool {
	if a == b || annotation != annotationReserved {
		return a == b
	}
	one, err := ordinals.New(0, a)
	other, err2 := ordinals.New(0, b)
	return err == nil && err2 == nil && one.Equal(&other)
}
