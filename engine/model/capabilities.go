package model

// Capabilities is a set of operations that an adapter can execute: bit n stands for number n of setplan.v1.Capability.
type Capabilities uint64

// The capabilities, with the numbers of setplan.v1.Capability.
const (
	CanCreatePod Capabilities = 1 << (iota + 1)
	CanDeletePod
	CanPatchPod
	CanAdoptPod
	CanReleasePod
	CanCreateClaim
	CanSetClaimOwners
	CanCreateRevision
	CanRenumberRevision
	CanAdoptRevision
	CanDeleteRevision
	CanUpdateStatus
	CanPatchAnnotations
	CanDeleteClaim
	CanSetFinalizer
	CanSetConditions // in UpdateStatus
	CanPatchClaim
	CanEvictPod
	CanUpdatePod
	CanUpdateImages // in UpdatePod
	CanResizePod
	CanAddClaimTemplates // its snapshots have the claims, and it makes them

	// AllCapabilities is what this engine can emit.
	AllCapabilities = CanAddClaimTemplates<<1 - 2
)
