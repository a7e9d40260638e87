package explore

import (
	"fmt"
	"math/bits"
)

func trailing(mask uint32) int { return bits.TrailingZeros32(mask) }

// The invariants, by name; docs/invariants.md tells them.
const (
	AtMostOne             = "AtMostOne"
	OrderedReady          = "OrderedReady"
	UpdateWithinBudget    = "UpdateWithinBudget"
	RepairIsRight         = "RepairIsRight"
	RepairIsFree          = "RepairTakesNothing"
	BelowPartition        = "BelowPartitionStaysOld"
	ClaimsFollowRetention = "ClaimsFollowRetention"
	ClaimsBeforePods      = "ClaimsBeforePods"
	WantedClaimsStay      = "WantedClaimsStay"
	Preconditions         = "EveryWriteHasAPrecondition"
	DeletingStatusOnly    = "DeletingSetStatusOnly"
	DataIsDrained         = "DataIsDrained"
	DrainsInOrder         = "DrainsInOrder"
	OnlyMarkedIsDrained   = "OnlyMarkedIsDrained"
	DrainPodsFinish       = "DrainPodsFinish"
	StaysUntilDrained     = "SetStaysUntilDrained"
	DangerIsSaid          = "DangerIsSaid"
	FinalizerLast         = "FinalizerComesLast"
	RevisionsOnlyGrow     = "RevisionsOnlyGrow"
	NothingTwice          = "NothingIsCreatedTwice"
	FixedPoint            = "FixedPointIsEmpty"
	TwiceIsOnce           = "AppliedTwiceIsOnce"
	AnyOrder              = "OrderOfListsIsNothing"
	WaitingIsExplained    = "WaitingIsExplained"
	StatusIsValid         = "StatusIsValid"
	PlanIsMeaningful      = "PlanIsMeaningful"
	ComesToRest           = "ComesToRest"
	RestIsRight           = "RestIsRightOrExplained"
)

// Violation is a broken invariant.
type Violation struct {
	Invariant, Detail string
	Trace             []string // the way there
}

func (v *Violation) Error() string { return v.Invariant + ": " + v.Detail }

// check is one write as an invariant sees it: what the writer knows, its own earlier writes included. Where nothing but
// adapters has moved since the views, it is asked about the truth as well.
type check struct {
	config *Config
	seen   *cluster
	write  *write
	truth  bool // seen is not what the adapter has seen, but what there is
}

// writeInvariants are asked before every write of an adapter.
var writeInvariants = []struct {
	name  string
	about func(operation) bool
	holds func(*check) error
}{
	{AtMostOne, only(createPod, createDrainPod), atMostOne},
	{OrderedReady, only(createPod, deletePod), orderedReady},
	{UpdateWithinBudget, only(deletePod), updateWithinBudget},
	{RepairIsRight, only(deletePod), repairIsRight},
	{BelowPartition, only(createPod), belowPartition},
	{ClaimsBeforePods, only(createPod), claimsBeforePods},
	{WantedClaimsStay, only(deletePod), wantedClaimsStay},
	{ClaimsFollowRetention, only(setClaimOwner), claimsFollowRetention},
	{DeletingStatusOnly, func(operation) bool { return true }, deletingStatusOnly},
	{DrainsInOrder, only(deletePod, createDrainPod), drainsInOrder},
	{OnlyMarkedIsDrained, only(createDrainPod), onlyMarkedIsDrained},
	{DrainPodsFinish, only(deleteDrainPod), drainPodsFinish},
	{StaysUntilDrained, only(setFinalizer), staysUntilDrained},
	{FinalizerLast, only(setFinalizer), finalizerComesLast},
	{RevisionsOnlyGrow, only(createRevision, renumberRevision, deleteRevision), revisionsOnlyGrow},
}

func only(operations ...operation) func(operation) bool {
	mask := 0
	for _, o := range operations {
		mask |= 1 << o
	}
	return func(o operation) bool { return mask>>o&1 == 1 }
}

func atMostOne(c *check) error {
	if c.seen.pods[c.write.ordinal].exists() {
		return fmt.Errorf("pod %d exists", c.write.ordinal)
	}
	return nil
}

// orderedReady: an ordinal comes when all below it are available; only the highest pod outside the range goes, and only
// if nothing below ails. One that has ended takes nothing away by going (rule EndedPodsHoldNothing).
func orderedReady(c *check) error {
	ordinal, replicas := c.write.ordinal, c.config.size(c.seen)
	switch {
	case c.config.Parallel:
		return nil
	case c.write.op == createPod:
		return allAvailable(c.seen, ordinal)
	case ordinal < replicas:
		return nil
	}
	target := c.seen.pods[ordinal]
	for other := range c.seen.pods {
		p := c.seen.pods[other]
		higher := other > ordinal && target.phase != failed
		if higher && p.replica() {
			return fmt.Errorf("pod %d is higher and outside the range, too", other)
		}
		if higher && p.mode != staying && !p.drain {
			return fmt.Errorf("pod %d is going already", other)
		}
		if c.hopeless(p) || c.hopeless(target) {
			continue
		}
		if other >= replicas && other < ordinal && p.replica() && !p.available() && !target.available() {
			return fmt.Errorf("it is not available, and neither is pod %d below it", other)
		}
	}
	return allAvailable(c.seen, replicas)
}

