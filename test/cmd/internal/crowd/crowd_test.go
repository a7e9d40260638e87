package crowd

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/test/need"
)

// TestAtRest: for a set with its belongings nothing is left to do; with fewer of them something is.
func TestAtRest(t *testing.T) {
	m := NewMaker()
	set := Set("shop", "web", 3)
	set.UID, set.ResourceVersion, set.Generation = "u", "1", 1
	all := need.Value(m.Make(context.Background(), set))(t)
	all.Revision.UID, all.Revision.ResourceVersion = "r", "1"
	for _, pod := range all.Pods {
		pod.UID, pod.ResourceVersion, pod.Status = types.UID(pod.Name), "1", Ready(time.Now().Add(-time.Hour))
	}
	set.Status = Status(set, all.Revision.Name)
	for name, row := range map[string]struct {
		of   *Belongings
		rest bool
	}{
		"everything":  {all, true},
		"a pod lacks": {&Belongings{Revision: all.Revision, Pods: all.Pods[1:]}, false},
		"no revision": {&Belongings{Pods: all.Pods}, false},
	} {
		request := need.Value(Request(set, row.of))(t)
		response, err := m.planner.Plan(context.Background(), request)
		if err != nil || response.GetPlan().GetConverged() != row.rest {
			t.Errorf("%s: converged %t, %v", name, response.GetPlan().GetConverged(), err)
		}
	}
}
