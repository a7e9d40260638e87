package engine

import "fmt"

// verdict is what one ordinal means for the ordinals and passes after it.
type verdict uint8

const (
	goOn verdict = iota // nothing stands in the way
	hold                // OrderedReady goes no further; Parallel does not mind
	fail                // upstream meets an error here: nothing further in either policy
)

// bringUpReplicas walks the range upwards (processReplica upstream). It returns false if later passes must wait.
func (d *decision) bringUpReplicas() bool {
	d.startPhase()
	if !d.parallel() {
		return d.inOrder(PhaseReplicas, len(d.replicas), d.replica)
	}
	return d.inBatches(PhaseReplicas, len(d.replicas), d.replica)
}

// inOrder runs a pass over n places one after another, up to the first that does not let it go on. All its actions are
// one step: the first that fails ends it.
func (d *decision) inOrder(phase Phase, n int, place func(*Step, int) verdict) bool {
	var step Step
	proceed := true
	for i := 0; i < n && proceed && !d.full; i++ {
		d.workAlong(partReplicas, 1, i, n)
		proceed = place(&step, i) == goOn
	}
	if len(step.Actions) > 0 {
		d.stage(Stage{Phase: phase, Steps: []Step{step}, OnFailure: Stop})
	}
	return proceed && !d.full
}

// Slow start: a batch is tried only if the one before went well, so that a set that cannot be served costs the API a
// few requests and not thousands. The sizes are upstream's (slowStartBatch).
const (
	firstBatch = 1
	maxBatch   = 500
)

// inBatches runs a pass over n places side by side, a stage for each batch.
func (d *decision) inBatches(phase Phase, n int, place func(*Step, int) verdict) bool {
	onFailure := Stop
	if d.rules.DeletesDespiteFailedCreates {
		onFailure = SkipPhase
	}
	failed := false
	for from, size := 0, firstBatch; from < n && !d.full; size = min(2*size, maxBatch) {
		stage := Stage{Phase: phase, OnFailure: onFailure}
		to := min(from+size, n)
		for i := from; i < to; i++ {
			d.work(partReplicas, 1)
			var step Step
			failed = place(&step, i) == fail || failed
			if len(step.Actions) > 0 {
				stage.Steps = append(stage.Steps, step)
			}
		}
		d.stage(stage)
		if failed && !d.rules.DeletesDespiteFailedCreates {
			return false
		}
		from = to
	}
	// A plan that is cut here goes on: what comes later is counted against the pods of the snapshot, not of the plan.
	return true
}

// replica decides what one ordinal of the range needs.
func (d *decision) replica(step *Step, slot int) verdict {
	p, ordinal := d.replicas[slot], d.ordinal(slot)
	switch {
	case p == nil:
		return d.createReplica(step, slot)
	case p.ended():
		return d.replaceEnded(step, p, ordinal)
	}
	pending := p.Phase == PodPending
	if pending {
		why := Cause{CauseClaimMissingForPendingPod, "Pod " + p.Name + " is pending and its claim does not exist."}
		if !d.createMissingClaims(step, ordinal, why) || !d.fixClaimOwners(step, ordinal, podRef{p.Name, p.UID}) {
			return fail
		}
	}
	if !d.parallel() && d.holdsOrder(p) {
		return hold
	}
	return d.restoreIdentity(step, p, ordinal, pending)
}

