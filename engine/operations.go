package engine

// Operation is what an action does; exactly the types below implement it.
type Operation interface {
	// traits are what all operations of its type have in common: so a new one has to say whether it is destructive.
	traits() *traits
}

// traits are what all operations of a type have in common.
type traits struct {
	name        string // in ids, messages and descriptions
	capability  Capabilities
	destructive bool // whether it deletes an object
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
	createPodTraits        = traits{"create-pod", CanCreatePod, false}
	deletePodTraits        = traits{"delete-pod", CanDeletePod, true}
	evictPodTraits         = traits{"evict-pod", CanEvictPod, true}
	patchPodTraits         = traits{"patch-pod", CanPatchPod, false}
	updatePodTraits        = traits{"update-pod", CanUpdatePod, false}
	updateImagesTraits     = traits{"update-pod", CanUpdateImages, false}
	resizePodTraits        = traits{"resize-pod", CanResizePod, false}
	adoptPodTraits         = traits{"adopt-pod", CanAdoptPod, false}
	releasePodTraits       = traits{"release-pod", CanReleasePod, false}
	createClaimTraits      = traits{"create-claim", CanCreateClaim, false}
	setClaimOwnersTraits   = traits{"set-claim-owners", CanSetClaimOwners, false}
	createRevisionTraits   = traits{"create-revision", CanCreateRevision, false}
	renumberRevisionTraits = traits{"renumber-revision", CanRenumberRevision, false}
	adoptRevisionTraits    = traits{"adopt-revision", CanAdoptRevision, false}
	deleteRevisionTraits   = traits{"delete-revision", CanDeleteRevision, true}
	updateStatusTraits     = traits{"update-status", CanUpdateStatus, false}
	patchAnnotationsTraits = traits{"patch-annotations", CanPatchAnnotations, false}
	deleteClaimTraits      = traits{"delete-claim", CanDeleteClaim, true}
	patchClaimTraits       = traits{"patch-claim", CanPatchClaim, false}
	setFinalizerTraits     = traits{"set-finalizer", CanSetFinalizer, false}
)

func (CreatePod) traits() *traits        { return &createPodTraits }
func (DeletePod) traits() *traits        { return &deletePodTraits }
func (EvictPod) traits() *traits         { return &evictPodTraits }
func (PatchPod) traits() *traits         { return &patchPodTraits }
func (ResizePod) traits() *traits        { return &resizePodTraits }
func (AdoptPod) traits() *traits         { return &adoptPodTraits }
func (ReleasePod) traits() *traits       { return &releasePodTraits }
func (CreateClaim) traits() *traits      { return &createClaimTraits }
func (SetClaimOwners) traits() *traits   { return &setClaimOwnersTraits }
func (CreateRevision) traits() *traits   { return &createRevisionTraits }
func (RenumberRevision) traits() *traits { return &renumberRevisionTraits }
func (AdoptRevision) traits() *traits    { return &adoptRevisionTraits }
func (DeleteRevision) traits() *traits   { return &deleteRevisionTraits }
func (UpdateStatus) traits() *traits     { return &updateStatusTraits }
func (PatchAnnotations) traits() *traits { return &patchAnnotationsTraits }
func (DeleteClaim) traits() *traits      { return &deleteClaimTraits }
func (PatchClaim) traits() *traits       { return &patchClaimTraits }
func (SetFinalizer) traits() *traits     { return &setFinalizerTraits }

// traits: an update that changes images needs a capability of its own.
func (op UpdatePod) traits() *traits {
	if len(op.Containers)+len(op.InitContainers) > 0 {
		return &updateImagesTraits
	}
	return &updatePodTraits
}
