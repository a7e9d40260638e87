package explore

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/invariants/law"
)

// viewer makes the views of clusters for the invariants. It reuses one view, so that a check costs little.
type viewer struct {
	config    *Config
	scribe    *scribe
	set       law.Set
	places    [maxOrdinals]law.Place
	claims    [maxOrdinals][1]law.Claim
	mounted   [maxOrdinals][1]string // names of these claims
	revisions [revisionCount]law.Revision
}

func newViewer(config *Config, scribe *scribe) *viewer {
	v := &viewer{config: config, scribe: scribe}
	v.set = law.Set{Parallel: config.Parallel, Guarded: config.Guarded, Budget: int(config.MaxUnavailable), SideBySide: 1, Repair: law.RepairNeverReady,
		Budgets: config.Budgets, InPlace: config.InPlace != "", KeepsPods: config.keepsPods(), Ranked: config.Ranked, ScaleUpLimit: config.ScaleUpLimit,
		Gates: law.Gates{Gated: config.Gated, Confirms: config.Gated}}
	if config.Repair == model.RepairUnready {
		v.set.Repair = law.RepairUnready
	}
	if config.Drain != nil {
		v.set.CancelsDrain, v.set.Leftovers = config.Drain.Cancel, config.Drain.Leftovers
	}
	for i := range v.places {
		v.claims[i][0].Name, v.mounted[i][0] = scribe.claims[i], scribe.claims[i]
		v.claims[i][0].WithoutIt = config.without()
		v.places[i] = law.Place{Ordinal: i, Claims: v.claims[i][:]}
	}
	v.set.Places = v.places[:]
	return v
}

// of returns the view of a cluster, valid until the next call.
func (v *viewer) of(c *cluster) *law.Set {
	s := &v.set
	s.Going, s.Finalizer = c.deleting, c.finalizer
	s.Replicas, s.Partition, s.Paused = int(c.replicas), int(c.partition), c.pause
	s.Reserved = s.Reserved[:0]
	for i := range maxOrdinals {
		if c.isReserved(i) {
			s.Reserved = append(s.Reserved, i)
		}
	}
	s.WhenScaled, s.WhenDeleted = c.whenScaled, c.whenDeleted
	s.Drains, s.DrainsOnDelete = c.drains, c.drains && v.config.Drain.OnDelete
	s.Current, s.Update, s.Named = named(c.currentRevision()), named(c.updateRevision()), named(c.statusCurrent)
	s.Revisions = v.revisions[:0]
	for r := revision(1); r <= revisionCount; r++ {
		if c.ranks[r] > 0 {
			s.Revisions = append(s.Revisions, law.Revision{Name: r.String(), Number: int64(c.ranks[r])})
		}
	}
	for i := range c.pods {
		v.places[i].Pod = podOf(c.pods[i])
		v.showInside(&v.places[i].Pod, c.pods[i])
		v.showMoment(&v.places[i].Pod, c.pods[i])
		showClaim(&v.claims[i][0], c.claims[i])
		v.places[i].Claims = v.claims[i][:bit(v.config.knowsClaims(c))]
	}
	return s
}

func named(r revision) string {
	if r == 0 {
		return ""
	}
	return r.String()
}

func podOf(p pod) law.Pod {
	return law.Pod{Exists: p.exists(), Ours: p.replica(), Drain: p.drain, Selected: p.replica(), Going: p.mode != staying,
		Ready: p.phase == ready, Available: p.available(), WasReady: p.phase == ready || p.phase == recovering || p.phase == failed,
		Failed: p.phase == failed, Succeeded: p.phase == succeeded, Revision: named(p.rev), Rank: bit(p.leads),
		MayLeave: named(p.mayLeave), Confirmed: named(p.confirmed)}
}

