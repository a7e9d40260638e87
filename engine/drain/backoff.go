package drain

import (
	"math"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// After a failure or a loss, the next drain pod is created no sooner than firstBackoff after the last one, doubled with each drain pod, up
// to lastBackoff.
const (
	firstBackoff = 10 * time.Second
	lastBackoff  = 6 * time.Minute
)

// backsOff reports whether it is too early for another drain pod after one that was deleted, evicted or lost; the claims say when that was
// created. A time in the future comes from another clock and is ignored.
func (dr *Drain) backsOff(p *drainPlace, claims []*model.Claim) bool {
	attempt, begun := max(1, attempts(claims)), lastBegun(claims)
	at := begun.Add(backoff(attempt))
	if begun.IsZero() || begun.After(dr.view.Now) || !at.After(dr.view.Now) {
		return false
	}
	dr.lookAgainAt(at)
	dr.out.Block(blockDrainLost(p, attempt, begun, at))
	return true
}

// retryDrain deletes a drain pod that has ended without draining, once its back-off is over; a new one follows when it is gone.
func (dr *Drain) retryDrain(step *model.Step, p *drainPlace, ours []*model.Claim) {
	attempt := max(1, attempts(ours))
	at := p.pod.CreatedAt.Add(backoff(attempt))
	given, back := dr.tokensBack(p.pod)
	what, remedy := failureOf(p.pod, dr.Proof, given, back)
	b := blockDrainFailed(p, attempt, what, remedy)
	if at.After(dr.view.Now) {
		b.NotBefore = at
		dr.lookAgainAt(at)
		dr.out.Block(b)
		return
	}
	dr.out.Block(b)
	why := causeDrainFailed
	if p.pod.Phase == model.PodSucceeded {
		why = causeDrainUnproved
	}
	if dr.noteAttempt(step, ours, following(attempt), why) {
		dr.deleteDrainPod(step, p.pod, why)
	}
}

func (dr *Drain) lookAgainAt(at time.Time) {
	if dr.again.IsZero() || at.Before(dr.again) {
		dr.again = at
	}
}

// backoff is the time between a failed drain pod's creation and the next one's; attempt counts from 1.
func backoff(attempt int32) time.Duration {
	if attempt > 6 {
		return lastBackoff
	}
	return min(firstBackoff<<(attempt-1), lastBackoff)
}

func attempts(claims []*model.Claim) int32 {
	most := int32(0)
	for _, c := range claims {
		most = max(most, state.DrainAttempts(c))
	}
	return most
}

// thisAttempt is the number of the drain pod to be created now. A number without a creation time was already counted for it.
func thisAttempt(claims []*model.Claim) int32 {
	last := attempts(claims)
	if last == 0 || !lastBegun(claims).IsZero() {
		return following(last)
	}
	return last
}

func following(attempt int32) int32 { return min(attempt, math.MaxInt32-1) + 1 }

func lastBegun(claims []*model.Claim) time.Time {
	var last time.Time
	for _, c := range claims {
		if at := state.DrainBegunAt(c); at.After(last) {
			last = at
		}
	}
	return last
}

// Requeue requests another pass when a failed drain may be retried.
func (dr *Drain) Requeue() {
	if dr == nil || dr.again.IsZero() {
		return
	}
	dr.out.LookAgainIn(max(1, dr.again.Sub(dr.view.Now)))
}
