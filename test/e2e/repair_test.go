//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// A pod that was ready once is left alone when it becomes unready, although the set has a new template. The policy Unready
// replaces it.
func TestRepairWasReady(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, partition(2)))
	s.settled("web")
	s.image("web", image2)
	s.steady("web", 1)
	time.Sleep(2 * time.Second) // the API keeps whole seconds
	s.becomesUnready("web", "web-2")
	story := []string{born("web-0"), born("web-1"), born("web-2"), replaced("web-2")}
	s.image("web", image3)
	s.observed("web")
	s.blocked("web", "POD_NOT_READY", "Pod/web-2", "kubectl delete pod web-2")
	s.quiet(12 * time.Second)

	s.patch("web", `{"metadata":{"annotations":{"setplan.io/repair":"Unready"}}}`)
	s.steady("web", 1)
	s.wantImages("web", "nginx:1", "nginx:1", "nginx:3")
	s.tells("web", "1 Repairing Replace Pod web-2 in StatefulSet web. The pod is not ready at revision ")
	if got := s.count("Pod", "+web-2"); got != 3 {
		t.Errorf("%s\nweb-2 was created %d times, want 3 after %v", s.pods(), got, story)
	}
}

// With a partition above the bad pods they are recreated at the current revision, also under Parallel.
func TestRepairBelowThePartition(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		options []func(*appsv1.StatefulSet)
		bad     []string
	}{
		{"OrderedReady", nil, []string{"web-2"}},
		{"Parallel", []func(*appsv1.StatefulSet){parallel, twoUnavailable}, []string{"web-2", "web-1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, shared.cluster)
			s.create(webSet("web", 3, test.options...))
			s.settled("web")
			s.image("web", broken)
			for _, pod := range test.bad {
				eventually(t, 60*time.Second, pod+" is at the broken template", func() error { return s.hasImage(pod, broken) })
			}
			s.observed("web")
			s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":3}}}}`)
			s.steady("web", 0)
			s.wantImages("web", "nginx:1", "nginx:1", "nginx:1")
			s.unbroken()
		})
	}
}

// TestRepairKilled: the adapter is killed at the deletion of the bad pod or at the creation of its successor, before or after
// the API server carries it out. A new adapter reads the cluster, and the set comes to rest.
func TestRepairKilled(t *testing.T) {
	t.Parallel()
	for _, policy := range []struct {
		name    string
		options []func(*appsv1.StatefulSet)
		mend    func(s *scene)
		rests   func(s *scene)
		images  string
		created string // how often each pod is created in all
	}{
		{"OrderedReady", nil,
			func(s *scene) { s.image("web", image2) }, func(s *scene) { s.settled("web") }, "nginx:2", "223"},
		{"Parallel", []func(*appsv1.StatefulSet){parallel},
			func(s *scene) { s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":3}}}}`) },
			func(s *scene) { s.steady("web", 0) }, "nginx:1", "113"},
	} {
		for _, at := range []string{http.MethodDelete, http.MethodPost} {
			for when, done := range map[string]bool{"before": false, "after": true} {
				t.Run(fmt.Sprintf("%s/%s %s", policy.name, at, when), func(t *testing.T) {
					t.Parallel()
					s := lab(t)
					p := newProxy(t, s.config)
					config := s.adapterConfig("proxied", p.URL)
					a := s.ownAdapter("first", config, nil, unelected...)
					s.create(webSet("web", 3, policy.options...))
					s.settled("web")
					s.image("web", broken)
					eventually(t, 60*time.Second, "web-2 is at the broken template", func() error { return s.hasImage("web-2", broken) })
					s.observed("web")

					f := p.freeze(0, done, atPath(at, "pods"))
					policy.mend(s)
					frozen := f.wait(s)
					a.kill()
					t.Logf("killed at %s", frozen.what())
					p.set(nil)
					s.ownAdapter("second", config, nil, unelected...)
					policy.rests(s)
					s.unbroken()
					p.preconditions(t)
					s.wantImages("web", policy.images, policy.images, policy.images)
					for i, n := range policy.created {
						name := fmt.Sprint("web-", i)
						if got := s.count("Pod", "+"+name); got != int(n-'0') {
							t.Errorf("%s was created %d times, want %c", name, got, n)
						}
						if got := s.count("PersistentVolumeClaim", "+www-"+name); got != 1 {
							t.Errorf("the claim of %s was created %d times", name, got)
						}
					}
				})
			}
		}
	}
}
