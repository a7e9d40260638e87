package engine

import (
	"slices"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// Limits of one plan. A plan that reaches one is cut there and says so (Plan.Truncated); the adapter applies it and
// asks again, so nothing is lost but a round trip.
const (
	// MaxReplicas is far beyond what a control plane carries, and bounds memory for any admitted spec. It is the server's
	// limit of pods in one snapshot, too: what the engine would plan is not refused before it.
	MaxReplicas = 100_000
	// maxActions bounds the actions of one phase; each phase has its own budget, so that none starves another.
	maxActions = 1_000
	// maxManifestBytes is the size at which a plan gets no further manifest or other long operation, so that it fits a message;
	// maxBytes is the same for all other actions.
	maxManifestBytes = 8 << 20
	maxBytes         = 2 * maxManifestBytes
	// maxAge is how long after the snapshot a plan may still be applied.
	maxAge = time.Minute
)

// Decide returns the plan for one set. It always returns one; what cannot be done is a block.
func Decide(s *model.Snapshot) *model.Plan { return DecideUntil(s, nil) }

// DecideUntil is Decide, and returns nil once stop reports true. It is asked between steps, and on the walks over all pods; nil: never.
// What the snapshot may hold bounds how long a decision takes: no step takes more than a time that is proportional to it.
func DecideUntil(s *model.Snapshot, stop func() bool) *model.Plan {
	out := newDraft(s, &caller{stop: stop})
	run(s, &out)
	if out.gone {
		return nil
	}
	out.reportFailures()
	out.finish()
	return out.plan
}

// run is one pass, in upstream's order (StatefulSetController.sync and updateStatefulSet): it reads the snapshot into a view and
// decides on the view.
func run(s *model.Snapshot, out *draft) {
	var v view
	v.begin(s, out.caller)
	out.failures() // read here, once: a step that did would take the view to the heap
	if !readSet(&v, out) {
		tellUnplanned(&v, out)
		return
	}
	dr := openDrain(&v, out)
	if v.drainOnly() {
		readForDrain(&v, dr, out)
		decideDrain(&v, dr, out)
		return
	}
	mk := maker{&v, out, &made{}}
	if readObjects(&v, dr, &mk, out) {
		decide(&v, dr, &mk, out)
	}
}

// readSet reads the set and finds its revisions. It returns false if nothing can be planned.
func readSet(v *view, out *draft) bool {
	if !usable(v, out) || !readClaimTemplates(v, out) {
		return false
	}
	v.revisions = v.findRevisions()
	if out.ends() || !readAdditions(v, out) {
		return false
	}
	readClaimPolicy(v, out)
	v.unsure = readUnknown(v, out)
	readNamesake(v, out)
	readDrainPolicy(v, out)
	readShared(v, out)
	readRetention(v)
	readRange(v)
	readLimits(v, out)
	return !out.ends()
}

// readObjects completes the view. It already plans what makes objects the set's own, because the rest builds on that. It returns
// false if that could not be planned, or if nothing is left to decide.
func readObjects(v *view, dr *drain, mk *maker, out *draft) bool {
	if refused(v, out) || !v.storedAsIs() && !mk.readTemplate() || !readRemovals(v, mk, out) {
		return false
	}
	if out.ends() || !adoptRevisions(v, out) || !adoptPods(v, out) || out.ends() {
		return false
	}
	if v.deleting() && !v.emptying() {
		out.block(blockSetDeleting(v.set))
		if v.orphanRevisions() {
			dr.keepFinalizer()
			return false // upstream gives up here: it may not adopt for a set that is being deleted
		}
	}
	dr.protectClaims()
	v.classify()
	if out.ends() {
		return false
	}
	releaseWantedClaims(v, out)
	freeClaimsOfDeleted(v, out)
	explainDanger(v, out)
	explainOtherOwners(v, out)
	changeClaims(v, out)
	if out.ends() || !chooseRevisions(v, mk, out) || out.ends() {
		return false
	}
	v.leaving = max(dr.findPlaces(), v.outsideAtCurrent())
	if !v.deleting() {
		v.repairs = readRepairPolicy(v, out)
	}
	return true
}

// readForDrain completes the view of a set that another controller runs. The drain needs no revisions.
func readForDrain(v *view, dr *drain, out *draft) {
	adoptPods(v, out)
	dr.protectClaims()
	v.classify()
	v.leaving = dr.findPlaces()
}

// decide plans on the view, which nobody changes any more.
func decide(v *view, dr *drain, mk *maker, out *draft) {
	status := change(v, dr, mk, out)
	writeStatus(v, &status, out)
	trimHistory(v, out)
	dr.keepFinalizer()
	requeue(v, &status, out)
	dr.requeue()
}

// change plans the changes of pods and claims, and returns the counters.
func change(v *view, dr *drain, mk *maker, out *draft) model.Status {
	switch {
	case v.emptying() && v.paused >= pauseHealOnly:
		explainPaused(v, out)
		return countMembers(v)
	case v.paused == pauseAll && !v.deleting():
		explainPaused(v, out)
		explainUnavailable(v, out)
		return countPlaced(v)
	case v.standsStill():
		explainUnavailable(v, out)
		return countPlaced(v)
	case v.emptying():
		emptySet(v, dr, out)
		return countMembers(v)
	case v.deleting():
		return countMembers(v)
	}
	return changePods(v, dr, mk, out)
}

// decideDrain is decide for a set that another controller runs: the drain and nothing else.
func decideDrain(v *view, dr *drain, out *draft) {
	switch {
	case v.emptying():
		scaleDown(v, dr, out) // that controller does nothing to a set that is being deleted
		explainUnavailable(v, out)
	case v.deleting():
		out.block(blockSetDeleting(v.set))
	}
	dr.drainOrdinals()
	dr.keepFinalizer()
	dr.requeue()
	out.plan.Done = len(out.plan.Stages) == 0 && !slices.ContainsFunc(out.plan.Blocks, holdsSomething) // the other controller writes the status
}

// emptySet deletes the replicas of a set that is being deleted, from the highest ordinal; each ordinal is drained once its replica is
// gone.
func emptySet(v *view, dr *drain, out *draft) {
	if handOverCondemnedClaims(v, out) {
		scaleDown(v, dr, out)
	}
	dr.drainOrdinals()
	explainUnavailable(v, out)
}

// changePods creates, deletes and updates pods, and returns the counters after that. Each part runs only if the one before lets it,
// except the repair, which is for sets that are stuck there, and the pods that somebody has chosen and that may be why it does not.
func changePods(v *view, dr *drain, mk *maker, out *draft) (status model.Status) {
	proceed := bringUpReplicas(v, dr, mk, out)
	proceed = proceed && handOverCondemnedClaims(v, out)
	proceed = proceed && scaleDown(v, dr, out)
	dr.drainOrdinals()
	status = countPlaced(v)
	again := goOnInPlace(v, out)
	if proceed {
		updatePods(v, &status, out)
	}
	if out.ends() {
		return status
	}
	repairPods(v, mk, &status, out)
	recreateChosen(v, mk, &status, out, proceed)
	out.stage(again)
	if out.ends() {
		return status
	}
	explainOnTheWay(v, out)
	explainRecords(v, out)
	explainPaused(v, out)
	explainOutdated(v, out)
	explainUnavailable(v, out)
	return status
}
