package engine

import "github.com/setplan/setplan/engine/jsontree"

// matching is the set's selector, and what it has said about the label sets that pods share.
type matching struct {
	read     bool
	whole    matcher // for objects with all their labels in one list
	identity matcher // on the labels that differ from pod to pod
	shared   matcher // on the others

	last        *Labels
	lastMatches bool
	known       map[*Labels]bool // nil while all pods so far share one label set, or nearly
}

func identityLabel(key string) bool {
	return key == labelPodName || key == labelPodIndex || key == labelRevision
}

// selector reads the selector once.
func (v *view) selector() *matching {
	m := &v.matching
	if m.read {
		return m
	}
	m.read = true
	s := &v.set.Selector
	units := len(s.MatchLabels) + len(s.Expressions)
	for i := range s.Expressions {
		units += len(s.Expressions[i].Values)
	}
	v.meter.work(partSelector, units)
	m.whole = newMatcher(v.meter, s, v.few.labels[:], func(string) bool { return true })
	m.shared = m.whole
	if m.whole.names(identityLabel) {
		m.identity = newMatcher(v.meter, s, nil, identityLabel)
		m.shared = newMatcher(v.meter, s, nil, func(key string) bool { return !identityLabel(key) })
	}
	m.lastMatches = m.shared.matches(nil)
	return m
}

// namesIdentity reports whether the selector names a label that differs from pod to pod.
func (m *matching) namesIdentity() bool { return !m.identity.saysNothing() }

// selects reports whether the selector matches an object's labels.
func (v *view) selects(labels map[string]string) bool {
	v.meter.work(partSelector, 1+len(labels))
	return v.selector().whole.matches(labels)
}

// selectsTree is the same for labels of a template.
func (v *view) selectsTree(labels jsontree.Value) bool {
	return v.selects(v.meter.counting(partSelector).Strings(labels))
}

// selectsPod evaluates the selector once for all pods that share their labels, which is nearly all of them, and for each
// what it says about identity labels.
func (v *view) selectsPod(p *Pod) bool {
	m := v.selector()
	if p.Labels != m.last {
		m.last, m.lastMatches = p.Labels, v.matchesShared(m, p.Labels)
	}
	return m.lastMatches && (!m.namesIdentity() || m.identity.matchesPod(p))
}

// fewLabels is how many labels are quicker matched again than remembered.
const fewLabels = 8

func (v *view) matchesShared(m *matching, labels *Labels) bool {
	if labels == nil {
		return m.shared.matches(nil)
	}
	if len(labels.Values) <= fewLabels {
		v.meter.work(partSelector, len(labels.Values))
		return m.shared.matches(labels.Values)
	}
	matches, known := m.known[labels]
	if !known {
		v.meter.work(partSelector, len(labels.Values))
		matches = m.shared.matches(labels.Values)
		if m.known == nil {
			m.known = make(map[*Labels]bool)
		}
		m.known[labels] = matches
	}
	return matches
}
