//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestConditions: the status says what the set is doing and whether a user must act, and a foreign condition stays.
func TestConditions(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.quota(2)
	s.create(webSet("web", 3, withoutClaims))
	s.condition("web", "Blocked", "True ActionFailedBefore", "Pod web-2: ", "exceeded quota")
	s.condition("web", "Reconciling", "True Scaling")
	s.patchStatus("web", `{"status":{"conditions":[{"type":"OfAnother","status":"True"}]}}`)

	s.quota(10)
	s.settled("web")
	s.condition("web", "Reconciling", "False Complete")
	s.condition("web", "Blocked", "False NoActionRequired")
	s.condition("web", "OfAnother", "True ")

	s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}}}}`)
	s.image("web", image2)
	s.condition("web", "Reconciling", "False HeldBySpec")
	if got := s.get("web").Status; got.UpdatedReplicas != 1 {
		t.Errorf("%d pods are updated at the end, want 1", got.UpdatedReplicas)
	}
}

// condition waits until a condition of a set has a status and reason, and each text in its message.
func (s *scene) condition(set, name, want string, texts ...string) {
	s.Helper()
	eventually(s, 60*time.Second, name+" is "+want, func() error {
		for _, c := range s.get(set).Status.Conditions {
			if string(c.Type) != name {
				continue
			}
			if got := string(c.Status) + " " + c.Reason; got != want {
				return fmt.Errorf("it is %s: %s", got, c.Message)
			}
			for _, text := range texts {
				if !strings.Contains(c.Message, text) {
					return fmt.Errorf("the message is %q, without %q", c.Message, text)
				}
			}
			return nil
		}
		return fmt.Errorf("there is none")
	})
}

// patchStatus changes the status of a set as another user does.
func (s *scene) patchStatus(name, patch string) {
	s.Helper()
	must(s.sets().Patch(context.Background(), name, types.StrategicMergePatchType,
		[]byte(patch), metav1.PatchOptions{}, "status"))(s)
}