func allAvailable(seen *cluster, below int) error {
	for i := range below {
		if !seen.pods[i].available() {
			return fmt.Errorf("pod %d is not available", i)
		}
	}
	return nil
}

// updateWithinBudget: from the highest ordinal down to the partition, and no available pod beyond the budget.
func updateWithinBudget(c *check) error {
	ordinal, seen := c.write.ordinal, c.seen
	target := seen.pods[ordinal]
	switch {
	case ordinal >= c.config.size(seen) || !target.exists() || target.phase == failed || c.write.repair:
		return nil // scaled down, replaced because it has ended, or repaired
	case target.rev == seen.template:
		return fmt.Errorf("pod %d is at the update revision", ordinal)
	case ordinal < int(seen.partition):
		return fmt.Errorf("pod %d is below the partition", ordinal)
	case !target.available():
		return nil
	}
	unavailable := int32(1)
	for i := range int(seen.replicas) {
		p := seen.pods[i]
		if i > ordinal && p.available() && p.rev != seen.template {
			return fmt.Errorf("pod %d is higher and outdated, too", i)
		}
		if !p.available() {
			unavailable++
		}
	}
	if unavailable > c.config.MaxUnavailable {
		return fmt.Errorf("%d pods would be unavailable, and %d may be", unavailable, c.config.MaxUnavailable)
	}
	return nil
}

func belowPartition(c *check) error {
	want := c.seen.comesBackAt(c.write.ordinal)
	if c.write.rev != want {
		return fmt.Errorf("pod %d is made at %s instead of %s", c.write.ordinal, c.write.rev, want)
	}
	return nil
}

func claimsBeforePods(c *check) error {
	switch k := c.seen.claims[c.write.ordinal]; {
	case !k.exists:
		return fmt.Errorf("claim %d does not exist", c.write.ordinal)
	case k.going:
		return fmt.Errorf("claim %d is going away", c.write.ordinal)
	case c.seen.whenScaled && (k.owner == byPod || k.owner == byEarlierPod):
		return fmt.Errorf("claim %d belongs to an earlier pod", c.write.ordinal)
	}
	return nil
}

// wantedClaimsStay: no pod is deleted with which the garbage collector would delete a claim that the retention policy keeps.
func wantedClaimsStay(c *check) error {
	ordinal, k := c.write.ordinal, c.seen.claims[c.write.ordinal]
	if !c.seen.pods[ordinal].replica() || !k.exists || k.going || k.owner != byPod || k.empty && c.seen.drains ||
		c.config.wantedOwner(c.seen, ordinal) == byPod {
		return nil
	}
	return fmt.Errorf("claim %d goes with it, and is to stay", ordinal)
}

// claimsFollowRetention: between two adapters a claim may lose its reference to the set while the finalizer goes, which said
// that there must be none. Its data stays, and the next plan gives it back.
func claimsFollowRetention(c *check) error {
	if c.truth && c.write.owner == byNobody && c.config.Bounds.Adapters > 1 && c.config.Drain != nil && c.config.Drain.OnDelete {
		return nil
	}
	if want := c.config.wantedOwner(c.seen, c.write.ordinal); c.write.owner != want {
		return fmt.Errorf("claim %d is given to %s instead of %s", c.write.ordinal, c.write.owner, want)
	}
	return nil
}

func deletingStatusOnly(c *check) error {
	if !c.seen.deleting || c.write.op == updateStatus || c.config.empties(c.seen) || c.endsDrain() {
		return nil
	}
	return fmt.Errorf("the set is being deleted")
}

// revisionsOnlyGrow: a revision gets a higher number than all others, and one that is in use stays.
func revisionsOnlyGrow(c *check) error {
	if c.write.op != deleteRevision {
		if newest := c.seen.newest(); newest != 0 && c.write.number <= int64(c.seen.ranks[newest]) {
			return fmt.Errorf("number %d is not above that of %s", c.write.number, newest)
		}
		return nil
	}
	for i, p := range c.seen.pods {
		if p.replica() && p.rev == c.write.rev {
			return fmt.Errorf("pod %d is at it", i)
		}
	}
	if r := c.write.rev; r == c.seen.template || r == c.seen.statusCurrent {
		return fmt.Errorf("it is the current or the update revision")
	}
	return nil
}
