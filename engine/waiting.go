package engine

import (
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
)

// waitFor returns the block that says why a pod is not available, or nil. The checks come in the order of processReplica.
func (v *view) waitFor(p *model.Pod) *model.Block {
	if !p.Terminating() && p.RunningReady() && v.Available(p) {
		return nil
	}
	var b model.Block
	switch {
	case p.Terminating():
		b = blockPodTerminating(p, v.Now)
	case !p.RunningReady():
		stuck := v.Outdated(p) && !v.Parallel() && !v.UpdatedByHand() && !v.Recreates() && !v.covers(p)
		b = blockPodNotReady(p, stuck, stuck && v.broken(p) && !p.NodeLost && v.Paused < state.PauseUpdates && !v.holds())
	default:
		b = v.WhyNotAvailable(p)
	}
	return &b
}

// explainUnavailable adds blocks for what a Parallel set waits for; under OrderedReady the step that stopped has added its own. Pods in
// the same state share one block, on the lowest.
func explainUnavailable(v *view, out *state.Draft) {
	if !v.Parallel() {
		return
	}
	var same [model.BlockPodTerminating + 1]sameWait
	for _, p := range v.Replicas {
		if p != nil && !p.HasEnded() {
			explain(v, out, &same, p)
		}
	}
	for i := len(v.Condemned) - 1; i >= 0; i-- {
		if p := v.Condemned[i].Pod; p.Terminating() {
			explain(v, out, &same, p)
		}
	}
	for _, s := range same {
		if s.pods > 1 && s.told {
			out.Plan.Blocks[s.block].Message += prose.SameHoldsOfSet(s.pods - 1)
		}
	}
}

// sameWait counts the pods that wait for the same reason; block is the index of the first one's block in the plan.
type sameWait struct {
	pods, block int
	told        bool // the plan has the block
}

func explain(v *view, out *state.Draft, same *[model.BlockPodTerminating + 1]sameWait, p *model.Pod) {
	b := v.waitFor(p)
	if b == nil {
		return
	}
	s := &same[b.Code]
	if s.pods++; s.pods == 1 {
		s.block = len(out.Plan.Blocks)
		s.told = out.Block(*b)
	}
}

// explainOutdated adds the blocks that say which pods stay at an old revision on purpose.
func explainOutdated(v *view, out *state.Draft) {
	if v.Paused >= state.PauseUpdates {
		return
	}
	below, first := 0, (*model.Pod)(nil)
	limit := v.BelowPartition
	if v.UpdatedByHand() {
		limit = len(v.Replicas)
	}
	for _, p := range v.Replicas[:min(limit, len(v.Replicas))] {
		if v.Outdated(p) && !v.OnItsWay(p, v.Update.Name) {
			if below++; first == nil {
				first = p
			}
		}
	}
	if below == 0 {
		return
	}
	if v.UpdatedByHand() {
		out.Block(blockOnDelete(first, below))
	} else {
		out.Block(blockPartitionHeld(first, below, v.Partition()))
	}
}

// explainOnTheWay adds a block for each pod that is on its way, about what it waits for. One that is to go elsewhere waits for its turn to be sent
// there, and another block says so.
func explainOnTheWay(v *view, out *state.Draft) {
	if v.InPlace == inplace.InPlaceNever || v.Paused >= state.PauseUpdates {
		return
	}
	for slot, p := range v.Replicas {
		if p == nil || p.Annotations == nil || !v.StaysOnItsWay(p) || out.Updated[p.UID] {
			continue
		}
		f := v.FlightOf(p)
		look := v.LookAtPod(p, f)
		if v.GoesElsewhere(slot, f) || look.Proven && p.RunningReady() {
			continue
		}
		refused := v.RefusalOf(p)
		if refused != nil {
			out.Block(inplace.BlockResizeRefused(p, f.Revision, refused))
		}
		if refused == nil || look.First != "" {
			out.Block(inplace.BlockOnItsWay(p, f.Revision, look, len(f.Of) > 0))
		}
	}
}

// explainRecords adds a block about the first pod whose record of an update in place counts for nothing.
func explainRecords(v *view, out *state.Draft) {
	var first *model.Pod
	more := 0
	for _, p := range v.Replicas {
		switch {
		case p == nil || !inplace.IsMarked(p) || v.UnderWay(p) || p.Annotations.Values[inplace.AnnotationUpdate] == inplace.NothingUnderWay:
		case first == nil:
			first = p
		default:
			more++
		}
	}
	if first != nil {
		out.Block(inplace.BlockNoRecord(first, more, v.IsOfEveryPod(first.Revision, inplace.AnnotationUpdate, first.Annotations.Values[inplace.AnnotationUpdate])))
	}
}

// explainPaused adds the block that says what is held back. HealOnly heals nothing of a set that is drained before it is deleted, so the
// block says there what All holds back.
func explainPaused(v *view, out *state.Draft) {
	mode := v.Paused
	switch {
	case mode == state.PauseNothing:
		return
	case v.Emptying():
		mode = state.PauseAll
	}
	old := 0
	for _, p := range v.Replicas {
		if v.Outdated(p) {
			old++
		}
	}
	out.Block(blockPaused(v.Set, v.Asks(policy.Pause), mode, old, len(v.Condemned), v.UpdateLeft()))
}
