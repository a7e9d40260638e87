package engine

import "time"

// Plan is what to do now, in order, and what is held back.
type Plan struct {
	Fence        Fence
	Stages       []Stage
	Blocks       []Block
	RequeueAfter time.Duration // 0: only when something changes
	Converged    bool
	Truncated    bool
}

// Fence must hold when the plan is applied.
type Fence struct {
	SetUID     string
	Generation int64
	MaxAge     time.Duration
}

// Stage is a group of steps that may run side by side; stages run one after another.
type Stage struct {
	Phase           Phase
	Steps           []Step
	OnFailure       OnFailure
	AlwaysRun       bool
	RequiresLiveSet bool
}

// Step is a list of actions that run one after another; the first that fails ends the step.
type Step struct {
	Actions []Action
}

// Action is one write.
type Action struct {
	ID              string
	Kind            string // kind of the target
	Name            string // name of the target, in the set's namespace
	MustNotExist    bool   // precondition
	UID             string // precondition
	ResourceVersion string // precondition
	Cause           Cause
	Op              Operation
}

// Cause says which rule asked for an action.
type Cause struct {
	Code    CauseCode
	Message string
}

// Operation is what an action does; exactly the types below implement it.
type Operation interface {
	capability() Capabilities
	// name is what ids, sentences and descriptions call it.
	name() string
}

// The operations. Their meaning is that of the messages of the same name in setplan.v1.
type (
	CreatePod struct{ Manifest []byte }
	DeletePod struct{}
	PatchPod  struct {
		Labels []KeyValue // sorted by key
		Claims []ClaimBinding
	}
	AdoptPod         struct{ Owner Owner }
	ReleasePod       struct{ OwnerUID string }
	CreateClaim      struct{ Manifest []byte }
	SetClaimOwners   struct{ Owners []Owner }
	CreateRevision   struct{ Manifest []byte }
	RenumberRevision struct{ Number int64 }
	AdoptRevision    struct{ Owner Owner }
	DeleteRevision   struct{}
	UpdateStatus     struct{ Status Status }
	PatchAnnotations struct {
		Set    []KeyValue // sorted by key
		Remove []string   // sorted
	}
	DeleteClaim  struct{}
	SetFinalizer struct {
		Finalizer string
		Present   bool
	}
)

// KeyValue is one label or annotation.
type KeyValue struct{ Key, Value string }

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

	// AllCapabilities is what this engine can emit.
	AllCapabilities = CanSetConditions<<1 - 2
)

func (CreatePod) capability() Capabilities        { return CanCreatePod }
func (DeletePod) capability() Capabilities        { return CanDeletePod }
func (PatchPod) capability() Capabilities         { return CanPatchPod }
func (AdoptPod) capability() Capabilities         { return CanAdoptPod }
func (ReleasePod) capability() Capabilities       { return CanReleasePod }
func (CreateClaim) capability() Capabilities      { return CanCreateClaim }
func (SetClaimOwners) capability() Capabilities   { return CanSetClaimOwners }
func (CreateRevision) capability() Capabilities   { return CanCreateRevision }
func (RenumberRevision) capability() Capabilities { return CanRenumberRevision }
func (AdoptRevision) capability() Capabilities    { return CanAdoptRevision }
func (DeleteRevision) capability() Capabilities   { return CanDeleteRevision }
func (UpdateStatus) capability() Capabilities     { return CanUpdateStatus }
func (PatchAnnotations) capability() Capabilities { return CanPatchAnnotations }
func (DeleteClaim) capability() Capabilities      { return CanDeleteClaim }
func (SetFinalizer) capability() Capabilities     { return CanSetFinalizer }

func (CreatePod) name() string        { return "create-pod" }
func (DeletePod) name() string        { return "delete-pod" }
func (PatchPod) name() string         { return "patch-pod" }
func (AdoptPod) name() string         { return "adopt-pod" }
func (ReleasePod) name() string       { return "release-pod" }
func (CreateClaim) name() string      { return "create-claim" }
func (SetClaimOwners) name() string   { return "set-claim-owners" }
func (CreateRevision) name() string   { return "create-revision" }
func (RenumberRevision) name() string { return "renumber-revision" }
func (AdoptRevision) name() string    { return "adopt-revision" }
func (DeleteRevision) name() string   { return "delete-revision" }
func (UpdateStatus) name() string     { return "update-status" }
func (PatchAnnotations) name() string { return "patch-annotations" }
func (DeleteClaim) name() string      { return "delete-claim" }
func (SetFinalizer) name() string     { return "set-finalizer" }

// Block is something that was wanted and is held back, or that people should know.
type Block struct {
	Code      BlockCode
	Severity  Severity
	Kind      string // kind of the subject
	Name      string // name of the subject
	Message   string
	Remedy    string    // empty where only time helps
	Since     time.Time // zero: the snapshot does not tell
	NotBefore time.Time // zero: the snapshot does not tell
}

// Kinds that actions and blocks name. The set's own kind stands in Set.Kind.
const (
	KindPod      = "Pod"
	KindClaim    = "PersistentVolumeClaim"
	KindRevision = "ControllerRevision"
)
