package engine

import "slices"

// check reports what is wrong with a selector; Kubernetes requires one that is not empty.
func (s *Selector) check() error {
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

// longList is the length from which on values are looked up, and not compared one by one.
const longList = 8

// lookups are the values of expressions with long lists, by expression; nil: there are none.
func (s *Selector) lookups() (all []map[string]bool) {
	for i := range s.Expressions {
		values := s.Expressions[i].Values
		if len(values) < longList {
			continue
		}
		if all == nil {
			all = make([]map[string]bool, len(s.Expressions))
		}
		all[i] = make(map[string]bool, len(values))
		for _, value := range values {
			all[i][value] = true
		}
	}
	return all
}

// matches evaluates the set's selector, as far as it is about keys of some kind. label returns an object's label.
func (v *view) matches(label func(key string) (string, bool), of func(key string) bool) bool {
	s := &v.set.Selector
	for key, value := range s.MatchLabels {
		if has, present := label(key); of(key) && (!present || has != value) {
			return false
		}
	}
	for i := range s.Expressions {
		e := &s.Expressions[i]
		if !of(e.Key) {
			continue
		}
		value, present := label(e.Key)
		among := false
		if long := v.matching.lookups; long != nil && long[i] != nil {
			among = long[i][value]
		} else {
			among = slices.Contains(e.Values, value)
		}
		if !e.matches(present, among) {
			return false
		}
	}
	return true
}

// matches has the meaning of labels.Requirement. among: the label's value is one of the requirement's.
func (e *Requirement) matches(present, among bool) bool {
	switch e.Operator {
	case "Exists":
		return present
	case "DoesNotExist":
		return !present
	case "In":
		return present && among
	}
	return !present || !among
}

// names reports whether the selector says anything about keys of some kind.
func (s *Selector) names(of func(key string) bool) bool {
	for key := range s.MatchLabels {
		if of(key) {
			return true
		}
	}
	return slices.ContainsFunc(s.Expressions, func(e Requirement) bool { return of(e.Key) })
}
