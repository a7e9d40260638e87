//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestOrderedStart(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, minReady(2)))
	s.settled("web")
	s.wantPods(born("web-0"), born("web-1"), born("web-2"))
	s.wantWaits(2 * time.Second)
	// The claim comes before its pod.
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		claim, pod := s.created("PersistentVolumeClaim", "www-"+name), s.created("Pod", name)
		if len(claim) != 1 || len(pod) != 1 || version(claim[0]) >= version(pod[0]) {
			t.Errorf("%s: claims %v, pods %v, want one each, the claim first", name, claim, pod)
		}
	}
	// Users see all that in the events that they know, once each.
	var want []string
	for i := range 3 {
		want = append(want, fmt.Sprintf("1 SuccessfulCreate Create Claim www-web-%d Pod web-%d in StatefulSet web success", i, i),
			fmt.Sprintf("1 SuccessfulCreate Create Pod web-%d in StatefulSet web successful", i))
	}
	slices.Sort(want)
	eventually(t, 30*time.Second, "events", func() error {
		if got := s.setEvents("web"); !slices.Equal(got, want) {
			return fmt.Errorf("events: %s", strings.Join(got, "\n"))
		}
		return nil
	})
}

// wantWaits checks that each pod was created no earlier than minReady after the one before became ready. The API rounds both
// times down to whole seconds.
func (s *scene) wantWaits(minReady time.Duration) {
	s.Helper()
	var last *unstructured.Unstructured // the last pod that became ready
	waits := 0
	ready := map[string]bool{}
	s.replay(func(c change, pods map[string]*unstructured.Unstructured) {
		uid := string(c.object.GetUID())
		if c.event == "ADDED" && last != nil {
			waits++
			if after := c.object.GetCreationTimestamp().Sub(readyAt(last)); after < minReady {
				s.Errorf("%s was created %v after %s became ready, want %v", c.name(), after, last.GetName(), minReady)
			}
			last = nil
		}
		if isReady(c.object) && !ready[uid] {
			ready[uid], last = true, c.object
		}
	})
	if waits < 2 {
		s.Errorf("%d waits were seen, want some", waits)
	}
}

// setEvents lists the events on a set, sorted: count, reason, message.
func (s *scene) setEvents(set string) []string {
	s.Helper()
	list := must(s.client.CoreV1().Events(s.namespace).List(context.Background(),
		metav1.ListOptions{FieldSelector: "involvedObject.kind=StatefulSet,involvedObject.name=" + set}))(s)
	var events []string
	for _, e := range list.Items {
		events = append(events, fmt.Sprintf("%d %s %s", e.Count, e.Reason, e.Message))
	}
	slices.Sort(events)
	return events
}
