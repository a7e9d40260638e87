package invariants

import (
	"testing"

	"github.com/setplan/setplan/test/invariants/law"
)

// TestNoneIsOnItsWayAtRest: a set whose pod is still given images is not in the desired state, whatever the pod's label says. A note that nobody can read
// stays where the pod is held, and so does a way that the set no longer goes.
func TestNoneIsOnItsWayAtRest(t *testing.T) {
	for reason, row := range map[string]struct {
		under     string
		partition int
		inPlace   bool
		right     bool
	}{
		"at rest":                            {"", 0, true, true},
		"on its way":                         {"web-new", 0, true, false},
		"on its way, below the partition":    {"web-new", 1, true, false},
		"and its set recreates pods now":     {"web-new", 1, false, true},
		"and nothing holds it":               {"web-new", 0, false, false},
		"nobody can read it":                 {law.Unreadable, 0, true, false},
		"nobody can read it, and it is held": {law.Unreadable, 1, true, true},
	} {
		s := &law.Set{Replicas: 1, Partition: row.partition, InPlace: row.inPlace, Update: "web-new", Places: []law.Place{{Pod: law.Pod{Exists: true, Ours: true, Revision: "web-new", Under: row.under}}}}
		for _, invariant := range law.AtRest {
			if invariant.Name != law.PodsAreUpToDate {
				continue
			}
			if err := invariant.Holds(s); (err == nil) != row.right {
				t.Errorf("%s: %v", reason, err)
			}
		}
	}
}