func showClaim(to *law.Claim, k claim) {
	*to = law.Claim{Name: to.Name, WithoutIt: to.WithoutIt, Exists: k.exists, Going: k.going, Drained: k.empty, Empty: k.empty, Listed: k.listed,
		Attempted: k.attempted, BySet: k.owner == bySet, BySetItself: k.owner == bySet,
		ByPod: k.owner == byPod || k.owner == byEarlierPod, ByPodItself: k.owner == byPod}
	if k.marked {
		to.Mark = law.Ours
	}
}

var operations = [...]law.Operation{createPod: law.CreatePod, deletePod: law.DeletePod, createClaim: law.CreateClaim,
	setClaimOwner: law.SetClaimOwners, createRevision: law.CreateRevision, renumberRevision: law.RenumberRevision,
	deleteRevision: law.DeleteRevision, updateStatus: law.UpdateStatus, createDrainPod: law.CreateDrainPod,
	deleteDrainPod: law.DeleteDrainPod, annotateClaim: law.ChangeClaim, deleteClaim: law.DeleteClaim, setFinalizer: law.RemoveFinalizer,
	evictPod: law.DeletePod, updatePod: law.ChangePod, patchClaim: law.ChangeClaim}

// write makes the view of a write.
func (v *viewer) write(w *write, c *cluster) law.Write {
	shown := law.Write{Op: operations[w.op], Ordinal: w.ordinal, Revision: named(w.rev), Number: w.number, Cause: law.Updated, Evicted: w.op == evictPod}
	switch w.op {
	case createPod:
		shown.Claims = v.mounted[w.ordinal][:bit(w.mounts)]
	case updatePod:
		v.showUpdate(&shown, w, c)
	case setFinalizer:
		if w.drain.keep {
			shown.Op = law.AddFinalizer
		}
	case deletePod:
		if w.repair {
			shown.Cause = law.Repaired
		}
	case setClaimOwner, deleteClaim, patchClaim:
		showClaim(&shown.Claim, claim{exists: true, owner: w.owner})
		shown.Claim.Name = v.scribe.claims[w.ordinal]
	case renumberRevision:
		shown.Before = int64(c.ranks[w.rev])
	}
	return shown
}

// showInside shows what is under way in a pod.
func (v *viewer) showInside(to *law.Pod, p pod) {
	in := &p.inside
	if to.Under = named(in.to); in.to == 0 || v.config.Inside != ofResources {
		return
	}
	to.RunsOn, to.Lacks = true, in.answer != granted || in.asks != in.to || in.has != in.asks
	to.Refused = in.answer == infeasible && in.asks != in.has && !v.config.keepsPods()
}

// showUpdate shows an update in place.
func (v *viewer) showUpdate(shown *law.Write, w *write, c *cluster) {
	p, in := c.pods[w.ordinal], &w.inside
	to := w.rev
	switch {
	case in.marks:
		shown.Revision = ""
		return
	case in.resizes:
		if shown.Revision = ""; p.inside.to != w.rev {
			shown.Resized = "the pod is not on its way to " + w.rev.String()
		}
		return
	case in.notes:
		to = in.to
		shown.Sent, shown.Restarts = in.to != p.inside.to, in.images && in.to != p.at()
		shown.Cause = law.Untold // it may come instead of a repair
	default:
		shown.Relabelled = w.rev != p.rev || p.inside.to != 0
		shown.Unproven = v.unproven(w, c)
	}
	shown.Revision, shown.Differs = to.String(), v.config.differs(p.at(), to)
}

// unproven says what a pod does not run or have of the revision that it is said to be at; "": nothing.
func (v *viewer) unproven(w *write, c *cluster) string {
	in := &c.pods[w.ordinal].inside
	switch {
	case w.op != updatePod || w.inside.marks || w.inside.notes || w.inside.resizes:
	case v.config.Inside == ofImages && in.runs != w.rev:
		return "its container runs " + named(in.runs)
	case v.config.Inside == ofResources && w.rev != badRevision && (in.asks != w.rev || in.has != w.rev):
		return "its container has what " + in.has.String() + " has"
	}
	return ""
}