// createReplica plans the pod of an ordinal that has none, its claims before it.
func (d *decision) createReplica(step *Step, slot int) verdict {
	ordinal := d.ordinal(slot)
	name := d.set.podName(ordinal)
	if d.comesBackLater(ordinal) {
		return hold
	}
	if c := d.staleClaim(ordinal); c != nil {
		b := Block{Code: BlockClaimStale, Severity: Wait, Kind: KindClaim, Name: c.Name, Since: c.DeletedAt,
			Message: "The claim belongs to an earlier pod " + name + " that was scaled away, and is deleted with it.",
			Remedy:  "If it stays: remove the owner reference to the earlier pod to keep the data, or delete the claim."}
		if !c.DeletedAt.IsZero() {
			b.Remedy = whyClaimStays
		}
		d.block(b)
		return hold
	}
	if !d.createMissingClaims(step, ordinal, Cause{CauseClaimMissing, "Pod " + name + " needs the claim."}) {
		return fail
	}
	if stranger := d.taken[slot]; stranger != nil {
		d.block(d.nameTaken(stranger))
		return fail
	}
	if !d.createPod(step, slot, name) {
		return fail
	}
	if !d.fixClaimOwners(step, ordinal, podRef{name: name}) {
		return fail
	}
	if d.parallel() {
		return goOn
	}
	return hold
}

func (d *decision) createPod(step *Step, slot int, name string) bool {
	m, revision, ok := d.readyToMake(d.staysCurrent(slot))
	if !ok {
		return false
	}
	ordinal := d.ordinal(slot)
	a := Action{Kind: KindPod, Name: name, MustNotExist: true, Op: CreatePod{}, Cause: Cause{CauseOrdinalMissing,
		fmt.Sprintf("Ordinal %d is in the range and has no pod; it starts at revision %s.", ordinal, short(revision))}}
	if !d.fits(&a) {
		return false
	}
	a.Op = CreatePod{Manifest: m.with(ordinal)}
	return d.emit(step, a, revision)
}

// staysCurrent tells whether an ordinal's new pod is made from the current revision (newVersionedStatefulSetPod).
func (d *decision) staysCurrent(slot int) bool {
	if d.onDelete() {
		// Upstream's condition binds so that a partition counts under OnDelete too; validation forbids that pair.
		return d.set.RollingUpdate != nil && slot < int(d.set.RollingUpdate.Partition)
	}
	if d.set.RollingUpdate == nil {
		return slot < int(d.set.Status.CurrentReplicas)-d.leavingCurrent()
	}
	return slot < int(d.set.RollingUpdate.Partition)
}

// nameTaken is the block for a name that a stranger bears. One that is going makes room by itself, and so does one of an earlier set:
// that set is gone, since this one has its name.
func (d *decision) nameTaken(p *Pod) Block {
	b := Block{Code: BlockPodNameTaken, Severity: Attention, Kind: KindPod, Name: p.Name, Since: p.CreatedAt,
		Message: "A pod of this name exists and is not the set's: " + d.whoseIs(p) + ".",
		Remedy:  "Delete that pod, or give it the labels of the selector and no other controller, so that the set adopts it."}
	switch c := d.controllerOf(p.Owners); {
	case p.terminating():
		b.Severity, b.Since, b.Remedy = Wait, p.DeletedAt, whyItStays
		b.Message += " It is being deleted, and the set's own pod is created once it is gone."
	case c != nil && c.UID != d.set.UID && d.refersToSet(c):
		b.Severity = Wait
		b.Message += " That set is gone, and the garbage collector deletes its pods."
		b.Remedy = "If it stays: delete that pod, or remove its reference to the earlier " + short(c.Kind) + ", so that the set adopts it."
	}
	return b
}

func (d *decision) whoseIs(p *Pod) string {
	c := d.controllerOf(p.Owners)
	switch {
	case c == nil && p.terminating():
		return "nobody controls it"
	case c == nil || c.UID == d.set.UID:
		return "its labels do not match the selector"
	case d.refersToSet(c):
		return fmt.Sprintf("an earlier %s %s controls it", short(c.Kind), short(c.Name))
	default:
		return fmt.Sprintf("%s %s controls it", short(c.Kind), short(c.Name))
	}
}

