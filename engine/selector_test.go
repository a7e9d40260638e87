package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// plainlySelects is the plain meaning of a selector. The engine asks once for pods that share their labels, and apart for those of identity.
func plainlySelects(s *model.Selector, get func(key string) (string, bool)) bool {
	for key, wanted := range s.MatchLabels {
		if value, ok := get(key); !ok || value != wanted {
			return false
		}
	}
	for i := range s.Expressions {
		if !plainlyHolds(&s.Expressions[i], get) {
			return false
		}
	}
	return true
}

// plainlyHolds has the meaning of labels.Requirement: NotIn and DoesNotExist hold if the key is missing.
func plainlyHolds(e *model.Requirement, get func(key string) (string, bool)) bool {
	value, present := get(e.Key)
	switch e.Operator {
	case "Exists":
		return present
	case "DoesNotExist":
		return !present
	case "In":
		return present && slices.Contains(e.Values, value)
	default:
		return !present || !slices.Contains(e.Values, value)
	}
}

// TestMatcher compares both ways on short and long selectors and short and long lists of labels.
func TestMatcher(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	keys := []string{"k", model.LabelRevision, model.LabelPodName, model.LabelPodIndex}
	for i := range 40 {
		keys = append(keys, fmt.Sprint("k", i))
	}
	key := func() string { return keys[random.IntN(1+random.IntN(len(keys)))] } // the first ones more often: several requirements are about them
	value := func() string { return fmt.Sprint(random.IntN(3)) }
	matched := 0
	for range 20_000 {
		s := model.Selector{MatchLabels: map[string]string{}}
		for range random.IntN(3) {
			s.MatchLabels[key()] = value()
		}
		for range random.IntN(1 + random.IntN(30)) {
			e := model.Requirement{Key: key(), Operator: []string{"NotIn", "In", "Exists", "DoesNotExist", "NotIn", "In"}[random.IntN(6)]}
			for e.Operator[len(e.Operator)-1] == 'n' && len(e.Values) < 2 {
				e.Values = append(e.Values, value())
			}
			s.Expressions = append(s.Expressions, e)
		}
		d := newView(&model.Snapshot{Set: model.Set{Spec: model.Spec{Selector: s}}})
		for range 4 {
			labels := &model.Labels{Values: map[string]string{}}
			for range random.IntN(1 + random.IntN(40)) {
				labels.Values[key()] = value()
			}
			get := func(key string) (string, bool) { v, ok := labels.Values[key]; return v, ok }
			want := plainlySelects(&s, get)
			if got := d.Selects(labels.Values); got != want {
				t.Fatalf("%+v on %v: %t, want %t", s, labels.Values, got, want)
			}
			if want {
				matched++
			}
			p := &model.Pod{Name: "web-1", Labels: labels, PodNameLabel: random.IntN(2) == 0, PodIndexLabel: random.IntN(2) == 0}
			if random.IntN(2) == 0 {
				p.Revision = value()
			}
			for range 2 { // the second time it is remembered
				if got, want := d.SelectsPod(p), plainlySelects(&s, p.Label); got != want {
					t.Fatalf("%+v on pod %+v with %v: %t, want %t", s, p, labels.Values, got, want)
				}
			}
		}
	}
	if matched < 1000 {
		t.Errorf("only %d of 80000 match: the test says little", matched)
	}
}
