package law

// Invariant is a rule that no write may break.
type Invariant struct {
	Name  string
	about uint32 // mask of operations
	holds func(*Check) error
}

// Holds returns what is wrong with a write; nil if nothing is, or if the invariant is about other operations.
func (i *Invariant) Holds(c *Check) error {
	if !i.About(c.Write.Op) {
		return nil
	}
	return i.holds(c)
}

// About reports whether the invariant is about an operation.
func (i *Invariant) About(op Operation) bool { return i.about>>op&1 == 1 }

// Asked reports whether any invariant is about an operation.
func Asked(op Operation) bool {
	for i := range OnWrite {
		if OnWrite[i].About(op) {
			return true
		}
	}
	return false
}

func of(operations ...Operation) uint32 {
	mask := uint32(0)
	for _, o := range operations {
		mask |= 1 << o
	}
	return mask
}

const every = 1<<(RemoveFinalizer+1) - 1

// The names of the invariants.
const (
	AtMostOne             = "AtMostOne"
	OrderedReady          = "OrderedReady"
	UpdateWithinBudget    = "UpdateWithinBudget"
	RepairIsRight         = "RepairIsRight"
	RepairTakesNothing    = "RepairTakesNothing"
	BelowPartition        = "BelowPartitionStaysOld"
	ClaimsFollowRetention = "ClaimsFollowRetention"
	ClaimsBeforePods      = "ClaimsBeforePods"
	PodsHaveTheirClaims   = "PodsHaveTheirClaims"
	WantedClaimsStay      = "WantedClaimsStay"
	DataIsDrained         = "DataIsDrained"
	DrainsInOrder         = "DrainsInOrder"
	OnlyMarkedIsDrained   = "OnlyMarkedIsDrained"
	DrainPodsFinish       = "DrainPodsFinish"
	FinalizerComesLast    = "FinalizerComesLast"
	StaysUntilDrained     = "SetStaysUntilDrained"
	NeighboursKeepTheirs  = "NeighboursKeepTheirs"
	DeletingStatusOnly    = "DeletingSetStatusOnly"
	RevisionsOnlyGrow     = "RevisionsOnlyGrow"
	OnlyItsOwn            = "OnlyItsOwn"
	GuardKeeps            = "GuardKeeps"
	PauseHolds            = "PauseHolds"
	LeaderComesLast       = "LeaderComesLast"
	ScaleUpWithinLimit    = "ScaleUpWithinLimit"
	VolumesGrowOnce       = "VolumesGrowOnce"
	GatesHold             = "GatesHold"
	BudgetsHold           = "BudgetsHold"
	InPlaceIsRight        = "InPlaceIsRight"
	LabelsAreTrue         = "LabelsAreTrue"
)

// OnWrite are the invariants of every write.
var OnWrite = []Invariant{
	{AtMostOne, of(CreatePod, CreateDrainPod), atMostOne},
	{OrderedReady, of(CreatePod, DeletePod), orderedReady},
	{UpdateWithinBudget, of(DeletePod, ChangePod), updateWithinBudget},
	{RepairIsRight, of(DeletePod), repairIsRight},
	{RepairTakesNothing, of(DeletePod), repairTakesNothing},
	{BelowPartition, of(CreatePod), belowPartition},
	{ClaimsBeforePods, of(CreatePod), claimsBeforePods},
	{PodsHaveTheirClaims, of(CreatePod), podsHaveTheirClaims},
	{ClaimsFollowRetention, of(SetClaimOwners), claimsFollowRetention},
	{WantedClaimsStay, of(DeletePod), wantedClaimsStay},
	{DataIsDrained, of(DeleteClaim, CollectClaim), dataIsDrained},
	{DrainsInOrder, of(DeletePod, CreateDrainPod), drainsInOrder},
	{OnlyMarkedIsDrained, of(CreateDrainPod), onlyMarkedIsDrained},
	{DrainPodsFinish, of(DeleteDrainPod), drainPodsFinish},
	{FinalizerComesLast, of(AddFinalizer), finalizerComesLast},
	{StaysUntilDrained, of(RemoveFinalizer), staysUntilDrained},
	{NeighboursKeepTheirs, of(CreateDrainPod, DeleteClaim), neighboursKeepTheirs},
	{DeletingStatusOnly, every &^ of(UpdateStatus, AddFinalizer, RemoveFinalizer, CollectClaim), deletingStatusOnly},
	{RevisionsOnlyGrow, ofRevision, revisionsOnlyGrow},
	{OnlyItsOwn, of(CreatePod, DeletePod, ChangePod, CreateDrainPod, DeleteDrainPod, RenumberRevision, ChangeRevision, DeleteRevision), onlyItsOwn},
	{GuardKeeps, of(DeletePod), guardKeeps},
	{PauseHolds, of(CreatePod, DeletePod, ChangePod, CreateDrainPod, DeleteDrainPod, CreateClaim, SetClaimOwners, ChangeClaim, DeleteClaim), pauseHolds},
	{LeaderComesLast, of(DeletePod, ChangePod), leaderComesLast},
	{ScaleUpWithinLimit, of(CreatePod), scaleUpWithinLimit},
	{VolumesGrowOnce, of(ChangeClaim), volumesGrowOnce},
	{GatesHold, of(DeletePod, ChangePod), gatesHold},
	{InPlaceIsRight, of(DeletePod, ChangePod), inPlaceIsRight},
	{LabelsAreTrue, of(ChangePod), labelsAreTrue},
	{BudgetsHold, of(DeletePod, ChangePod), budgetsHold},
}