// replaceEnded plans the deletion of a pod that failed, was evicted or ended; it is created anew once it is gone.
// Success counts too: the exit code of a container that was stopped from outside says nothing.
func (d *decision) replaceEnded(step *Step, p *Pod, ordinal int32) verdict {
	if p.terminating() {
		d.block(Block{Code: BlockPodEnded, Severity: Wait, Kind: KindPod, Name: p.Name, Since: p.DeletedAt,
			Message: "The pod has ended and is being deleted; it is created anew once it is gone.",
			Remedy:  whyItStays})
		return hold
	}
	if d.staysForClaims(p, ordinal, BlockPodEnded, "The pod has ended. It is replaced") {
		return hold
	}
	why := Cause{CausePodFailed, "The pod has failed and is created anew."}
	if p.Phase == PodSucceeded {
		why = Cause{CausePodSucceeded, "The pod has ended, and pods of a set do not end: it is created anew."}
	}
	if !d.emit(step, Action{Kind: KindPod, Name: p.Name, UID: p.UID, Op: DeletePod{}, Cause: why}) {
		return fail
	}
	return hold
}

// holdsOrder tells whether OrderedReady waits for a pod, and adds the block that says so.
func (d *decision) holdsOrder(p *Pod) bool {
	b := d.waitFor(p)
	if b == nil {
		return false
	}
	d.block(*b)
	return true
}

// restoreIdentity plans what brings a pod back to its identity and storage (UpdateStatefulPod upstream). claimsDone says that the
// step has dealt with its claims already.
func (d *decision) restoreIdentity(step *Step, p *Pod, ordinal int32, claimsDone bool) verdict {
	canonical := d.oddNames == 0 || canonicalName(p.Name)
	storageOff := !d.boundToItsClaims(p, ordinal, canonical)
	if storageOff && !d.rules.NoFutileWrites && !claimsDone {
		why := Cause{CauseClaimMissing, "Pod " + d.set.podName(ordinal) + " should use the claim."}
		if !d.createMissingClaims(step, ordinal, why) {
			return fail
		}
	}
	ref := podRef{p.Name, p.UID}
	if !canonical {
		ref.name = d.set.podName(ordinal) // upstream renames its copy before it looks at the claims
	}
	if !claimsDone && !d.fixClaimOwners(step, ordinal, ref) {
		return fail
	}
	if canonical && p.PodNameLabel && !storageOff {
		return goOn
	}
	return d.patchIdentity(step, p, ordinal, canonical, storageOff)
}

// patchIdentity plans what can be put right in a pod whose identity or storage is off.
func (d *decision) patchIdentity(step *Step, p *Pod, ordinal int32, canonical, storageOff bool) verdict {
	name := d.set.podName(ordinal)
	if !canonical {
		d.identityBlock(p, "The name spells ordinal "+fmt.Sprint(ordinal)+" in another way than "+name+", and a pod cannot be renamed.")
		return fail
	}
	var labels []KeyValue
	if !p.PodNameLabel {
		labels = []KeyValue{{labelPodIndex, fmt.Sprint(ordinal)}, {labelPodName, name}}
	}
	if storageOff {
		d.identityBlock(p, "The pod does not use the claims of its ordinal, and the volumes of a pod cannot be changed.")
	}
	rebind := storageOff && !d.rules.NoFutileWrites && len(d.templates) > 0
	if len(labels) == 0 && !rebind {
		return goOn
	}
	a := Action{Kind: KindPod, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion, Op: PatchPod{},
		Cause: Cause{CauseIdentity, "The pod's identity labels are missing or wrong."}}
	if rebind {
		a.Cause = Cause{CauseStorage, "The pod does not use the claims of its ordinal."}
	}
	if !d.fits(&a) {
		return fail
	}
	patch := PatchPod{Labels: labels}
	if rebind {
		d.work(partClaimTemplates, len(d.templates))
		for _, t := range d.templates {
			patch.Claims = append(patch.Claims, ClaimBinding{t.name, t.name + "-" + name})
		}
	}
	a.Op = patch
	if !d.emit(step, a) {
		return fail
	}
	return goOn
}

func (d *decision) identityBlock(p *Pod, sentence string) {
	d.block(Block{Code: BlockIdentityMismatch, Severity: Attention, Kind: KindPod, Name: p.Name, Since: p.CreatedAt,
		Message: sentence, Remedy: "Delete the pod; the set creates it anew as it should be."})
}
