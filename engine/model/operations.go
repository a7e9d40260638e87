package model

// Operation is what an action does; exactly the types below implement it.
type Operation interface {
	// traits are what all operations of its type have in common: so a new one has to say whether it is destructive.
	Traits() *Traits
}

// Traits are what all operations of a type have in common.
type Traits struct {
	Name        string // in ids, messages and descriptions
	Capability  Capabilities
	Destructive bool // whether it deletes an object
}

// The operations. Their meaning is that of the messages of the same name in setplan.v1.
type (
	CreatePod struct{ Manifest []byte }
	DeletePod struct{}
	EvictPod  struct{}
	PatchPod  struct {
		Labels []KeyValue // sorted by key
		Claims []ClaimBinding
	}
	UpdatePod struct {
		Labels, Annotations             []KeyValue       // to set, sorted by key
		RemoveLabels, RemoveAnnotations []string         // sorted
		Containers, InitContainers      []ContainerImage // all of the pod's, in its order; empty where no image of them changes
	}
	ResizePod struct {
		Containers, InitContainers []ContainerResize // as the images of an UpdatePod
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
	DeleteClaim struct{}
	PatchClaim  struct {
		Request         string     // of storage; empty: it stays as it is
		AttributesClass string     // the same
		Labels          []KeyValue // to set, sorted by key
		Annotations     []KeyValue
	}
	SetFinalizer struct {
		Finalizer string
		Present   bool
	}
)

// ContainerImage is a container and the image that it is to have.
type ContainerImage struct{ Name, Image string }

// ContainerResize is a container and what changes of its resources; those that stay are empty.
type ContainerResize struct {
	Name string
	Resources
}

// KeyValue is one label or annotation.
type KeyValue struct{ Key, Value string }

var (
	createPodTraits        = Traits{"create-pod", CanCreatePod, false}
	deletePodTraits        = Traits{"delete-pod", CanDeletePod, true}
	evictPodTraits         = Traits{"evict-pod", CanEvictPod, true}
	patchPodTraits         = Traits{"patch-pod", CanPatchPod, false}
	updatePodTraits        = Traits{"update-pod", CanUpdatePod, false}
	updateImagesTraits     = Traits{"update-pod", CanUpdateImages, false}
	resizePodTraits        = Traits{"resize-pod", CanResizePod, false}
	adoptPodTraits         = Traits{"adopt-pod", CanAdoptPod, false}
	releasePodTraits       = Traits{"release-pod", CanReleasePod, false}
	createClaimTraits      = Traits{"create-claim", CanCreateClaim, false}
	setClaimOwnersTraits   = Traits{"set-claim-owners", CanSetClaimOwners, false}
	createRevisionTraits   = Traits{"create-revision", CanCreateRevision, false}
	renumberRevisionTraits = Traits{"renumber-revision", CanRenumberRevision, false}
	adoptRevisionTraits    = Traits{"adopt-revision", CanAdoptRevision, false}
	deleteRevisionTraits   = Traits{"delete-revision", CanDeleteRevision, true}
	updateStatusTraits     = Traits{"update-status", CanUpdateStatus, false}
	patchAnnotationsTraits = Traits{"patch-annotations", CanPatchAnnotations, false}
	deleteClaimTraits      = Traits{"delete-claim", CanDeleteClaim, true}
	patchClaimTraits       = Traits{"patch-claim", CanPatchClaim, false}
	setFinalizerTraits     = Traits{"set-finalizer", CanSetFinalizer, false}
)

func (CreatePod) Traits() *Traits        { return &createPodTraits }
func (DeletePod) Traits() *Traits        { return &deletePodTraits }
func (EvictPod) Traits() *Traits         { return &evictPodTraits }
func (PatchPod) Traits() *Traits         { return &patchPodTraits }
func (ResizePod) Traits() *Traits        { return &resizePodTraits }
func (AdoptPod) Traits() *Traits         { return &adoptPodTraits }
func (ReleasePod) Traits() *Traits       { return &releasePodTraits }
func (CreateClaim) Traits() *Traits      { return &createClaimTraits }
func (SetClaimOwners) Traits() *Traits   { return &setClaimOwnersTraits }
func (CreateRevision) Traits() *Traits   { return &createRevisionTraits }
func (RenumberRevision) Traits() *Traits { return &renumberRevisionTraits }
func (AdoptRevision) Traits() *Traits    { return &adoptRevisionTraits }
func (DeleteRevision) Traits() *Traits   { return &deleteRevisionTraits }
func (UpdateStatus) Traits() *Traits     { return &updateStatusTraits }
func (PatchAnnotations) Traits() *Traits { return &patchAnnotationsTraits }
func (DeleteClaim) Traits() *Traits      { return &deleteClaimTraits }
func (PatchClaim) Traits() *Traits       { return &patchClaimTraits }
func (SetFinalizer) Traits() *Traits     { return &setFinalizerTraits }

// Traits: an update that changes images needs a capability of its own.
func (op UpdatePod) Traits() *Traits {
	if len(op.Containers)+len(op.InitContainers) > 0 {
		return &updateImagesTraits
	}
	return &updatePodTraits
}
