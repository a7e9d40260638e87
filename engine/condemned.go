package engine

// handOverCondemnedClaims gives the claims of pods outside the range to those pods where whenScaled is Delete, so that
// they go with them; this comes before any of the pods is deleted.
func (d *decision) handOverCondemnedClaims() bool {
	if len(d.templates) == 0 || d.keepsAll() {
		return true
	}
	d.startPhase()
	handOver := func(step *Step, i int) verdict {
		if i > 0 && d.condemned[i-1].ordinal == d.condemned[i].ordinal {
			return goOn // web-01 beside web-1: the claims are those of the canonical name, which comes first
		}
		p := d.condemned[i].pod
		if !d.fixClaimOwners(step, d.condemned[i].ordinal, podRef{p.Name, p.UID}) {
			return fail
		}
		return goOn
	}
	if !d.parallel() {
		return d.inOrder(PhaseCondemnedClaims, len(d.condemned), handOver)
	}
	return d.inBatches(PhaseCondemnedClaims, len(d.condemned), handOver)
}

// scaleDown deletes pods outside the range, from the highest ordinal (processCondemned upstream). It returns false if
// the update must wait.
func (d *decision) scaleDown() bool {
	if d.keepsAll() {
		return true // a block says why nothing is scaled down
	}
	d.startPhase()
	if d.parallel() {
		return d.inBatches(PhaseScaleDown, len(d.condemned), d.condemnAny)
	}
	if len(d.condemned) == 0 {
		return true
	}
	first := d.firstUnavailable()
	return d.inOrder(PhaseScaleDown, len(d.condemned), func(step *Step, i int) verdict {
		return d.condemnInOrder(step, d.condemned[i], first)
	})
}

func (d *decision) condemnAny(step *Step, i int) verdict {
	if m := d.condemned[i]; !m.pod.terminating() {
		return d.deleteCondemned(step, m)
	}
	return goOn
}

// condemnInOrder deletes one pod and then waits. A pod that is not available may only go if it is the first such pod of
// the set: below an ailing pod nothing is taken away.
func (d *decision) condemnInOrder(step *Step, m member, first *Pod) verdict {
	p := m.pod
	if p.terminating() {
		d.block(Block{Code: BlockPodTerminating, Severity: Wait, Kind: KindPod, Name: p.Name, Since: p.DeletedAt,
			Message: "The pod is being deleted; the next one goes once it is gone.",
			Remedy:  whyItStays})
		return hold
	}
	if (!p.runningReady() || !p.available(d.minReady, d.now)) && p != first && !d.hopeless(p) {
		if first == nil {
			first = p // ready by its condition, but not running: upstream waits here as well
		}
		if d.rules.EndedPodsHoldNothing && first.ended() && !first.terminating() {
			ordinal, _ := d.ordinalOf(first)
			d.deleteEnded(step, member{first, ordinal})
			return hold
		}
		b := Block{Code: BlockScaleDownWaitsForPod, Severity: Wait, Kind: KindPod, Name: first.Name, Since: first.CreatedAt,
			Message: "Pod " + p.Name + " is outside the range and goes once " + orItself(p, first) + " is available.",
			Remedy:  "Look at why this pod is not available: kubectl describe pod " + first.Name + "."}
		if inner := d.waitFor(first); inner != nil {
			b.Since, b.NotBefore = inner.Since, inner.NotBefore
		}
		if first.ended() && !first.terminating() {
			b.Severity = Attention
			b.Remedy = "A pod that has ended never becomes available: kubectl delete pod " + first.Name + "."
		}
		d.block(b)
		return hold
	}
	if v := d.deleteCondemned(step, m); v != goOn {
		return v
	}
	return hold
}

func orItself(p, first *Pod) string {
	if p == first {
		return "it"
	}
	return "this pod, which is lower,"
}

func (d *decision) deleteCondemned(step *Step, m member) verdict {
	if v := d.mayGo(step, m); v != goOn {
		return v
	}
	return d.deleteEnded(step, m)
}

// deleteEnded deletes without regard to a drain: of a pod that has ended nothing is taken away that still runs.
func (d *decision) deleteEnded(step *Step, m member) verdict {
	p, version := m.pod, ""
	if d.staysForClaims(p, m.ordinal, BlockScaleDownWaitsForPod, "The pod's ordinal is outside the range. It goes") {
		return hold
	}
	if d.emptying() {
		version = p.ResourceVersion // freeing it from its set would have changed it: see orphans
	}
	if !d.emit(step, Action{Kind: KindPod, Name: p.Name, UID: p.UID, ResourceVersion: version, Op: DeletePod{},
		Cause: Cause{CauseScaledDown, "The pod's ordinal is outside the range."}}) {
		return fail
	}
	return goOn
}

// firstUnavailable is the lowest pod that is not available, and may become so: of the range, then of the condemned.
// OrderedReady asks only when every ordinal of the range has a pod.
func (d *decision) firstUnavailable() *Pod {
	for _, p := range d.replicas {
		d.work(partReplicas, 1)
		if d.unavailable(p) {
			return p
		}
	}
	for i := len(d.condemned) - 1; i >= 0; i-- {
		d.work(partPods, 1)
		if p := d.condemned[i].pod; d.unavailable(p) && !d.hopeless(p) {
			return p
		}
	}
	return nil
}
