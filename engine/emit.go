package engine

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// startPhase gives the phase at hand its own budget of actions.
func (d *decision) startPhase() { d.budget, d.full = maxActions, false }

// stage adds a stage unless it is empty.
func (d *decision) stage(stage Stage) {
	if len(stage.Steps) > 0 {
		d.plan.Stages = append(d.plan.Stages, stage)
	}
}

// emit adds an action to a step. It returns false, and the pass must not plan anything that builds on the action, if
// the adapter cannot execute it or the plan is full.
func (d *decision) emit(step *Step, a Action, facts ...string) bool {
	if !d.fits(&a) {
		return false
	}
	d.budget--
	a.ID = actionID(&a, facts)
	size := sizeOf(&a)
	d.bytes += size
	d.work(partReplicas, 8+size/64)
	step.Actions = append(step.Actions, a)
	return true
}

// fits tells whether an action may be emitted. Where its operation is long, it is asked before that is made.
func (d *decision) fits(a *Action) bool {
	can := a.Op.capability()
	if _, deletes := a.Op.(DeletePod); deletes && d.drain != nil && d.drain.keeps[a.UID] {
		return false // DRAIN_UNPROTECTED says why
	}
	if d.s.Capabilities&can == 0 {
		if d.incapable&can != 0 {
			return false // said before
		}
		d.incapable |= can
		d.block(Block{Code: BlockCapabilityMissing, Severity: Attention, Kind: a.Kind, Name: a.Name,
			Message: "The adapter cannot " + a.Op.name() + ", which is needed here: " + a.Cause.Message,
			Remedy:  "Use an adapter that lists this capability."})
		return false
	}
	most := maxBytes
	if can&(CanCreatePod|CanCreateClaim|CanPatchPod|CanSetClaimOwners) != 0 {
		most = maxManifestBytes // the rest is for what else the plan says, the status above all
	}
	if d.budget == 0 || d.bytes > most {
		d.full, d.plan.Truncated = true, true
		return false
	}
	return true
}

// sizeOf is about what an action takes in a message and in memory.
func sizeOf(a *Action) int {
	const (
		each      = 64  // of a part of its own
		eachOwner = 192 // of a part that there may be very many of, here and as a message
	)
	size := each + len(a.ID) + len(a.Name) + len(a.UID) + len(a.ResourceVersion) + len(a.Cause.Message)
	switch op := a.Op.(type) {
	case CreatePod:
		size += len(op.Manifest)
	case CreateClaim:
		size += len(op.Manifest)
	case CreateRevision:
		size += len(op.Manifest)
	case SetClaimOwners:
		for i := range op.Owners {
			o := &op.Owners[i]
			size += eachOwner + len(o.APIVersion) + len(o.Kind) + len(o.Name) + len(o.UID)
		}
	case PatchPod:
		for _, c := range op.Claims {
			size += each + len(c.Volume) + len(c.Claim)
		}
	}
	return size
}

// actionID names an action by what it is: the same wish has the same id in the next plan. facts are what the operation
// says beyond the target, such as the revision that a pod is created from.
func actionID(a *Action, facts []string) string {
	h := fnv.New64a()
	for _, fact := range append([]string{a.UID}, facts...) {
		h.Write([]byte(fact))
		h.Write([]byte{0})
	}
	return a.Op.name() + "/" + a.Name + "/" + strconv.FormatUint(h.Sum64(), 36)
}

// finish reports repeated failures where the meter has ended the pass before, brings the blocks into order and says whether the
// set is as it should be.
func (d *decision) finish() {
	d.reportFailures()
	d.sumUpBlocks()
	slices.SortStableFunc(d.plan.Blocks, compareBlocks)
	waiting := slices.ContainsFunc(d.plan.Blocks, func(b Block) bool { return b.Severity != Info })
	d.plan.Converged = len(d.plan.Stages) == 0 && !waiting && d.plan.RequeueAfter == 0 && !d.plan.Truncated
}

func compareBlocks(a, b Block) int {
	if c := strings.Compare(a.Kind, b.Kind); c != 0 {
		return c
	}
	if c := strings.Compare(a.Name, b.Name); c != 0 {
		return c
	}
	return int(a.Code) - int(b.Code)
}

// reportFailures adds a block for every action that is planned again although it failed the last time. It looks at the
// stages that have come since it was last called.
func (d *decision) reportFailures() {
	stages := d.plan.Stages[d.reported:]
	if len(d.s.Outcomes) == 0 || len(stages) == 0 {
		return
	}
	failed := make(map[string]*Outcome, len(d.s.Outcomes))
	for i := range d.s.Outcomes {
		d.work(partOutcomes, 1)
		o := &d.s.Outcomes[i]
		if other := failed[o.ActionID]; other == nil || o.Message < other.Message {
			failed[o.ActionID] = o // one is enough, and the same one whatever the order of the list
		}
	}
	d.reported = len(d.plan.Stages) // from here on nothing ends it
	for _, stage := range stages {
		for _, step := range stage.Steps {
			for i := range step.Actions {
				if o := failed[step.Actions[i].ID]; o != nil {
					d.block(failureBlock(&step.Actions[i], o))
				}
			}
		}
	}
}

func failureBlock(a *Action, o *Outcome) Block {
	b := Block{Code: BlockActionFailedBefore, Severity: Wait, Kind: a.Kind, Name: a.Name,
		Message: "The last " + a.Op.name() + " failed and is tried again; the API said: " + shortMessage(o.Message)}
	if o.Result == OutcomeRejected {
		b.Severity = Attention
		b.Remedy = "Remove what makes the API refuse it: a quota, an admission policy, a missing permission or an invalid field."
	}
	return b
}
