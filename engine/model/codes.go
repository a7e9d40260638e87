package model

import "strconv"

// Phase names what a stage is for, with the numbers of setplan.v1.StagePhase. Stages come in this order, but for PhaseClaims, which follows
// PhaseOwnership, and for one of PhaseDrain that is about the finalizer: it comes last of all.
type Phase int32

// The phases of a plan.
const (
	_ Phase = iota
	PhaseOwnership
	PhaseRevision
	PhaseReplicas
	PhaseCondemnedClaims
	PhaseScaleDown
	PhaseDrain
	PhaseUpdate
	PhaseStatus
	PhaseHistory
	PhaseClaims
)

var phaseNames = []string{"unknown", "ownership", "revision", "replicas", "condemned-claims", "scale-down", "drain",
	"update", "status", "history", "claims"}

func (p Phase) String() string { return codeName(phaseNames, int32(p)) }

// OnFailure says what a failed step means for later stages, with the numbers of setplan.v1.OnFailure.
type OnFailure int32

// What may happen after a failure.
const (
	_ OnFailure = iota
	Abort
	Stop
	SkipPhase
)

var onFailureNames = []string{"unknown", "abort", "stop", "skip-phase"}

func (f OnFailure) String() string { return codeName(onFailureNames, int32(f)) }

// CauseCode names the rule that asked for an action, with the numbers of setplan.v1.CauseCode.
type CauseCode int32

// The causes.
const (
	_ CauseCode = iota
	CauseOrdinalMissing
	CausePodFailed
	CausePodSucceeded
	CauseScaledDown
	CauseOutdated
	CauseClaimMissing
	CauseClaimMissingForPendingPod
	CauseRetention
	CauseRetentionForeignController
	CauseIdentity
	CauseStorage
	CauseOrphanMatches
	CauseMatchesNoLonger
	CauseNewTemplate
	CauseRollback
	CauseHistoryLimit
	CauseStatusChanged
	CauseDrainMark
	CauseDrain
	CauseDrained
	CauseDrainFailed
	CauseDrainCancelled
	CauseDrainAsk
	CauseDrainFinalizer
	CauseRepair
	CauseChosen
	CauseClaimTemplate
	CauseFileSystemResize
)

var causeNames = [...]string{"UNSPECIFIED", "ORDINAL_MISSING", "POD_FAILED", "POD_SUCCEEDED", "SCALED_DOWN", "OUTDATED",
	"CLAIM_MISSING", "CLAIM_MISSING_FOR_PENDING_POD", "RETENTION", "RETENTION_FOREIGN_CONTROLLER", "IDENTITY", "STORAGE",
	"ORPHAN_MATCHES", "MATCHES_NO_LONGER", "NEW_TEMPLATE", "ROLLBACK", "HISTORY_LIMIT", "STATUS_CHANGED", "DRAIN_MARK", "DRAIN", "DRAINED",
	"DRAIN_FAILED", "DRAIN_CANCELLED", "DRAIN_ASK", "DRAIN_FINALIZER", "REPAIR", "CHOSEN", "CLAIM_TEMPLATE", "FILE_SYSTEM_RESIZE"}

func (c CauseCode) String() string { return codeName(causeNames[:], int32(c)) }

// Severity says what a block means for people, with the numbers of setplan.v1.Severity.
type Severity int32

// The severities.
const (
	_         Severity = iota
	Info               // held back on purpose, by the spec
	Wait               // normally passes by itself
	Attention          // somebody has to act
)

var severityNames = []string{"unknown", "info", "wait", "attention"}

func (s Severity) String() string { return codeName(severityNames, int32(s)) }

// BlockCode names a reason for waiting, with the numbers of setplan.v1.BlockCode.
type BlockCode int32

// The blocks; docs/blocks.md has a section for each.
const (
	_ BlockCode = iota
	BlockCoverageIncomplete
	BlockSetDeleting
	BlockInvalidSelector
	BlockInvalidTemplate
	BlockInvalidSpec
	BlockInvalidRevision
	BlockCapabilityMissing
	BlockPodNotReady
	BlockPodNotAvailable
	BlockPodTerminating
	BlockPodEnded
	BlockPodNameTaken
	BlockClaimTerminating
	BlockClaimStale
	BlockClaimForeignController
	BlockClaimLost
	BlockUpdateBudget
	BlockUpdateWaitsForPod
	BlockPartitionHeld
	BlockOnDelete
	BlockScaleDownWaitsForPod
	BlockActionFailedBefore
	BlockIdentityMismatch
	BlockInvalidPolicy
	BlockDraining
	BlockDrainFailed
	BlockDrainWaits
	BlockDrainClaimMissing
	BlockDrainLeftover
	BlockDrainAsked
	BlockRepairWaits
	BlockDrainUnprotected
	BlockPaused
	BlockScaleInGuarded
	BlockLeaderUnclear
	BlockLeaderWaits
	BlockScaleUpLimited
	BlockRecreateWaits
	BlockClaimChanges
	BlockClaimChangeWaits
	BlockClaimChangeFailed
	BlockClaimShrinks
	BlockFileSystemResize
	BlockUpdateGated
	BlockDisruptionBudget
	BlockUpdateNotInPlace
	BlockResizeDeferred
	BlockResizeInfeasible
)

var BlockNames = [...]string{"UNSPECIFIED", "COVERAGE_INCOMPLETE", "SET_DELETING", "INVALID_SELECTOR",
	"INVALID_TEMPLATE", "INVALID_SPEC", "INVALID_REVISION", "CAPABILITY_MISSING", "POD_NOT_READY", "POD_NOT_AVAILABLE",
	"POD_TERMINATING", "POD_ENDED", "POD_NAME_TAKEN", "CLAIM_TERMINATING", "CLAIM_STALE", "CLAIM_FOREIGN_CONTROLLER",
	"CLAIM_LOST", "UPDATE_BUDGET", "UPDATE_WAITS_FOR_POD", "PARTITION_HELD", "ON_DELETE", "SCALE_DOWN_WAITS_FOR_POD",
	"ACTION_FAILED_BEFORE", "IDENTITY_MISMATCH", "INVALID_POLICY", "DRAINING", "DRAIN_FAILED", "DRAIN_WAITS",
	"DRAIN_CLAIM_MISSING", "DRAIN_LEFTOVER", "DRAIN_ASKED", "REPAIR_WAITS", "DRAIN_UNPROTECTED",
	"PAUSED", "SCALE_IN_GUARDED", "LEADER_UNCLEAR", "LEADER_WAITS", "SCALE_UP_LIMITED", "RECREATE_WAITS", "CLAIM_CHANGES",
	"CLAIM_CHANGE_WAITS", "CLAIM_CHANGE_FAILED", "CLAIM_SHRINKS", "FILE_SYSTEM_RESIZE", "UPDATE_GATED",
	"DISRUPTION_BUDGET", "UPDATE_NOT_IN_PLACE", "RESIZE_DEFERRED", "RESIZE_INFEASIBLE"}

func (c BlockCode) String() string { return codeName(BlockNames[:], int32(c)) }

// codeName is a code's name, and its number where it has none.
func codeName(names []string, code int32) string {
	if code < 0 || int(code) >= len(names) {
		return strconv.Itoa(int(code))
	}
	return names[code]
}
