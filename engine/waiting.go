package engine

import "fmt"

// whyItStays is the remedy for a pod that does not go.
const whyItStays = "If it stays: look at its finalizers and at its node; a pod of a lost node goes only when the node does."

// waitFor says why a pod is not available; nil if it is. The order of the questions is processReplica's.
func (d *decision) waitFor(p *Pod) *Block {
	b := Block{Severity: Wait, Kind: KindPod, Name: p.Name}
	switch {
	case p.terminating():
		b.Code, b.Since = BlockPodTerminating, p.DeletedAt
		b.Sentence = "The pod is being deleted, and nothing else happens until it is gone."
		b.Remedy = whyItStays
	case !p.runningReady():
		b.Code, b.Since = BlockPodNotReady, p.ReadyChangedAt
		if b.Since.IsZero() {
			b.Since = p.CreatedAt
		}
		b.Sentence = "The pod is " + phaseWord(p.Phase) + " and not ready."
		b.Remedy = "Look at the pod's events, conditions and logs: kubectl describe pod " + p.Name + "."
		if d.outdated(p) && !d.parallel() && !d.onDelete() {
			b.Remedy += " It is not at the update revision, and no update begins while it is not ready: once the template is mended, kubectl delete pod " + p.Name + "."
		}
	case !p.available(d.minReady, d.now):
		b.Code, b.Since = BlockPodNotAvailable, p.ReadyChangedAt
		b.Sentence = fmt.Sprintf("The pod is ready, and counts as available after minReadySeconds (%d).", d.set.MinReadySeconds)
		if at, ok := p.availableAt(d.minReady); ok {
			b.NotBefore = at
		}
	default:
		return nil
	}
	return &b
}

func phaseWord(phase PodPhase) string {
	return [...]string{"without a phase", "pending", "running", "succeeded", "failed", "of unknown phase"}[phase]
}

// explainUnavailable adds a block for what a set without order waits for; under OrderedReady the pass that stopped has
// done so. Many pods in the same state are one block, on the lowest.
func (d *decision) explainUnavailable() {
	if !d.parallel() {
		return
	}
	first := make(map[BlockCode]int)
	count := make(map[BlockCode]int)
	for _, p := range d.replicas {
		if p == nil || p.ended() {
			continue
		}
		b := d.waitFor(p)
		if b == nil {
			continue
		}
		if count[b.Code]++; count[b.Code] == 1 {
			first[b.Code] = len(d.plan.Blocks)
			d.block(*b)
		}
	}
	for code, at := range first {
		if more := count[code] - 1; more > 0 {
			d.plan.Blocks[at].Sentence += " The same holds for " + moreOf(more, "pod") + " of the set."
		}
	}
}
