package forecast

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// noon is the time of every snapshot.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const template = `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web:1","name":"web"}]}}`

// newSet is a set "web" that has never been seen by a controller.
func newSet(replicas int32) model.Set {
	return model.Set{Object: model.Object{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: "web", UID: "set-uid", Generation: 1, ResourceVersion: "1"},
		Spec: model.Spec{Replicas: replicas, Selector: model.Selector{MatchLabels: map[string]string{"app": "web"}}, ServiceName: "web",
			RollingUpdate: &model.RollingUpdate{}, RevisionHistoryLimit: 10}, PodTemplate: []byte(template)}
}

// withClaims gives a set a claim template.
func withClaims(set model.Set) model.Set {
	set.ClaimTemplates = [][]byte{[]byte(`{"metadata":{"name":"www"},"spec":{"accessModes":["ReadWriteOnce"]}}`)}
	return set
}

// image is a template with another image.
func image(name string) []byte { return []byte(strings.Replace(template, "web:1", name, 1)) }

// running is the snapshot of a set that runs for an hour: it is forecast.
func running(t testing.TB, set model.Set) *model.Snapshot {
	t.Helper()
	f := newForecast(newMeter(nil, nil), &model.Snapshot{ObservedAt: noon.Add(-time.Hour), Coverage: model.Coverage{Pods: true, Claims: true, Revisions: true},
		Set: set, Rules: model.Setplan(), Capabilities: model.AllCapabilities}, Options{})
	f.run(func(Step) bool { return true })
	if r := f.record.result; r.Verdict != Converged {
		t.Fatalf("the set does not run: %+v", r)
	}
	f.ObservedAt = noon
	s := f.Snapshot
	slices.SortFunc(s.Pods, func(a, b model.Pod) int { return byName(a.Name, b.Name) })
	return &s
}

// edit changes the spec of a snapshot's set.
func edit(s *model.Snapshot, change func(*model.Set)) *model.Snapshot {
	edited := *s
	if s.Set.RollingUpdate != nil {
		same := *s.Set.RollingUpdate
		edited.Set.RollingUpdate = &same
	}
	change(&edited.Set)
	edited.Set.Generation++
	return &edited
}

// break lets a pod of the snapshot be not ready: it never was, or no longer is.
func breakPod(s *model.Snapshot, name string, neverReady bool) *model.Snapshot {
	broken := *s
	broken.Pods = slices.Clone(s.Pods)
	for i := range broken.Pods {
		if p := &broken.Pods[i]; p.Name == name {
			p.Ready, p.StartedAt, p.ReadyChangedAt = false, p.CreatedAt, p.CreatedAt.Add(time.Minute)
			if neverReady {
				p.ReadyChangedAt = p.StartedAt
			}
		}
	}
	return &broken
}

// forecastOf runs a forecast to its end.
func forecastOf(t testing.TB, s *model.Snapshot, o Options) ([]Step, *Result) {
	t.Helper()
	steps, result := Run(nil, s, o)
	all := slices.Collect(steps)
	if result() == nil {
		t.Fatal("no result")
	}
	return all, result()
}

// restarts are the restarted pods.
func (r *Result) restarts() string {
	var names []string
	for _, restart := range r.Restarts {
		names = append(names, restart.Pod)
	}
	return strings.Join(names, " ")
}
