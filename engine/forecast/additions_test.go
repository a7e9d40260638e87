package forecast

import (
	"fmt"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestAddedClaims: an added claim template brings each pod a claim in the order of the update, and goes without one that takes it away.
func TestAddedClaims(t *testing.T) {
	const (
		wal   = `{"wal":{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"5Gi"}}}}}`
		asked = `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web:1","name":"web","volumeMounts":[{"mountPath":"/wal","name":"wal"}]}],"volumes":[{"name":"wal","persistentVolumeClaim":{"claimName":"wal"}}]}}`
	)
	of := func(s *model.Snapshot) (made, deleted, restarts string) {
		t.Helper()
		f := newForecast(newMeter(nil, nil), s, Options{})
		f.run(func(Step) bool { return true })
		r := f.record.result
		if r.Verdict != Converged {
			t.Errorf("it ends as %+v", r)
		}
		var names, pods []string
		for _, c := range r.Claims.Made {
			names = append(names, c.Claim)
		}
		for _, p := range r.Restarts {
			pods = append(pods, p.Pod)
		}
		return strings.Join(names, " "), fmt.Sprint(len(r.Claims.Deleted)), strings.Join(pods, " ")
	}
	add := func(set *model.Set) {
		set.Annotations, set.PodTemplate = map[string]string{"setplan.io/claim-templates": wal}, []byte(asked)
	}
	s := edit(running(t, withClaims(newSet(3))), add)
	if made, deleted, restarts := of(s); made != "wal-web-2 wal-web-1 wal-web-0" || deleted != "0" || restarts != "web-2 web-1 web-0" {
		t.Errorf("added: %q made, %s deleted, %q restarted", made, deleted, restarts)
	}
	set := withClaims(newSet(3))
	add(&set)
	s = edit(running(t, set), func(set *model.Set) { set.Annotations, set.PodTemplate = nil, []byte(template) })
	if made, deleted, restarts := of(s); made != "" || deleted != "0" || restarts != "web-2 web-1 web-0" {
		t.Errorf("taken back: %q made, %s deleted, %q restarted", made, deleted, restarts)
	}
}
