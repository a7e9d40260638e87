package engine

import (
	"strconv"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// markClaims marks the claims that the policy covers: those of the range, and those of an ordinal that has, or had, its replica under
// the policy. Nothing is drained without the mark. So a claim that was left behind before the policy existed, or that another set wants too,
// is not drained by mistake.
func (dr *drain) markClaims(stage *model.Stage) {
	dr.view.claimsInRange(func(ordinal int32, c *model.Claim) {
		switch {
		case !c.DeletedAt.IsZero() || dr.strange(c):
		case dr.another(c):
			dr.out.block(blockMarkedByAnother(c))
		case !dr.marked(c):
			// A drain pod that has ended goes first: marked, the claim would pass for drained.
			if p := dr.at[ordinal]; p == nil || p.pod == nil || !p.pod.HasEnded() {
				stage.Add(func(s *model.Step) { dr.markClaim(s, c) })
			}
		case drainAttempts(c) > 0 && dr.at[ordinal].pod == nil && !dr.comesBackLater(ordinal):
			stage.Add(func(s *model.Step) {
				dr.out.emit(s, model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, Op: model.PatchAnnotations{Remove: attemptNotes(c)},
					Cause: causeBackWithData}, "back")
			})
		}
	})
	for _, p := range dr.places {
		if p.replica == nil {
			continue // beginDrain marks them
		}
		for _, c := range dr.live(p) {
			if !dr.marked(c) {
				stage.Add(func(s *model.Step) { dr.markClaim(s, c) })
			}
		}
	}
}

// markClaim plans the mark of one claim. The resource version ensures that nobody else has marked it meanwhile. A claim that this plan
// already changes is marked by the next plan.
func (dr *drain) markClaim(step *model.Step, c *model.Claim) bool {
	if dr.out.changed[c.Name] {
		return false
	}
	// Any attempts are those of an earlier set.
	op := model.PatchAnnotations{Set: []model.KeyValue{{Key: annotationDrainSet, Value: dr.mark}}, Remove: attemptNotes(c)}
	dr.out.noteChange(c)
	return dr.out.emit(step, model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: op,
		Cause: causeCovered}, dr.mark)
}

// noteAttempt counts a drain pod that is about to be created, on the claims that it drains, and so settles the last one.
func (dr *drain) noteAttempt(step *model.Step, claims []*model.Claim, attempt int32, why model.Cause) bool {
	value := strconv.Itoa(int(attempt))
	for _, c := range claims {
		if dr.another(c) {
			continue // somebody has marked it for that one since
		}
		op := model.PatchAnnotations{Set: []model.KeyValue{{Key: annotationDrainAttempts, Value: value}}}
		if !drainBegunAt(c).IsZero() {
			op.Remove = []string{annotationDrainBegun}
		}
		if (drainAttempts(c) != attempt || op.Remove != nil) &&
			!dr.out.emit(step, model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, Op: op, Cause: why}, value) {
			return false
		}
	}
	return true
}

// noteBegun records when a drain pod was created. If it is deleted, evicted or lost, nothing else tells how long the next one has to
// wait.
func (dr *drain) noteBegun(step *model.Step, p *model.Pod, claims []*model.Claim) {
	begun := p.CreatedAt.UTC().Truncate(time.Second)
	for _, c := range claims {
		if dr.marked(c) && drainAttempts(c) > 0 && !drainBegunAt(c).Equal(begun) {
			value := begun.Format(time.RFC3339)
			dr.out.emit(step, model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, Op: model.PatchAnnotations{Set: []model.KeyValue{{Key: annotationDrainBegun, Value: value}}},
				Cause: causeDrainRuns}, value)
		}
	}
}

// attemptNotes lists what earlier drain pods have left on a claim.
func attemptNotes(c *model.Claim) []string {
	var notes []string
	if drainAttempts(c) > 0 {
		notes = append(notes, annotationDrainAttempts)
	}
	if !drainBegunAt(c).IsZero() {
		notes = append(notes, annotationDrainBegun)
	}
	return notes
}

// claimsOfThisName lists, by name, the claims marked for this set or an earlier one of its name that can be changed now.
func (dr *drain) claimsOfThisName() []*model.Claim {
	var claims []*model.Claim
	for i := range dr.view.s.Claims {
		if c := &dr.view.s.Claims[i]; dr.view.ofSameName(drainSetOfClaim(c)) && c.DeletedAt.IsZero() && !dr.out.changed[c.Name] {
			claims = append(claims, c)
		}
	}
	sortByName(dr.view.caller, claims, func(c *model.Claim) string { return c.Name })
	return claims
}
