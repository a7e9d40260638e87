package why_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestAlike: the pods of one block are told apart by their causes.
func TestAlike(t *testing.T) {
	images := func(pods ...*corev1.Pod) {
		for _, pod := range pods {
			pod.Status.ContainerStatuses = waiting("ErrImagePull", "x")
		}
	}
	for name, test := range map[string]struct {
		pods  int
		build func([]*corev1.Pod)
		want  string // of each reason: the subject, the message and the cause
	}{
		"one cause": {3, func(pods []*corev1.Pod) { images(pods...) },
			"Pod/web-0: Planner. The same applies to web-1, web-2. The image img:1 of container nginx cannot be pulled."},
		"two causes": {4, func(pods []*corev1.Pod) {
			images(pods[1], pods[3])
			pods[2].Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "lb"}}
		}, "Pod/web-1: The pod is running and not ready. The same applies to web-3. The image img:1 of container nginx cannot be pulled.\n" +
			"Pod/web-0: Planner. \nPod/web-2: The pod is running and not ready. Every container is ready, and no controller has set these conditions of its readiness gates to True: lb."},
		"other phases": {2, func(pods []*corev1.Pod) { images(pods...); pods[1].Status.Phase = corev1.PodPending },
			"Pod/web-0: Planner. The image img:1 of container nginx cannot be pulled.\nPod/web-1: The pod is pending and not ready. The image img:1 of container nginx cannot be pulled."},
		"ready, leaving and strange ones": {4, func(pods []*corev1.Pod) {
			pods[1].Status.Conditions[0].Status = corev1.ConditionTrue
			pods[2].DeletionTimestamp = new(metav1.NewTime(now))
			pods[3].OwnerReferences = nil
		}, "Pod/web-0: Planner. The same applies to 9 more pods of the set. "},
	} {
		s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY)
		pods := s.alike(test.pods)
		test.build(pods)
		var got []string
		for _, r := range s.explain().Reasons {
			got = append(got, fmt.Sprintf("%s: %s %s", r.Subject, r.Message, r.Cause))
		}
		if text := strings.Join(got, "\n"); text != test.want {
			t.Errorf("%s:\n%s", name, text)
		}
	}

	s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY)
	for i, pod := range s.alike(1000) {
		images(pod)
		pod.Status.ContainerStatuses[0].Image = fmt.Sprint("img:", i)
	}
	reasons := s.explain().Reasons
	if len(reasons) != 5 || !strings.Contains(reasons[0].Message, "The causes of 995 more pods are not shown.") {
		t.Errorf("a thousand causes become %d reasons, and the first one says: %s", len(reasons), reasons[0].Message)
	}

	s = newScene(setplanv1.BlockCode_BLOCK_CODE_POD_TERMINATING)
	for _, pod := range s.alike(2) {
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = new(metav1.NewTime(now.Add(-time.Minute))), new(int64(30))
	}
	s.world.Pods.Items[1].Finalizers = []string{"a.example/x"}
	for _, r := range s.explain().Reasons {
		if r.Subject == "Pod/web-1" && r.Cause == "The finalizer a.example/x keeps it." && r.Since.Equal(now.Add(-90*time.Second)) && strings.Contains(r.Message, "Planner.") {
			return
		}
	}
	t.Errorf("the finalizer of the second of two pods that are being deleted is not told: %+v", s.explain().Reasons)
}

// alike has the set's only block stand for a number of pods that are not ready.
func (s *scene) alike(n int) []*corev1.Pod {
	s.parallel = true
	s.plan.Blocks[0].Message = "Planner. The same applies to 9 more pods of the set."
	for i := 1; i < n; i++ {
		pod := s.pod.DeepCopy()
		pod.Name, pod.UID = fmt.Sprint("web-", i), ""
		s.world.Pods.Items = append(s.world.Pods.Items, pod)
	}
	for _, pod := range s.world.Pods.Items {
		pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "s", Controller: new(true)}}
	}
	return s.world.Pods.Items
}
