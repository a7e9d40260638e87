package state

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// CheckSelector reports what is wrong with a selector; Kubernetes requires one that is not empty.
func CheckSelector(s *model.Selector) error {
	if len(s.MatchLabels) == 0 && len(s.Expressions) == 0 {
		return errEmptySelector
	}
	for i := range s.Expressions {
		switch e := &s.Expressions[i]; e.Operator {
		case "In", "NotIn":
			if len(e.Values) == 0 {
				return errNoValues(e)
			}
		case "Exists", "DoesNotExist":
			if len(e.Values) != 0 {
				return errValues(e)
			}
		default:
			return errOperator(e)
		}
	}
	return nil
}

// required is what all expressions of a selector together say of a key. Many may be about one, and each may have many values.
type required struct {
	key             string
	present, absent bool
	in, notIn       map[string]bool // in is nil where any value is
}

// requiredBy has each key once.
func requiredBy(s *model.Selector) (keys []required) {
	at := map[string]int{}
	for i := range s.Expressions {
		e := &s.Expressions[i]
		if _, known := at[e.Key]; !known {
			at[e.Key] = len(keys)
			keys = append(keys, required{key: e.Key, notIn: map[string]bool{}})
		}
		keys[at[e.Key]].add(e)
	}
	return keys
}

func (r *required) add(e *model.Requirement) {
	switch e.Operator {
	case "Exists":
		r.present = true
	case "DoesNotExist":
		r.absent = true
	case "In":
		in := map[string]bool{}
		for _, value := range e.Values {
			if r.in == nil || r.in[value] {
				in[value] = true
			}
		}
		r.present, r.in = true, in
	default:
		for _, value := range e.Values {
			r.notIn[value] = true
		}
	}
}

// holds has the meaning of labels.Requirement: NotIn and DoesNotExist hold if the key is missing.
func (r *required) holds(value string, present bool) bool {
	if !present {
		return !r.present
	}
	return !r.absent && !r.notIn[value] && (r.in == nil || r.in[value])
}

// matches evaluates the set's selector, as far as it is about keys of some kind. label returns an object's label.
func (v *View) matches(label func(key string) (string, bool), of func(key string) bool) (found selected) {
	s, m := &v.Set.Selector, &v.matching
	for key, value := range s.MatchLabels {
		if !of(key) {
			found.partly = true
		} else if has, present := label(key); !present || has != value {
			return selected{}
		}
	}
	if m.required == nil && len(s.Expressions) > 0 {
		m.required = requiredBy(s)
	}
	for i := range m.required {
		if r := &m.required[i]; !of(r.key) {
			found.partly = true
		} else if !r.holds(label(r.key)) {
			return selected{}
		}
	}
	found.matches = true
	return found
}

// selectorNames reports whether the selector says anything about keys of some kind.
func selectorNames(s *model.Selector, of func(key string) bool) bool {
	for key := range s.MatchLabels {
		if of(key) {
			return true
		}
	}
	return slices.ContainsFunc(s.Expressions, func(e model.Requirement) bool { return of(e.Key) })
}
