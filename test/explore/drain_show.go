package explore

import (
	"time"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/engine/model"
)

// prepareNotes makes every set of annotations that a claim or a drain pod may have: snapshots are made by the million.
func (s *scribe) prepareNotes() {
	s.earlier = drainPodNotes("uid-of-an-earlier-claim")
	for marked := range 2 {
		for attempted := range 2 {
			for listed := range 2 {
				notes := map[string]string{}
				if marked > 0 {
					notes[adapters.AnnotationDrainSet] = drainMark
				}
				if attempted > 0 {
					notes[adapters.AnnotationDrainAttempts] = "1"
					if listed > 0 { // it has been noted, and is not noted where the drain pod is gone: there is no clock
						notes[adapters.AnnotationDrainBegun] = noon.Add(-2 * time.Hour).Format(time.RFC3339)
					}
				}
				if len(notes) > 0 {
					s.notes[marked][attempted][listed] = &model.Annotations{Values: notes}
				}
			}
		}
	}
}

// drainPodNotes are the annotations of a drain pod that drains the claim with this uid.
func drainPodNotes(uid string) *model.Annotations {
	return &model.Annotations{Values: map[string]string{adapters.AnnotationDrainSet: drainMark, adapters.AnnotationDrainClaims: uid}}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// showDrain puts the policy into the snapshot.
func (s *scribe) showDrain(c *cluster) {
	s.snapshot.Policy.Drain, s.snapshot.Set.Finalizers = model.DrainPolicy{}, nil
	if c.finalizer {
		s.snapshot.Set.Finalizers = append(s.snapshot.Set.Finalizers, finalizerDrain)
	}
	if c.foreground {
		s.snapshot.Set.Finalizers = append(s.snapshot.Set.Finalizers, "foregroundDeletion")
	}
	if !c.drains {
		return
	}
	policy := s.config.Drain
	s.snapshot.Policy.Drain = model.DrainPolicy{PodTemplate: []byte(drainTemplate), MaxParallel: 1,
		Leftovers: &policy.Leftovers, OnDelete: &policy.OnDelete}
	if policy.Cancel {
		s.snapshot.Policy.Drain.ScaleUp = model.DrainScaleUpCancel
	}
}

// drainPod is a drain pod that was made long enough ago to be tried again if it has failed: there is no clock.
func (s *scribe) drainPod(i int, p pod, k claim) model.Pod {
	pod := model.Pod{Name: s.podNames[i], UID: s.ofPod[i][0].UID, ResourceVersion: "1", CreatedAt: noon.Add(-2 * time.Hour),
		Labels: s.drainLabels, Volumes: s.volumes, Annotations: s.earlier}
	pod.Phase = [...]model.PodPhase{pending: model.PodPending, running: model.PodRunning, failed: model.PodFailed,
		succeeded: model.PodSucceeded}[p.phase]
	if p.owned {
		pod.Owners = s.plainOwner
	}
	if k.listed {
		pod.Annotations = s.listed[i]
	}
	if p.mode != staying {
		pod.DeletedAt = noon.Add(-time.Minute)
	}
	return pod
}
