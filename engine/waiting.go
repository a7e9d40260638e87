package engine

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// waitFor returns the block that says why a pod is not available, or nil. The checks come in the order of processReplica.
func (v *view) waitFor(p *model.Pod) *model.Block {
	if !p.Terminating() && p.RunningReady() && v.available(p) {
		return nil
	}
	var b model.Block
	switch {
	case p.Terminating():
		b = blockPodTerminating(p, v.now)
	case !p.RunningReady():
		stuck := v.outdated(p) && !v.parallel() && !v.updatedByHand() && !v.covers(p)
		b = blockPodNotReady(p, stuck, stuck && v.broken(p) && !p.NodeLost && v.paused < pauseUpdates && !v.holds())
	default:
		b = v.whyNotAvailable(p)
	}
	return &b
}

// explainUnavailable adds blocks for what a Parallel set waits for; under OrderedReady the step that stopped has added its own. Pods in
// the same state share one block, on the lowest.
func explainUnavailable(v *view, out *draft) {
	if !v.parallel() {
		return
	}
	var same [model.BlockPodTerminating + 1]sameWait
	for _, p := range v.replicas {
		if p != nil && !p.HasEnded() {
			explain(v, out, &same, p)
		}
	}
	for i := len(v.condemned) - 1; i >= 0; i-- {
		if p := v.condemned[i].pod; p.Terminating() {
			explain(v, out, &same, p)
		}
	}
	for _, s := range same {
		if s.pods > 1 && s.told {
			out.plan.Blocks[s.block].Message += prose.SameHoldsOfSet(s.pods - 1)
		}
	}
}

// sameWait counts the pods that wait for the same reason; block is the index of the first one's block in the plan.
type sameWait struct {
	pods, block int
	told        bool // the plan has the block
}

func explain(v *view, out *draft, same *[model.BlockPodTerminating + 1]sameWait, p *model.Pod) {
	b := v.waitFor(p)
	if b == nil {
		return
	}
	s := &same[b.Code]
	if s.pods++; s.pods == 1 {
		s.block = len(out.plan.Blocks)
		s.told = out.block(*b)
	}
}

// explainOutdated adds the blocks that say which pods stay at an old revision on purpose.
func explainOutdated(v *view, out *draft) {
	if v.paused >= pauseUpdates {
		return
	}
	below, first := 0, (*model.Pod)(nil)
	limit := v.belowPartition
	if v.updatedByHand() {
		limit = len(v.replicas)
	}
	for _, p := range v.replicas[:min(limit, len(v.replicas))] {
		if v.outdated(p) && !v.onItsWay(p, v.update.name) {
			if below++; first == nil {
				first = p
			}
		}
	}
	if below == 0 {
		return
	}
	if v.updatedByHand() {
		out.block(blockOnDelete(first, below))
	} else {
		out.block(blockPartitionHeld(first, below, v.partition()))
	}
}

// explainOnTheWay adds a block for each pod that is on its way, about what it waits for. One that is to go elsewhere waits for its turn to be sent
// there, and another block says so.
func explainOnTheWay(v *view, out *draft) {
	if v.inPlace == inPlaceNever || v.paused >= pauseUpdates {
		return
	}
	for slot, p := range v.replicas {
		if p == nil || p.Annotations == nil || !v.staysOnItsWay(p) || out.updated[p.UID] {
			continue
		}
		f := v.flightOf(p)
		look := v.lookAtPod(p, f)
		if v.goesElsewhere(slot, f) || look.proven && p.RunningReady() {
			continue
		}
		refused := v.refusalOf(p)
		if refused != nil {
			out.block(blockResizeRefused(p, f.revision, refused))
		}
		if refused == nil || look.first != "" {
			out.block(blockOnItsWay(p, f.revision, look, len(f.of) > 0))
		}
	}
}

// explainRecords adds a block about the first pod whose record of an update in place counts for nothing.
func explainRecords(v *view, out *draft) {
	var first *model.Pod
	more := 0
	for _, p := range v.replicas {
		switch {
		case p == nil || !isMarked(p) || v.underWay(p) || p.Annotations.Values[annotationUpdate] == nothingUnderWay:
		case first == nil:
			first = p
		default:
			more++
		}
	}
	if first != nil {
		out.block(blockNoRecord(first, more, v.isOfEveryPod(first.Revision, annotationUpdate, first.Annotations.Values[annotationUpdate])))
	}
}
