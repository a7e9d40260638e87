package engine

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

// matcher is a selector that check accepts, made ready to be asked about many objects: what one costs depends on its own
// labels, not on the selector's length.
type matcher struct {
	meter      *Meter
	fixed      []labelPair                // matchLabels
	conditions []labelCondition           // those on keys that have to be there come first
	needed     int                        // how many those are
	optional   map[string]*labelCondition // the others, where there are many
}

type labelPair struct{ key, value string }

// labelCondition is all that a selector's expressions say about one key, with the meaning of labels.Requirement.
type labelCondition struct {
	key            string
	needed, banned bool
	oneOf          map[string]bool // by every In; nil: any
	noneOf         map[string]bool // by any NotIn
}

// fewConditions is how many conditions are quicker asked one by one than looked up.
const fewConditions = 8

// newMatcher takes the conditions of a selector whose keys are to be kept. few is memory for few of them.
func newMatcher(meter *Meter, s *Selector, few []labelPair, keep func(key string) bool) (m matcher) {
	m.meter = meter
	if len(s.MatchLabels) > 0 {
		m.fixed = room(few, len(s.MatchLabels))
	}
	turn := 0
	for key, value := range s.MatchLabels {
		turn++
		meter.pause(turn)
		if keep(key) {
			m.fixed = append(m.fixed, labelPair{key, value})
		}
	}
	if len(s.Expressions) == 0 {
		return m
	}
	var at map[string]int
	if len(s.Expressions) > fewConditions {
		at = make(map[string]int, len(s.Expressions))
	}
	m.conditions = make([]labelCondition, 0, len(s.Expressions))
	for i := range s.Expressions {
		meter.pause(i)
		if e := &s.Expressions[i]; keep(e.Key) {
			m.on(e.Key, at).add(meter, e)
		}
	}
	m.sort()
	return m
}

// on returns the condition on a key. at finds it where there are many.
func (m *matcher) on(key string, at map[string]int) *labelCondition {
	if at != nil {
		if i, known := at[key]; known {
			return &m.conditions[i]
		}
		at[key] = len(m.conditions)
	} else {
		for i := range m.conditions {
			if m.conditions[i].key == key {
				return &m.conditions[i]
			}
		}
	}
	m.conditions = append(m.conditions, labelCondition{key: key})
	return &m.conditions[len(m.conditions)-1]
}

// add narrows a condition by one more requirement.
func (c *labelCondition) add(meter *Meter, e *Requirement) {
	switch e.Operator {
	case "Exists":
		c.needed = true
	case "DoesNotExist":
		c.banned = true
	case "In":
		c.needed = true
		both := make(map[string]bool, len(e.Values))
		for i, value := range e.Values {
			meter.pause(i)
			if c.oneOf == nil || c.oneOf[value] {
				both[value] = true
			}
		}
		c.oneOf = both
	default:
		if c.noneOf == nil {
			c.noneOf = make(map[string]bool, len(e.Values))
		}
		for i, value := range e.Values {
			meter.pause(i)
			c.noneOf[value] = true
		}
	}
}

func (m *matcher) sort() {
	for i := range m.conditions {
		m.meter.pause(i)
		if m.conditions[i].needed {
			m.conditions[i], m.conditions[m.needed] = m.conditions[m.needed], m.conditions[i]
			m.needed++
		}
	}
	optional := m.conditions[m.needed:]
	if len(optional) <= fewConditions {
		return
	}
	m.optional = make(map[string]*labelCondition, len(optional))
	for i := range optional {
		m.meter.pause(i)
		m.optional[optional[i].key] = &optional[i]
	}
}

// matches evaluates the selector on labels.
func (m *matcher) matches(labels map[string]string) bool {
	if m.needed > len(labels) || !m.matchesFixed(labels) {
		return false
	}
	conditions := m.conditions
	if len(labels) < len(m.optional) {
		conditions = conditions[:m.needed]
		turn := 0
		for key, value := range labels {
			turn++
			m.meter.pause(turn)
			if c := m.optional[key]; c != nil && !c.holds(value, true) {
				return false
			}
		}
	}
	for i := range conditions {
		m.meter.pause(i)
		c := &conditions[i]
		if value, present := labels[c.key]; !c.holds(value, present) {
			return false
		}
	}
	return true
}

// matchesFixed evaluates matchLabels. There may be no more of them than labels, so that it takes no longer than the labels do.
func (m *matcher) matchesFixed(labels map[string]string) bool {
	if len(m.fixed) > len(labels) {
		return false
	}
	for i := range m.fixed {
		m.meter.pause(i)
		if value, present := labels[m.fixed[i].key]; !present || value != m.fixed[i].value {
			return false
		}
	}
	return true
}

// names reports whether the selector says anything about keys of some kind.
func (m *matcher) names(kind func(key string) bool) bool {
	for i := range m.fixed {
		m.meter.pause(i)
		if kind(m.fixed[i].key) {
			return true
		}
	}
	for i := range m.conditions {
		m.meter.pause(i)
		if kind(m.conditions[i].key) {
			return true
		}
	}
	return false
}

// saysNothing reports whether any object matches.
func (m *matcher) saysNothing() bool { return len(m.fixed)+len(m.conditions) == 0 }

// matchesPod evaluates a selector of few keys on a pod, whose identity labels are not in its list of labels.
func (m *matcher) matchesPod(p *Pod) bool {
	for i := range m.fixed {
		if value, present := p.label(m.fixed[i].key); !present || value != m.fixed[i].value {
			return false
		}
	}
	for i := range m.conditions {
		c := &m.conditions[i]
		if value, present := p.label(c.key); !c.holds(value, present) {
			return false
		}
	}
	return true
}

func (c *labelCondition) holds(value string, present bool) bool {
	if !present {
		return !c.needed
	}
	return !c.banned && (c.oneOf == nil || c.oneOf[value]) && !c.noneOf[value]
}
