package engine

import "fmt"

// check reports what is wrong with a selector; Kubernetes requires one that is not empty.
func (s *Selector) check() error {
	if len(s.MatchLabels) == 0 && len(s.Expressions) == 0 {
		return fmt.Errorf("it is empty")
	}
	for _, e := range s.Expressions {
		switch e.Operator {
		case "In", "NotIn":
			if len(e.Values) == 0 {
				return fmt.Errorf("%s on %q has no values", e.Operator, e.Key)
			}
		case "Exists", "DoesNotExist":
			if len(e.Values) != 0 {
				return fmt.Errorf("%s on %q has values", e.Operator, e.Key)
			}
		default:
			return fmt.Errorf("operator %q on %q is none of In, NotIn, Exists, DoesNotExist", e.Operator, e.Key)
		}
	}
	return nil
}

// matches evaluates a selector that check accepts. get returns a label's value.
func (s *Selector) matches(get func(key string) (string, bool)) bool {
	for key, wanted := range s.MatchLabels {
		if value, ok := get(key); !ok || value != wanted {
			return false
		}
	}
	for i := range s.Expressions {
		if !s.Expressions[i].matches(get) {
			return false
		}
	}
	return true
}

// matches has the meaning of labels.Requirement: NotIn and DoesNotExist hold where the key is missing.
func (e *Requirement) matches(get func(key string) (string, bool)) bool {
	value, present := get(e.Key)
	switch e.Operator {
	case "Exists":
		return present
	case "DoesNotExist":
		return !present
	case "In":
		return present && contains(e.Values, value)
	default:
		return !present || !contains(e.Values, value)
	}
}

func contains(list []string, text string) bool {
	for _, item := range list {
		if item == text {
			return true
		}
	}
	return false
}
