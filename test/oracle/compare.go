package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/oracle/planned"
	"github.com/setplan/setplan/test/oracle/upstream"
	"github.com/setplan/setplan/test/oracle/world"
)

// Divergence is a difference that no allowance covers.
type Divergence struct {
	// Class says what differs without saying where, so that shrinking does not slide from one difference to another.
	Class  string
	Detail string
	World  *world.World
	Theirs upstream.Outcome
	Ours   planned.Outcome
}

// Rules are the rules that ours is compared with: upstream's with this setting of its gate.
func Rules(gate bool) model.Rules {
	rules := model.Kubernetes136()
	if world.Since137 {
		rules = model.Kubernetes137()
	}
	rules.MaxUnavailable, rules.Recreates = gate, world.Since137
	return rules
}

// Check runs both sides on a world. It returns nil if they agree, and the allowances that this took.
func Check(w *world.World, rules model.Rules) (*Divergence, tally) {
	return CheckAgainst(w, upstream.Pass(w), rules)
}

// CheckAgainst is Check with upstream's outcome given.
func CheckAgainst(w *world.World, theirs upstream.Outcome, rules model.Rules) (*Divergence, tally) {
	used := tally{}
	d := &Divergence{World: w, Theirs: theirs}
	var err error
	if d.Ours, err = planned.Pass(w, rules); err != nil {
		d.Class, d.Detail = "a plan that cannot be carried out", err.Error()
		return d, used
	}
	d.Class, d.Detail = compare(d, used)
	if d.Class == "" {
		return nil, used
	}
	return d, used
}

func compare(d *Divergence, used tally) (class, detail string) {
	theirs := expected(d.World, &d.Theirs, used)
	theirs = aheadOf(d, theirs, used)
	for i := range d.Ours.Stages {
		stage := &d.Ours.Stages[i]
		if stage.Phase == model.PhaseCondemnedClaims && d.recreates() {
			used[handedOver]++
			continue
		}
		ours := slices.DeleteFunc(stage.Writes(), func(w world.Write) bool { return afterFailure(d.World.Fault, w) != nil })
		n := min(len(ours), len(theirs))
		// Upstream waits for each batch, so a stage of n writes must be upstream's next n writes.
		if class, detail := compareStage(stage.Phase, ours, theirs[:n], ordered(d, stage.Phase)); class != "" {
			return class, detail
		}
		theirs = theirs[n:]
	}
	if len(theirs) > 0 {
		return "ours leaves out: " + string(theirs[0].Op), fmt.Sprintf("upstream goes on with %s %s", theirs[0].Op, theirs[0].Name)
	}
	return compareRest(d, used)
}

// recreates reports whether ours deletes pods under Recreate, or waits for them to be gone.
func (d *Divergence) recreates() bool {
	return slices.ContainsFunc(d.Ours.Plan.Blocks, func(b model.Block) bool { return b.Code == model.BlockRecreateWaits })
}

// ordered reports whether upstream sends the requests of a phase one by one in a fixed order.
func ordered(d *Divergence, phase model.Phase) bool {
	switch phase {
	case model.PhaseUpdate:
		return d.World.Set.Spec.UpdateStrategy.Type != world.Recreate
	case model.PhaseReplicas, model.PhaseCondemnedClaims, model.PhaseScaleDown:
		return d.World.Set.Spec.PodManagementPolicy != "Parallel"
	case model.PhaseOwnership:
		return false // upstream uses the order of its cache, which is random
	}
	return true
}

func compareStage(phase model.Phase, ours, theirs []world.Write, inOrder bool) (class, detail string) {
	ours = arrange(ours, inOrder)
	theirs = arrange(slices.Clone(theirs), inOrder)
	for i := range ours {
		if i >= len(theirs) {
			return "upstream leaves out: " + string(ours[i].Op), fmt.Sprintf("in phase %s, ours goes on with %s %s", phase, ours[i].Op, ours[i].Name)
		}
		if a, b := ours[i], theirs[i]; !a.Same(b) {
			what := "contents"
			if a.Op != b.Op || a.Name != b.Name {
				what = "requests"
			}
			return fmt.Sprintf("%s: ours %s, upstream %s", what, a.Op, b.Op),
				fmt.Sprintf("in phase %s:\n  ours      %s %s %s\n  upstream  %s %s %s", phase, a.Op, a.Name, a.Body, b.Op, b.Name, b.Body)
		}
	}
	return "", ""
}

// arrange sorts the writes of a stage for the comparison. Upstream takes the claims of one pod from a map, so a run of their
// creations has no order. What upstream does concurrently is sorted by ordinal; the writes of one ordinal keep their order.
func arrange(writes []world.Write, inOrder bool) []world.Write {
	if !inOrder {
		slices.SortStableFunc(writes, func(a, b world.Write) int { return cmp.Compare(placeOf(a), placeOf(b)) })
	}
	for from := 0; from < len(writes); {
		to := from + 1
		for to < len(writes) && writes[from].Op == world.CreateClaim && writes[to].Op == world.CreateClaim &&
			ordinalOf(writes[from].Name) == ordinalOf(writes[to].Name) {
			to++
		}
		slices.SortFunc(writes[from:to], func(a, b world.Write) int { return cmp.Compare(a.Name, b.Name) })
		from = to
	}
	return writes
}

// placeOf is what upstream handles in one goroutine: an ordinal, or for adoption an object.
func placeOf(w world.Write) string {
	if w.Op == world.OwnPod || w.Op == world.OwnRevision {
		return w.Name
	}
	return ordinalOf(w.Name)
}

// ordinalOf is the number at the end of a name, or the name if there is none. Objects of one ordinal have the same.
func ordinalOf(name string) string {
	digits := len(name)
	for digits > 0 && name[digits-1] >= '0' && name[digits-1] <= '9' {
		digits--
	}
	if digits == len(name) {
		return name
	}
	return name[digits:]
}

// compareRest compares what is not a request: when to look again, and what is said about foreign claims.
func compareRest(d *Divergence, used tally) (class, detail string) {
	plan := d.Ours.Plan
	switch {
	case d.Theirs.Err != nil:
		used[retryAfterError]++
		if plan.Converged && d.World.Fault == nil {
			return "ours is silent about an error", fmt.Sprintf("upstream fails: %v", d.Theirs.Err)
		}
	case plan.RequeueAfter != d.Theirs.Requeue:
		return "requeue", fmt.Sprintf("ours looks again in %s, upstream in %s", plan.RequeueAfter, d.Theirs.Requeue)
	}
	for _, claim := range d.Theirs.Conflicting {
		said := slices.ContainsFunc(plan.Blocks, func(b model.Block) bool {
			return b.Name == claim && (b.Code == model.BlockClaimForeignController || b.Code == model.BlockClaimStale)
		})
		if !said {
			return "event", fmt.Sprintf("upstream reports a conflicting controller of %s, and ours has no block for it", claim)
		}
	}
	return "", ""
}
