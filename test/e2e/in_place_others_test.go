//go:build e2e

package e2e

import (
	"context"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// resizePod asks for other resources of a pod, as an autoscaler does.
func (s *scene) resizePod(name, resources string) {
	s.Helper()
	patch := `{"spec":{"containers":[{"name":"nginx","resources":` + resources + `}]}}`
	if _, err := s.client.CoreV1().Pods(s.namespace).Patch(context.Background(), name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{}, "resize"); err != nil {
		s.Fatal(err)
	}
}

// withTier gives pods a label that the selector does not read, and an annotation.
func withTier(set *appsv1.StatefulSet) {
	set.Spec.Template.Labels = map[string]string{"app": set.Name, "tier": "gold"}
	set.Spec.Template.Annotations = map[string]string{"plan": "daily"}
}

// TestInPlaceLeavesOthersAlone: an autoscaler has resized pods of a set at rest, and somebody has changed and removed their labels and annotations. Nothing
// is written, by an adapter that has seen the pods before and by one that has not. A new revision overwrites what it differs in, and nothing else.
func TestInPlaceLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	s := lab(t)
	h := newHosts(s)
	then := s.toldInPlace()
	config := s.adapterConfig("direct", "")
	a := s.ownAdapter("first", config, nil, unelected...)
	s.create(webSet("web", 2, parallel, withoutClaims, withTier, memoryLimit("32Mi"), annotated("setplan.io/in-place", "InPlaceIfPossible")))
	h.settled("web")
	s.image("web", image2) // from here on the planner is told what runs in the pods
	then("image web-1", "there web-1", "image web-0", "there web-0")
	s.settled("web")
	pods := s.podUIDs()

	s.resizePod("web-1", `{"requests":{"cpu":"25m","memory":"20Mi"},"limits":{"memory":"48Mi"}}`)
	s.patchPod("web-1", `{"metadata":{"labels":{"tier":"lead","theirs":"1"},"annotations":{"plan":null,"example.com/theirs":"1"}}}`)
	s.patchPod("web-0", `{"metadata":{"labels":{"tier":null},"annotations":{"plan":"hourly"}}}`)
	then("size web-1")
	h.looked()
	seen, acts := map[string]string{}, s.acts()
	for name := range pods {
		seen[name] = s.pod(name).ResourceVersion
	}
	rests := func(a *adapter) {
		t.Helper()
		a.becomes(`setplan_adapter_sets{state="converged"}`, 1)
		time.Sleep(2 * time.Second)
		for name, version := range seen {
			if now := s.pod(name); now.ResourceVersion != version {
				t.Errorf("%s was written: %s, %v, %v", name, sizesOf(now), now.Labels, now.Annotations)
			}
		}
		if r := s.why("web"); !r.Converged || len(r.Next) > 0 {
			t.Errorf("it says %+v", r)
		}
	}
	rests(a)
	a.kill()
	rests(s.ownAdapter("second", config, nil, unelected...))
	if now := s.acts(); len(now) != len(acts) {
		t.Errorf("there were new writes: %v", now[len(acts):])
	}

	s.limit("web", "64Mi")
	s.patch("web", `{"spec":{"template":{"metadata":{"annotations":{"plan":"weekly"}}}}}`)
	s.settled("web")
	for name, want := range map[string]string{"web-0": " weekly nginx=0,64Mi/10m,16Mi", "web-1": "lead weekly nginx=0,64Mi/25m,20Mi"} {
		pod := s.pod(name)
		if got := pod.Labels["tier"] + " " + pod.Annotations["plan"] + " " + sizesOf(pod); got != want {
			t.Errorf("%s has %q, want %q", name, got, want)
		}
	}
	if got, want := s.restartsOf("web-1"), "nginx 1"; got != want {
		t.Errorf("containers of web-1 were started anew: %s, want %s", got, want)
	}
	s.samePods(pods)
	s.unbroken()
}
