//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
)

// wantPods checks the story of all pods of the scene, in order.
func (s *scene) wantPods(want ...string) {
	s.Helper()
	s.caughtUp(s)
	if got, want := s.pods(), strings.Join(want, " "); got != want {
		s.Errorf("pods: %s\nwant: %s", got, want)
	}
}

// reaches waits until the story of all pods is exactly these words.
func (s *scene) reaches(want ...string) {
	s.Helper()
	eventually(s, 60*time.Second, "pods: "+strings.Join(want, " "), func() error {
		if got := s.pods(); got != strings.Join(want, " ") {
			return fmt.Errorf("pods: %s", got)
		}
		return nil
	})
}

// quiet checks that for a while no pod is created or deleted, or changes its readiness.
func (s *scene) quiet(d time.Duration) {
	s.Helper()
	s.caughtUp(s)
	before := s.pods()
	s.stays(d, "the story of pods", func() error {
		if now := s.pods(); now != before {
			return fmt.Errorf("%s\nwent on after %s", now, before)
		}
		return nil
	})
}

// born and replaced are words of a story: a pod's creation until ready, and its deletion and recreation.
func born(name string) string     { return fmt.Sprintf("+%[1]s ready %[1]s", name) }
func gone(name string) string     { return fmt.Sprintf("-%[1]s gone %[1]s", name) }
func replaced(name string) string { return gone(name) + " " + born(name) }

// replay goes through a history's pods: after each change, see gets the change and the pods that exist then.
func (h *history) replay(see func(c change, pods map[string]*unstructured.Unstructured)) {
	pods := map[string]*unstructured.Unstructured{}
	for _, c := range h.all() {
		if c.kind() != "Pod" {
			continue
		}
		if pods[c.name()] = c.object; c.event == watch.Deleted {
			delete(pods, c.name())
		}
		see(c, pods)
	}
}

// created returns the pods with a name in the order of their creation, as they were then.
func (h *history) created(kind, name string) []*unstructured.Unstructured {
	var all []*unstructured.Unstructured
	for _, c := range h.all() {
		if c.kind() == kind && c.name() == name && c.event == watch.Added {
			all = append(all, c.object)
		}
	}
	return all
}

// readyAt is when a pod became ready, in the API's whole seconds.
func readyAt(object *unstructured.Unstructured) time.Time {
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		if condition["type"] == "Ready" && condition["status"] == "True" {
			text, _ := condition["lastTransitionTime"].(string)
			at, _ := time.Parse(time.RFC3339, text)
			return at
		}
	}
	return time.Time{}
}

// version orders objects of all kinds by their last write.
func version(object *unstructured.Unstructured) int64 {
	n, _ := strconv.ParseInt(object.GetResourceVersion(), 10, 64)
	return n
}

// imageOf is the image of a pod's first container.
func imageOf(pod *corev1.Pod) string {
	return strings.TrimPrefix(pod.Spec.Containers[0].Image, "registry.example/")
}

// hasImage reports whether a pod exists with an image.
func (s *scene) hasImage(pod, image string) error {
	p, err := s.client.CoreV1().Pods(s.namespace).Get(context.Background(), pod, metav1.GetOptions{})
	if err == nil && p.Spec.Containers[0].Image != image {
		err = fmt.Errorf("%s has image %s", pod, p.Spec.Containers[0].Image)
	}
	return err
}

// wantImages checks the image of each pod of a set, from ordinal 0 on, and that its revision label agrees.
func (s *scene) wantImages(set string, want ...string) {
	s.Helper()
	revisions := map[string]string{}
	for i, image := range want {
		pod := s.pod(fmt.Sprintf("%s-%d", set, i))
		if got := imageOf(pod); got != image {
			s.Errorf("%s has image %s, want %s", pod.Name, got, image)
		}
		revision := pod.Labels[appsv1.ControllerRevisionHashLabelKey]
		if other, known := revisions[image]; known && other != revision {
			s.Errorf("%s with image %s is at revision %s, another one at %s", pod.Name, image, revision, other)
		}
		revisions[image] = revision
	}
}

// revisions lists the revisions of the scene by number.
func (s *scene) revisions() []appsv1.ControllerRevision {
	s.Helper()
	list := must(s.client.AppsV1().ControllerRevisions(s.namespace).List(context.Background(), metav1.ListOptions{}))(s)
	slices.SortFunc(list.Items, func(a, b appsv1.ControllerRevision) int { return int(a.Revision - b.Revision) })
	return list.Items
}

// blocked waits until the last plan of a set has a block with this code and subject, and these words in its texts.
func (s *scene) blocked(set, code, subject string, words ...string) {
	s.Helper()
	eventually(s, 20*time.Second, "a block "+code+" on "+subject, func() error { return s.isBlocked(set, code, subject, words...) })
}

// isBlocked returns nil once there is such a block.
func (s *scene) isBlocked(set, code, subject string, words ...string) error {
	s.Helper()
	says := func(text string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	}
	asked := s.plans
	if asked == nil {
		asked = shared.adapter
	}
	line, err := asked.waitForLog(`msg="serving metrics"`, 10*time.Second)
	if err != nil {
		return err
	}
	_, address, _ := strings.Cut(line, "address=")
	response, err := http.Get("http://" + strings.TrimSpace(address) + "/plans")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var plans []struct {
		Set    string
		Blocks []struct{ Code, Subject, Message, Remedy string }
	}
	if err := json.NewDecoder(response.Body).Decode(&plans); err != nil {
		return err
	}
	for _, plan := range plans {
		if plan.Set != s.namespace+"/"+set {
			continue
		}
		for _, b := range plan.Blocks {
			if b.Code == "BLOCK_CODE_"+code && b.Subject == subject && says(b.Message+" "+b.Remedy) {
				return nil
			}
		}
		return fmt.Errorf("the plan has %v", plan.Blocks)
	}
	return fmt.Errorf("no plan for %s", set)
}

// steady waits until a set's controller has observed the newest spec, all pods are available, and this many are updated.
func (s *scene) steady(name string, updated int32) *appsv1.StatefulSet {
	s.Helper()
	var set *appsv1.StatefulSet
	eventually(s, 90*time.Second, name+" is steady", func() error {
		set = s.get(name)
		st, want := set.Status, *set.Spec.Replicas
		if st.ObservedGeneration != set.Generation || st.Replicas != want || st.AvailableReplicas != want || st.UpdatedReplicas != updated {
			return fmt.Errorf("status is %+v", st)
		}
		return nil
	})
	s.caughtUp(s)
	return set
}

// observed waits until a set's controller has observed the newest spec.
func (s *scene) observed(name string) *appsv1.StatefulSet {
	s.Helper()
	var set *appsv1.StatefulSet
	eventually(s, 60*time.Second, "the newest spec of "+name+" is observed", func() error {
		if set = s.get(name); set.Status.ObservedGeneration != set.Generation {
			return fmt.Errorf("generation %d, observed %d", set.Generation, set.Status.ObservedGeneration)
		}
		return nil
	})
	return set
}
