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

// matches evaluates a selector that check accepts, as far as it is about keys of some kind. label returns an object's label.
func (s *Selector) matches(label func(key string) (string, bool), of func(key string) bool) bool {
	for key, value := range s.MatchLabels {
		if has, present := label(key); of(key) && (!present || has != value) {
			return false
		}
	}
	for i := range s.Expressions {
		if e := &s.Expressions[i]; of(e.Key) && !e.matches(label(e.Key)) {
			return false
		}
	}
	return true
}

// matches has the meaning of labels.Requirement.
func (e *Requirement) matches(value string, present bool) bool {
	switch e.Operator {
	case "Exists":
		return present
	case "DoesNotExist":
		return !present
	case "In":
		return present && slices.Contains(e.Values, value)
	}
	return !present || !slices.Contains(e.Values, value)
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
