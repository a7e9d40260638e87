package explore

import (
	"time"

	"github.com/setplan/setplan/engine"
)

// ofAnEarlierClaim is what a drain pod drains whose claim is gone.
var ofAnEarlierClaim = []string{"uid-of-an-earlier-claim"}

// showDrain puts the policy into the snapshot.
func (s *scribe) showDrain(c *cluster) {
	s.snapshot.Drain, s.snapshot.Set.Finalizers = nil, nil
	if c.finalizer {
		s.snapshot.Set.Finalizers = append(s.snapshot.Set.Finalizers, finalizerDrain)
	}
	if c.foreground {
		s.snapshot.Set.Finalizers = append(s.snapshot.Set.Finalizers, "foregroundDeletion")
	}
	if !c.drains {
		return
	}
	word := map[bool]string{true: "true"}
	s.snapshot.Drain = &engine.Drain{PodTemplate: []byte(drainTemplate), MaxParallel: "1",
		Leftovers: word[s.config.Drain.Leftovers], OnDelete: word[s.config.Drain.OnDelete]}
	if s.config.Drain.Cancel {
		s.snapshot.Drain.ScaleUp = "Cancel"
	}
}

// drainPod is a drain pod that was made long enough ago to be tried again if it has failed: there is no clock.
func (s *scribe) drainPod(i int, p pod, k claim) engine.Pod {
	pod := engine.Pod{Name: s.podNames[i], UID: s.ofPod[i][0].UID, ResourceVersion: "1", CreatedAt: noon.Add(-2 * time.Hour),
		Labels: s.drainLabels, Volumes: s.volumes, Drain: &engine.PodDrain{Set: drainMark, Claims: ofAnEarlierClaim}}
	pod.Phase = [...]engine.PodPhase{pending: engine.PodPending, running: engine.PodRunning, failed: engine.PodFailed,
		succeeded: engine.PodSucceeded}[p.phase]
	if p.owned {
		pod.Owners = s.plainOwner
	}
	if k.listed {
		pod.Drain.Claims = s.listed[i]
	}
	if p.mode != staying {
		pod.DeletedAt = noon.Add(-time.Minute)
	}
	return pod
}
