//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// ended is what a kubelet writes when a pod has ended.
func ended(phase, reason string) string {
	return fmt.Sprintf(`{"status":{"phase":%q,"reason":%q,"message":"by the test","conditions":[
		{"type":"Ready","status":"False","lastTransitionTime":%q}]}}`, phase, reason, time.Now().UTC().Format(time.RFC3339))
}

func TestEndedPodsComeBack(t *testing.T) {
	t.Parallel()
	for _, policy := range []struct {
		name   string
		option func(*appsv1.StatefulSet)
	}{{"ordered", ordered}, {"parallel", parallel}} {
		for _, c := range []struct{ name, phase, reason string }{
			{"failed", "Failed", "Error"},
			{"succeeded", "Succeeded", "Completed"},
			{"evicted", "Failed", "Evicted"},
		} {
			t.Run(policy.name+"-"+c.name, func(t *testing.T) {
				t.Parallel()
				s := newScene(t, shared.cluster)
				s.create(webSet("web", 3, policy.option))
				before := s.settled("web")
				pods, claims := len(s.events("Pod")), len(s.events("PersistentVolumeClaim"))
				old := s.pod("web-1")
				s.podStatus("web-1", ended(c.phase, c.reason))
				want := "unready web-1 " + replaced("web-1")
				eventually(t, 60*time.Second, "web-1 is replaced", func() error {
					if got := strings.Join(s.events("Pod")[pods:], " "); got != want {
						return fmt.Errorf("pods: %s, want %s", got, want)
					}
					return nil
				})
				after := s.settled("web")
				s.quiet(500 * time.Millisecond)
				if s.pod("web-1").UID == old.UID {
					t.Errorf("web-1 is the same pod as before")
				}
				if got := s.events("PersistentVolumeClaim"); len(got) != claims {
					t.Errorf("claims: %v, want the three of the start", got)
				}
				if after.Status.CurrentRevision != before.Status.CurrentRevision {
					t.Errorf("current revision %s, then %s", before.Status.CurrentRevision, after.Status.CurrentRevision)
				}
				eventually(t, 30*time.Second, "an event reports the deletion", func() error {
					all := strings.Join(s.setEvents("web"), "\n")
					if !strings.Contains(all, "1 SuccessfulDelete Delete Pod web-1 in StatefulSet web successful") ||
						!strings.Contains(all, "2 SuccessfulCreate Create Pod web-1 in StatefulSet web successful") {
						return fmt.Errorf("events: %s", all)
					}
					return nil
				})
			})
		}
	}
}

// Under OrderedReady a pod that has ended waits for those below it.
func TestEndedPodsComeBackInOrder(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, withoutClaims))
	s.settled("web")
	story := []string{born("web-0"), born("web-1"), born("web-2"), "unready web-0"}
	s.setReady("web-0", false)
	s.reaches(story...)
	s.blocked("web", "POD_NOT_READY", "Pod/web-0")
	s.podStatus("web-2", ended("Failed", "Error"))
	story = append(story, "unready web-2")
	s.reaches(story...)
	s.quiet(1500 * time.Millisecond)
	s.podStatus("web-0", ended("Failed", "Error"))
	s.settled("web")
	s.wantPods(append(story, replaced("web-0"), replaced("web-2"))...)
}

// A pod that has ended is recreated once it is gone, and not before.
func TestEndedPodThatStays(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, withoutClaims))
	s.settled("web")
	story := []string{born("web-0"), born("web-1"), "unready web-0", "-web-0"}
	s.pin("web-0")
	s.podStatus("web-0", ended("Failed", "Error"))
	s.reaches(story...)
	s.blocked("web", "POD_ENDED", "Pod/web-0")
	s.quiet(time.Second)
	s.unpin("web-0")
	s.settled("web")
	s.wantPods(append(story, "gone web-0", born("web-0"))...)
}

// This eviction is the API's, as a drain of a node requests it.
func TestEvictionComesBack(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, graceful))
	s.settled("web")
	story := []string{born("web-0"), born("web-1"), born("web-2")}
	s.evict("web-1")
	story = append(story, replaced("web-1"))
	s.reaches(story...)
	s.settled("web")
	s.wantPods(story...)
	if got := s.events("PersistentVolumeClaim"); len(got) != 3 {
		t.Errorf("claims: %v, want the three of the start", got)
	}
	if got := s.revisions(); len(got) != 1 {
		t.Errorf("%d revisions, want 1", len(got))
	}
}
