//go:build e2e

package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// atPath fits requests of one sort, by verb and the beginning of the path.
func atPath(verb, prefix string) func(call) bool {
	return func(c call) bool { return c.verb == verb && strings.HasPrefix(c.path, prefix) }
}

// ofStatus fits the write of a set's status, whole or as a patch.
func ofStatus(c call) bool {
	return (c.verb == http.MethodPut || c.verb == http.MethodPatch) && strings.HasPrefix(c.path, "statefulsets/web/status")
}

// twoUnavailable lets an update take two pods at once.
func twoUnavailable(set *appsv1.StatefulSet) {
	two := intstr.FromInt32(2)
	set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType,
		RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{MaxUnavailable: &two}}
}

// deletedWithAll makes claims go with their pods and with the set.
func deletedWithAll(set *appsv1.StatefulSet) {
	set.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
		WhenDeleted: appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
		WhenScaled:  appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
	}
}

// TestAdapterKilled: the adapter is killed at a chosen write, before or after the API server has carried it out. A new
// one finds what there is, and goes on from there.
func TestAdapterKilled(t *testing.T) {
	t.Parallel()
	update := func(s *scene) { s.image("web", "registry.example/nginx:2") }
	shrink := func(s *scene) { s.scale("web", 2) }
	tests := []struct {
		name    string
		options []func(*appsv1.StatefulSet)
		edit    func(s *scene) // nil: the set is being made
		fits    func(call) bool
		letGo   int
		created string // how often each pod was created in the end: web-0, web-1, ...
	}{
		{"claim and pod", nil, nil, atPath(http.MethodPost, "pods"), 0, "111"},
		{"second claim and pod", nil, nil, atPath(http.MethodPost, "pods"), 1, "111"},
		{"revision and pods", nil, update, atPath(http.MethodPost, "controllerrevisions"), 0, "222"},
		{"deletes of an update", []func(*appsv1.StatefulSet){twoUnavailable, parallel}, update, atPath(http.MethodDelete, "pods"), 1, "222"},
		{"delete and next delete", nil, update, atPath(http.MethodDelete, "pods"), 1, "222"},
		{"deletes of a scale-down", []func(*appsv1.StatefulSet){fiveReplicas, parallel}, shrink, atPath(http.MethodDelete, "pods"), 1, "11111"},
		{"claim owners and delete", []func(*appsv1.StatefulSet){deletedWithAll}, shrink, atPath(http.MethodDelete, "pods"), 0, "111"},
		{"delete and status", nil, update, ofStatus, 1, "222"},
	}
	for _, test := range tests {
		for when, done := range map[string]bool{"before": false, "after": true} {
			t.Run(test.name+" "+when, func(t *testing.T) {
				t.Parallel()
				s := lab(t)
				p := newProxy(t, s.config)
				config := s.adapterConfig("proxied", p.URL)
				a := s.ownAdapter("first", config, nil, unelected...)
				if test.edit != nil {
					s.create(webSet("web", 3, test.options...))
					s.settled("web")
				}
				f := p.freeze(test.letGo, done, test.fits)
				if test.edit == nil {
					s.create(webSet("web", 3, test.options...))
				} else {
					test.edit(s)
				}
				frozen := f.wait(s)
				a.kill()
				t.Logf("killed at %s", frozen.what())
				s.caughtUp(s)
				before := s.pods()
				s.carriedOut(frozen, done)

				p.set(nil)
				s.ownAdapter("second", config, nil, unelected...)
				s.settled("web")
				s.unbroken()
				p.preconditions(t)
				for i, n := range test.created {
					name := string([]byte{'w', 'e', 'b', '-', byte('0' + i)})
					if got := s.count("Pod", "+"+name); got != int(n-'0') {
						t.Errorf("%s was created %d times, want %c", name, got, n)
					}
					if got := s.count("PersistentVolumeClaim", "+www-"+name); got != 1 {
						t.Errorf("the claim of %s was created %d times", name, got)
					}
				}
				if !strings.HasPrefix(s.pods(), before) {
					t.Errorf("the story was %s\nand is      %s", before, s.pods())
				}
			})
		}
	}
}

// carriedOut checks that a write to a pod was done, or not, when its sender was killed; that of a new pod comes after its
// claim was made.
func (s *scene) carriedOut(c call, done bool) {
	s.Helper()
	want := map[bool]int{false: 0, true: 1}[done]
	switch {
	case c.what() == "POST pods":
		var pod metav1.PartialObjectMetadata
		if err := json.Unmarshal(c.body, &pod); err != nil {
			s.Fatal(err)
		}
		if n := s.count("Pod", "+"+pod.Name); n != want {
			s.Errorf("%s was created %d times before the kill, want %d", pod.Name, n, want)
		}
		if n := s.count("PersistentVolumeClaim", "+www-"+pod.Name); n != 1 {
			s.Errorf("the claim of %s was created %d times before the kill, want once", pod.Name, n)
		}
	case c.verb == http.MethodDelete:
		name := strings.TrimPrefix(c.path, "pods/")
		if n := s.count("Pod", "-"+name); n != want {
			s.Errorf("%s was deleted %d times before the kill, want %d", name, n, want)
		}
	}
}

func fiveReplicas(set *appsv1.StatefulSet) { *set.Spec.Replicas = 5 }
