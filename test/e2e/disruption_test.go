//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/setplan/setplan/adapters/kube"
)

var respectsBudgets = annotated("setplan.io/disruption-budget", "Respect")

// guarded gives pods the label of the budgets here.
func guarded(set *appsv1.StatefulSet) { set.Spec.Template.Labels["guard"] = "yes" }

// guard makes a disruption budget of all guarded pods, or changes it, and waits until the disruption controller has counted.
func (s *scene) guard(minAvailable int32) {
	s.Helper()
	budgets, least := s.client.PolicyV1().PodDisruptionBudgets(s.namespace), intstr.FromInt32(minAvailable)
	_, err := budgets.Patch(context.Background(), "guard", types.MergePatchType, fmt.Appendf(nil, `{"spec":{"minAvailable":%d}}`, minAvailable), metav1.PatchOptions{})
	if err != nil {
		_, err = budgets.Create(context.Background(), &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "guard"},
			Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: &least, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"guard": "yes"}}}}, metav1.CreateOptions{})
	}
	if err != nil {
		s.Fatal(err)
	}
	eventually(s, 60*time.Second, "the budget is counted", func() error {
		budget, err := budgets.Get(context.Background(), "guard", metav1.GetOptions{})
		if err == nil && budget.Status.ObservedGeneration < budget.Generation {
			err = fmt.Errorf("it is %+v", budget.Status)
		}
		return err
	})
}

// fewestHealthy is the smallest number of pods that were ready and not being deleted at one time after a version.
func (s *scene) fewestHealthy(after int64) int {
	fewest := 1 << 20
	s.replay(func(c change, pods map[string]*unstructured.Unstructured) {
		healthy := 0
		for _, pod := range pods {
			if isReady(pod) && pod.GetDeletionTimestamp() == nil {
				healthy++
			}
		}
		if c.version > after {
			fewest = min(fewest, healthy)
		}
	})
	return fewest
}

// TestDisruptionBudget: an update waits for its budget and names it, a pod that is not ready goes all the same, and the update goes on once the
// budget allows more.
func TestDisruptionBudget(t *testing.T) {
	t.Parallel()
	s := lab(t)
	a := s.ownAdapter("evicts", s.adapterConfig("direct", ""), nil, unelected...)
	s.create(webSet("web", 3, parallel, withoutClaims, guarded, respectsBudgets))
	s.settled("web")
	s.guard(3)
	before := s.podUIDs()
	s.image("web", image2)
	a.saysOf("web", "The disruption budget guard needs 3 healthy pods and has 3 currently", time.Now())
	s.samePods(before)
	s.firstCause("web", "ACTION_REFUSED", "Pod/web-2", "evict pod web-2", "The disruption budget guard")

	s.setReady("web-0", false)
	eventually(t, 60*time.Second, "web-0 is replaced", func() error {
		if pod, err := s.client.CoreV1().Pods(s.namespace).Get(context.Background(), "web-0", metav1.GetOptions{}); err != nil || pod.UID == before["web-0"] {
			return fmt.Errorf("it is the old one: %v", err)
		}
		return nil
	})
	if now := s.podUIDs(); now["web-1"] != before["web-1"] || now["web-2"] != before["web-2"] {
		t.Errorf("the pods are %v, and were %v", now, before)
	}
	s.guard(2)
	s.settled("web")
	s.caughtUp(s)
	if fewest := s.fewestHealthy(s.firstSettled(3)); fewest < 2 {
		t.Errorf("%d pods were healthy at once", fewest)
	}
	s.unbroken()
}

// firstSettled is the first version at which so many pods were ready.
func (s *scene) firstSettled(want int) (version int64) {
	s.replay(func(c change, pods map[string]*unstructured.Unstructured) {
		ready := 0
		for _, pod := range pods {
			if isReady(pod) {
				ready++
			}
		}
		if version == 0 && ready == want {
			version = c.version
		}
	})
	return version
}

// saysOf returns how long after since the adapter first shows a block of the set whose message contains why. It asks often,
// because it measures the adapter.
func (a *adapter) saysOf(set, why string, since time.Time) time.Duration {
	a.scene.Helper()
	for deadline := since.Add(30 * time.Second * busy); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var plans []kube.PlanSummary
		noError(a.scene, json.Unmarshal([]byte(a.fetch("/plans")), &plans))
		for _, plan := range plans {
			for _, block := range plan.Blocks {
				if strings.HasSuffix(plan.Set, "/"+set) && strings.Contains(block.Message, why) {
					return time.Since(since)
				}
			}
		}
	}
	a.scene.Fatalf("the adapter shows no such block of %s", set)
	return 0
}
