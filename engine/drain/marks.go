package drain

import (
	"strconv"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// markClaims marks the claims that the policy covers: those of the range, and those of an ordinal that has, or had, its replica under
// the policy. Nothing is drained without the mark. So a claim that was left behind before the policy existed, or that another set wants too,
// is not drained by mistake.
func (dr *Drain) markClaims(stage *model.Stage) {
	dr.view.ClaimsInRange(func(ordinal int32, c *model.Claim) {
		switch {
		case !c.DeletedAt.IsZero() || dr.strange(c):
		case dr.another(c):
			dr.out.Block(blockMarkedByAnother(c))
		case !dr.marked(c):
			// A drain pod that has ended goes first: marked, the claim would pass for drained.
			if p := dr.at[ordinal]; p == nil || p.pod == nil || !p.pod.HasEnded() {
				stage.Add(func(s *model.Step) { dr.markClaim(s, c) })
			}
		case state.DrainAttempts(c) > 0 && dr.at[ordinal].pod == nil && !dr.ComesBackLater(ordinal):
			stage.Add(func(s *model.Step) {
				dr.out.Emit(s, model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, Op: model.PatchAnnotations{Remove: attemptNotes(c)},
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
func (dr *Drain) markClaim(step *model.Step, c *model.Claim) bool {
	if dr.out.Changed[c.Name] {
		return false
	}
	// Any attempts are those of an earlier set.
	op := model.PatchAnnotations{Set: []model.KeyValue{{Key: state.AnnotationDrainSet, Value: dr.Mark}}, Remove: attemptNotes(c)}
	dr.out.NoteChange(c)
	return dr.out.Emit(step, model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: op,
		Cause: causeCovered}, dr.Mark)
}

// noteAttempt counts a drain pod that is about to be created, on the claims that it drains, and so settles the last one.
func (dr *Drain) noteAttempt(step *model.Step, claims []*model.Claim, attempt int32, why model.Cause) bool {
	value := strconv.Itoa(int(attempt))
	for _, c := range claims {
		if dr.another(c) {
			continue // somebody has marked it for that one since
		}
		op := model.PatchAnnotations{Set: []model.KeyValue{{Key: state.AnnotationDrainAttempts, Value: value}}}
		if !state.DrainBegunAt(c).IsZero() {
			op.Remove = []string{state.AnnotationDrainBegun}
		}
		if (state.DrainAttempts(c) != attempt || op.Remove != nil) &&
			!dr.out.Emit(step, model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, Op: op, Cause: why}, value) {
			return false
		}
	}
	return true
}

// noteBegun records when a drain pod was created. If it is deleted, evicted or lost, nothing else tells how long the next one has to
// wait.
func (dr *Drain) noteBegun(step *model.Step, p *model.Pod, claims []*model.Claim) {
	begun := p.CreatedAt.UTC().Truncate(time.Second)
	for _, c := range claims {
		if dr.marked(c) && state.DrainAttempts(c) > 0 && !state.DrainBegunAt(c).Equal(begun) {
			value := begun.Format(time.RFC3339)
			dr.out.Emit(step, model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, Op: model.PatchAnnotations{Set: []model.KeyValue{{Key: state.AnnotationDrainBegun, Value: value}}},
				Cause: causeDrainRuns}, value)
		}
	}
}

// attemptNotes lists what earlier drain pods have left on a claim.
func attemptNotes(c *model.Claim) []string {
	var notes []string
	if state.DrainAttempts(c) > 0 {
		notes = append(notes, state.AnnotationDrainAttempts)
	}
	if !state.DrainBegunAt(c).IsZero() {
		notes = append(notes, state.AnnotationDrainBegun)
	}
	return notes
}

// claimsOfThisName lists, by name, the claims marked for this set or an earlier one of its name that can be changed now.
func (dr *Drain) claimsOfThisName() []*model.Claim {
	var claims []*model.Claim
	for i := range dr.view.Snap.Claims {
		if c := &dr.view.Snap.Claims[i]; dr.view.OfSameName(state.DrainSetOfClaim(c)) && c.DeletedAt.IsZero() && !dr.out.Changed[c.Name] {
			claims = append(claims, c)
		}
	}
	plan.SortByName(dr.view.Caller, claims, func(c *model.Claim) string { return c.Name })
	return claims
}
