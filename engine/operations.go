package engine

import (
	"fmt"
	"strings"
)

// Operation is what an action does; exactly the types below implement it. What the engine needs to know of one is a method, and not a switch
// with a default: so a new operation has to say whether it is destructive.
type Operation interface {
	capability() Capabilities
	// name is its name in ids, messages and descriptions.
	name() string
	// destructive reports whether it deletes an object.
	destructive() bool
	// size is roughly its size in a message and in memory.
	size() int
	// detail is what Describe adds to its target.
	detail() string
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

func (CreatePod) capability() Capabilities        { return CanCreatePod }
func (DeletePod) capability() Capabilities        { return CanDeletePod }
func (EvictPod) capability() Capabilities         { return CanEvictPod }
func (PatchPod) capability() Capabilities         { return CanPatchPod }
func (ResizePod) capability() Capabilities        { return CanResizePod }
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
func (PatchClaim) capability() Capabilities       { return CanPatchClaim }
func (SetFinalizer) capability() Capabilities     { return CanSetFinalizer }

func (op UpdatePod) capability() Capabilities {
	if len(op.Containers)+len(op.InitContainers) > 0 {
		return CanUpdateImages
	}
	return CanUpdatePod
}

func (CreatePod) name() string        { return "create-pod" }
func (DeletePod) name() string        { return "delete-pod" }
func (EvictPod) name() string         { return "evict-pod" }
func (PatchPod) name() string         { return "patch-pod" }
func (UpdatePod) name() string        { return "update-pod" }
func (ResizePod) name() string        { return "resize-pod" }
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
func (PatchClaim) name() string       { return "patch-claim" }
func (SetFinalizer) name() string     { return "set-finalizer" }

func (CreatePod) destructive() bool        { return false }
func (DeletePod) destructive() bool        { return true }
func (EvictPod) destructive() bool         { return true }
func (PatchPod) destructive() bool         { return false }
func (UpdatePod) destructive() bool        { return false }
func (ResizePod) destructive() bool        { return false }
func (AdoptPod) destructive() bool         { return false }
func (ReleasePod) destructive() bool       { return false }
func (CreateClaim) destructive() bool      { return false }
func (SetClaimOwners) destructive() bool   { return false }
func (CreateRevision) destructive() bool   { return false }
func (RenumberRevision) destructive() bool { return false }
func (AdoptRevision) destructive() bool    { return false }
func (DeleteRevision) destructive() bool   { return true }
func (UpdateStatus) destructive() bool     { return false }
func (PatchAnnotations) destructive() bool { return false }
func (DeleteClaim) destructive() bool      { return true }
func (PatchClaim) destructive() bool       { return false }
func (SetFinalizer) destructive() bool     { return false }

// What a part of an operation takes; of owners there may be very many, here and as a message.
const (
	sizeOfPart  = 64
	sizeOfOwner = 192
)

func (op CreatePod) size() int      { return len(op.Manifest) }
func (DeletePod) size() int         { return 0 }
func (EvictPod) size() int          { return 0 }
func (AdoptPod) size() int          { return 0 }
func (ReleasePod) size() int        { return 0 }
func (op CreateClaim) size() int    { return len(op.Manifest) }
func (op CreateRevision) size() int { return len(op.Manifest) }
func (RenumberRevision) size() int  { return 0 }
func (AdoptRevision) size() int     { return 0 }
func (DeleteRevision) size() int    { return 0 }
func (UpdateStatus) size() int      { return 0 }
func (PatchAnnotations) size() int  { return 0 }
func (DeleteClaim) size() int       { return 0 }
func (SetFinalizer) size() int      { return 0 }

func (op PatchClaim) size() int { return sizeOfEntries(op.Labels, op.Annotations) }

func (op UpdatePod) size() (size int) {
	for _, list := range [...][]string{op.RemoveLabels, op.RemoveAnnotations} {
		for _, key := range list {
			size += sizeOfPart + len(key)
		}
	}
	for _, list := range [...][]ContainerImage{op.Containers, op.InitContainers} {
		for _, c := range list {
			size += sizeOfPart + len(c.Name) + len(c.Image)
		}
	}
	return size + sizeOfEntries(op.Labels, op.Annotations)
}

func (op ResizePod) size() (size int) {
	for _, list := range [...][]ContainerResize{op.Containers, op.InitContainers} {
		for i := range list {
			size += sizeOfPart + len(list[i].Name)
			for _, key := range resizable {
				if value := *key.of(&list[i].Resources); value != "" {
					size += sizeOfPart + len(value)
				}
			}
		}
	}
	return size
}

func sizeOfEntries(lists ...[]KeyValue) (size int) {
	for _, list := range lists {
		for _, entry := range list {
			size += sizeOfPart + len(entry.Key) + len(entry.Value)
		}
	}
	return size
}

func (op SetClaimOwners) size() (size int) {
	for i := range op.Owners {
		o := &op.Owners[i]
		size += sizeOfOwner + len(o.APIVersion) + len(o.Kind) + len(o.Name) + len(o.UID)
	}
	return size
}

func (op PatchPod) size() (size int) {
	for _, c := range op.Claims {
		size += sizeOfPart + len(c.Volume) + len(c.Claim)
	}
	return size
}

func (CreatePod) detail() string           { return "" }
func (DeletePod) detail() string           { return "" }
func (EvictPod) detail() string            { return "" }
func (AdoptPod) detail() string            { return "" }
func (ReleasePod) detail() string          { return "" }
func (CreateClaim) detail() string         { return "" }
func (CreateRevision) detail() string      { return "" }
func (AdoptRevision) detail() string       { return "" }
func (DeleteRevision) detail() string      { return "" }
func (DeleteClaim) detail() string         { return "" }
func (op RenumberRevision) detail() string { return fmt.Sprintf(" [number %d]", op.Number) }

func (op PatchPod) detail() string {
	var parts []string
	for _, l := range op.Labels {
		parts = append(parts, l.Key+"="+l.Value)
	}
	for _, c := range op.Claims {
		parts = append(parts, c.Volume+":"+c.Claim)
	}
	return " [" + strings.Join(parts, " ") + "]"
}

func (op UpdatePod) detail() string {
	var parts []string
	for _, l := range op.Labels {
		parts = append(parts, l.Key+"="+l.Value)
	}
	for _, key := range op.RemoveLabels {
		parts = append(parts, key+"-")
	}
	for _, a := range op.Annotations {
		parts = append(parts, a.Key+":"+a.Value)
	}
	for _, key := range op.RemoveAnnotations {
		parts = append(parts, key+":-")
	}
	for _, list := range [...][]ContainerImage{op.InitContainers, op.Containers} {
		for _, c := range list {
			parts = append(parts, c.Name+"="+c.Image)
		}
	}
	return " [" + strings.Join(parts, " ") + "]"
}

func (op ResizePod) detail() string {
	var parts []string
	for _, list := range [...][]ContainerResize{op.InitContainers, op.Containers} {
		for i := range list {
			for _, key := range resizable {
				if value := *key.of(&list[i].Resources); value != "" {
					parts = append(parts, list[i].Name+"."+key.list+"."+key.resource+"="+value)
				}
			}
		}
	}
	return " [" + strings.Join(parts, " ") + "]"
}

func (op PatchClaim) detail() string {
	var parts []string
	if op.Request != "" {
		parts = append(parts, "storage="+op.Request)
	}
	if op.AttributesClass != "" {
		parts = append(parts, "attributes-class="+op.AttributesClass)
	}
	for _, l := range op.Labels {
		parts = append(parts, l.Key+"="+l.Value)
	}
	return " [" + strings.Join(parts, " ") + "]"
}

func (op SetClaimOwners) detail() string {
	owners := make([]string, len(op.Owners))
	for i, o := range op.Owners {
		owners[i] = o.Kind + "/" + o.Name
	}
	return " [" + strings.Join(owners, " ") + "]"
}

func (op UpdateStatus) detail() string {
	for _, c := range op.Status.Conditions {
		if c.Type == ConditionBlocked && c.Status == conditionTrue {
			return " [Blocked: " + c.Reason + "]"
		}
	}
	return ""
}

func (op PatchAnnotations) detail() string {
	var parts []string
	for _, a := range op.Set {
		parts = append(parts, a.Key+"="+a.Value)
	}
	for _, key := range op.Remove {
		parts = append(parts, key+"-")
	}
	return " [" + strings.Join(parts, " ") + "]"
}

func (op SetFinalizer) detail() string {
	if op.Present {
		return " [" + op.Finalizer + "]"
	}
	return " [" + op.Finalizer + "-]"
}
