package state

import (
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/ordinals"
	"github.com/setplan/setplan/engine/policy"
)

// Asks returns what a set asks for by an annotation, or by the field of the same meaning.
func (v *View) Asks(annotation string) policy.Asked {
	if of, ok := v.fields[annotation]; ok {
		return of
	}
	return policy.Asked{Name: annotation, Text: v.Set.Annotations[annotation]}
}

// AsksNothing reports whether the set has no annotation and no field of ours. Most sets have none.
func (v *View) AsksNothing() bool { return len(v.Set.Annotations) == 0 && len(v.fields) == 0 }

// ReadOwnFields reads the fields that mean the same as an annotation. It returns false if a field cannot be read or contradicts its
// annotation: whichever of them is wrong, the other may be there to keep pods.
func ReadOwnFields(v *View, out *Draft) bool {
	if len(v.Set.OwnFields) == 0 {
		return true
	}
	tree, err := jsontree.Parse(v.Set.OwnFields)
	if err == nil && tree.Kind != jsontree.Object {
		err = ErrNoObject
	}
	if err != nil {
		out.Block(blockInvalidOwnFields(v.Set, err))
		return false
	}
	v.fields = make(map[string]policy.Asked, len(policy.All))
	for _, f := range policy.All {
		if f.Field == "" {
			continue
		}
		value := tree
		for key := range strings.SplitSeq(strings.TrimPrefix(f.Field, policy.FieldPrefix), ".") {
			value = value.Get(key)
		}
		of := policy.Asked{Name: f.Field, Text: v.listed(value)}
		if of.Text == "" {
			continue
		}
		if text := v.Set.Annotations[f.Annotation]; text != "" && !v.sameText(f.Annotation, of.Text, text) {
			out.Block(blockDisagree(v.Set, of, policy.Asked{Name: f.Annotation, Text: text}))
			return false
		}
		v.fields[f.Annotation] = of
	}
	return true
}

// listed returns a value as an annotation would spell it. What no annotation can say becomes a text that is invalid as one.
func (v *View) listed(value jsontree.Value) string {
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
func (v *View) sameText(annotation, a, b string) bool {
	if a == b || annotation != policy.Reserved {
		return a == b
	}
	one, err := ordinals.New(0, a)
	other, err2 := ordinals.New(0, b)
	return err == nil && err2 == nil && one.Equal(&other)
}
