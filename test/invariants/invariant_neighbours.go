package invariants

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters/sim"
)

// NeighboursKeepTheirs: what another set of the namespace calls its own is not drained. An adapter that has seen that set
// neither makes a drain pod on such a claim nor deletes it, whatever its marks say: that set may have no drain policy, and
// then marks nothing.
func NeighboursKeepTheirs(c *Check) error {
	if c.View == nil {
		return nil
	}
	var claims []string
	switch pod, _ := c.Event.New.(*corev1.Pod); {
	case c.Event.Kind == sim.KindClaim && c.deletes():
		claims = []string{c.Event.Name}
	case c.Event.Kind == sim.KindPod && c.Event.Verb == "create" && c.ofDrainPod():
		claims = sim.ClaimsOf(pod)
	}
	for _, claim := range claims {
		for _, other := range c.View.Names(sim.KindSet) {
			if r := read(c.View.State, other); other != c.Set && r != nil && r.callsIts(claim) {
				return fmt.Errorf("claim %s is set %s's as well", claim, other)
			}
		}
	}
	return nil
}

// callsIts reports whether a claim has the name of one of the set's.
func (r *reading) callsIts(claim string) bool {
	for _, template := range r.spec.ClaimTemplateNames() {
		pod, ok := strings.CutPrefix(claim, template+"-")
		if _, ours := ordinalOf(pod, r.set.Name); ok && ours {
			return true
		}
	}
	return false
}
