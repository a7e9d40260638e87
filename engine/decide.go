package engine

import (
	"time"

	"github.com/setplan/setplan/engine/jsontree"
)

// Limits of one plan. A plan that reaches one is cut there and says so (Plan.Truncated); the adapter applies it and
// asks again, so nothing is lost but a round trip.
const (
	// MaxReplicas is far beyond what a control plane carries, and bounds memory for any admitted spec. It is the server's
	// limit of pods in one snapshot, too: what the engine would plan is not refused before it.
	MaxReplicas = 100_000
	// maxActions bounds the actions of one phase; each phase has its own budget, so that none starves another.
	maxActions = 1_000
	// maxManifestBytes bounds what a plan has when one more manifest, or another long operation, is begun, so that the plan
	// fits a message; maxBytes is the same for all other actions.
	maxManifestBytes = 8 << 20
	maxBytes         = 2 * maxManifestBytes
	// maxAge is how long after the snapshot a plan may still be applied.
	maxAge = time.Minute
)

// Decide returns the plan for one set. It always returns one: what cannot be done is a block in it.
func Decide(s *Snapshot) *Plan { return DecideWithin(s, &Meter{}) }

// DecideWithin is Decide within the bounds of a meter, which it fills in. It returns nil if the meter's Stop said so.
func DecideWithin(s *Snapshot, m *Meter) *Plan {
	d := decision{
		s:        s,
		set:      &s.Set,
		rules:    s.Rules,
		now:      s.ObservedAt,
		minReady: time.Duration(s.Set.MinReadySeconds) * time.Second,
		plan:     &Plan{Fence: Fence{SetUID: s.Set.UID, Generation: s.Set.Generation, MaxAge: maxAge}},
		meter:    m,
	}
	switch d.metered(); m.end {
	case stopped:
		return nil
	case cutShort:
		d.cutShort()
	}
	d.finish()
	return d.plan
}

// metered runs the pass up to its end, or to where the meter ends it.
func (d *decision) metered() {
	defer func() {
		if d.meter.end != 0 {
			recover()
		}
	}()
	d.meter.look()
	d.run()
	d.reportFailures()
}

// retryUnplannable is when a set of which nothing could be planned is looked at again without news.
const retryUnplannable = 5 * time.Minute

// cutShort says that the plan has only what was complete when the work became too much.
func (d *decision) cutShort() {
	d.plan.Truncated = true
	if len(d.plan.Stages) == 0 {
		d.attention(BlockInvalidSpec, "A plan for the set takes more work than one plan may; most of it is for "+d.meter.blame()+".",
			"Make that smaller.")
		d.plan.RequeueAfter = retryUnplannable
	}
}

// decision is the state of one pass. Passes fill it in the order of the fields.
type decision struct {
	s        *Snapshot
	set      *Set
	rules    Rules
	now      time.Time
	minReady time.Duration
	plan     *Plan
	meter    *Meter

	template      jsontree.Value // see readTemplate
	templateRead  bool
	templates     []claimTemplate
	templateNames map[string]bool // where there are many
	matchLabels   jsontree.Value  // as an object; null until it is needed

	revisions []*Revision // the set's, in the order of the history
	members   []member    // the set's pods, those just adopted included
	oddNames  int         // members whose name is not canonical; none under CanonicalOrdinalsOnly
	strangers []*Pod      // pods that are not the set's
	current   revisionChoice
	update    revisionChoice
	lostSaid  bool // a block says that the current revision is lost
	collision int32

	unsure    bool // annotations of the set mean nothing here
	repairs   repairPolicy
	replicas  []*Pod       // by slot, which is ordinal - start; nil where there is none
	condemned []member     // outside the range, descending ordinals
	taken     map[int]*Pod // by slot: strangers that bear the name
	claims    claimIndex
	changed   map[string]bool // claims that this plan changes, at the resource version that it saw
	asked     *drainSettings  // nil: no drain policy
	drain     *drain          // nil: neither that, nor a trace of one
	pods      [2]madeOf       // at the current and the update revision; made when first needed

	status    Status
	ends      finalizers
	budget    int          // actions that the phase at hand may still emit
	full      bool         // the phase at hand reached a limit
	bytes     int          // of the actions so far
	incapable Capabilities // operations that a block has already reported as missing
	reported  int          // stages that reportFailures has seen

	stored     [len(conditionTypes)]*Condition // of our types, once they have been read
	storedRead bool
	blocks     [len(blockNames)]blockCount // by code
	matching   matching
	ownerLists map[*Owner]*ownerList  // the long ones; see longOwners
	volumeSets map[*string]*volumeSet // see boundToItsClaims
}

// run is one pass, in upstream's order (StatefulSetController.sync and updateStatefulSet).
func (d *decision) run() {
	if !d.usable() {
		return
	}
	d.readUnknown()
	d.findRevisions()
	d.startDrain()
	if d.aloneWithDrain() {
		d.drainAlone()
		return
	}
	if !d.storedAsIs() && !d.readTemplate() {
		return
	}
	if !d.adoptRevisions() || !d.claimPods() {
		return
	}
	if d.deleting() && !d.emptying() {
		d.blockDeleting()
		if d.orphanRevisions() {
			d.keepFinalizer()
			return // upstream gives up here: it may not adopt for a set that is going
		}
	}
	d.protectClaims()
	d.classify()
	d.releaseWantedClaims()
	if !d.chooseRevisions() {
		return
	}
	d.findPlaces()
	switch {
	case d.emptying():
		d.emptySet()
		d.countMembers()
	case d.deleting():
		d.countMembers()
	default:
		d.changePods()
	}
	d.writeStatus()
	d.trimHistory()
	d.keepFinalizer()
	d.requeue()
	d.requeueDrain()
}

// changePods brings pods about, takes them away and updates them. Each part runs only if the one before lets it, but for
// the repair, which is for sets in which that does not go on.
func (d *decision) changePods() {
	d.readRepairPolicy()
	proceed := d.bringUpReplicas()
	proceed = proceed && d.handOverCondemnedClaims()
	proceed = proceed && d.scaleDown()
	d.explainLimit()
	d.drainOrdinals()
	d.countPlaced()
	if proceed {
		d.updatePods()
	}
	d.repairPods()
	d.explainOutdated()
	d.explainUnavailable()
}

func (d *decision) blockDeleting() {
	d.block(Block{Code: BlockSetDeleting, Severity: Wait, Kind: d.set.Kind, Name: d.set.Name, Since: d.set.DeletedAt,
		Message: "The set is being deleted: the garbage collector deals with its pods, and only the status is kept up."})
}

func (d *decision) deleting() bool { return !d.set.DeletedAt.IsZero() }
func (d *decision) parallel() bool { return d.set.PodManagementPolicy == "Parallel" }
func (d *decision) onDelete() bool { return d.set.StrategyType == "OnDelete" }

// unavailable is upstream's isUnavailable; an ordinal without a pod is unavailable too.
func (d *decision) unavailable(p *Pod) bool {
	return p == nil || p.terminating() || !p.available(d.minReady, d.now)
}

func (d *decision) ordinal(slot int) int32 { return d.set.OrdinalsStart + int32(slot) }
