package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/setplan/setplan/test/oracle/world"
)

type podClient struct {
	coreclient.PodInterface
	api *api
}

func (c podClient) Create(_ context.Context, pod *corev1.Pod, _ metav1.CreateOptions) (*corev1.Pod, error) {
	var refusal metav1.StatusReason
	if c.api.w.Pod(pod.Name) != nil || c.api.did(world.CreatePod, pod.Name) {
		refusal = metav1.StatusReasonAlreadyExists
	}
	return pod, c.api.write(world.CreatePod, pod.Name, world.PodBody(pod), refusal)
}

func (c podClient) Update(_ context.Context, pod *corev1.Pod, _ metav1.UpdateOptions) (*corev1.Pod, error) {
	var refusal metav1.StatusReason
	switch known := c.api.w.Pod(pod.Name); {
	case known == nil && c.api.did(world.CreatePod, pod.Name):
	case known == nil:
		refusal = metav1.StatusReasonNotFound
	case known.UID != pod.UID:
		refusal = metav1.StatusReasonConflict
	}
	return pod, c.api.write(world.UpdatePod, pod.Name, world.PodBody(pod), refusal)
}

func (c podClient) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	var refusal metav1.StatusReason
	if c.api.w.Pod(name) == nil && !c.api.did(world.CreatePod, name) {
		refusal = metav1.StatusReasonNotFound
	}
	return c.api.write(world.DeletePod, name, "", refusal)
}

func (c podClient) Patch(_ context.Context, name string, kind types.PatchType, patch []byte, _ metav1.PatchOptions, _ ...string) (*corev1.Pod, error) {
	pod := c.api.w.Pod(name).DeepCopy()
	if err := patchOwners(&pod.ObjectMeta, kind, patch); err != nil {
		return nil, err
	}
	return pod, c.api.write(world.OwnPod, name, world.OwnersBody(pod.OwnerReferences), "")
}

// patchOwners does what the API server does with a patch of owners. The controller patches nothing else, and any other patch
// fails here: it is applied only to metadata.
func patchOwners(meta *metav1.ObjectMeta, kind types.PatchType, patch []byte) error {
	if kind != types.StrategicMergePatchType {
		return fmt.Errorf("patch type %s is new to the oracle", kind)
	}
	object := metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{UID: meta.UID, OwnerReferences: meta.OwnerReferences}}
	original, err := json.Marshal(object)
	if err != nil {
		return err
	}
	changed, err := strategicpatch.StrategicMergePatch(original, patch, object)
	if err != nil {
		return err
	}
	patched := metav1.PartialObjectMetadata{}
	if err := json.Unmarshal(changed, &patched); err != nil {
		return err
	}
	meta.OwnerReferences, patched.OwnerReferences = patched.OwnerReferences, nil
	if !reflect.DeepEqual(patched.ObjectMeta, metav1.ObjectMeta{UID: meta.UID}) {
		return fmt.Errorf("the patch changes more than owners, or is for another object: %s", patch)
	}
	return nil
}

type claimClient struct {
	coreclient.PersistentVolumeClaimInterface
	api *api
}

// Create succeeds again for a claim that this pass has created: whether upstream's cache shows the claim by then, and upstream
// does not try, is a matter of microseconds.
func (c claimClient) Create(_ context.Context, claim *corev1.PersistentVolumeClaim, _ metav1.CreateOptions) (*corev1.PersistentVolumeClaim, error) {
	var refusal metav1.StatusReason
	if c.api.w.Claim(claim.Name) != nil {
		refusal = metav1.StatusReasonAlreadyExists
	}
	return claim, c.api.write(world.CreateClaim, claim.Name, world.ClaimBody(claim), refusal)
}

func (c claimClient) Update(_ context.Context, claim *corev1.PersistentVolumeClaim, _ metav1.UpdateOptions) (*corev1.PersistentVolumeClaim, error) {
	var refusal metav1.StatusReason
	if c.api.w.Claim(claim.Name) == nil {
		refusal = metav1.StatusReasonNotFound
	}
	return claim, c.api.write(world.UpdateClaim, claim.Name, world.ClaimBody(claim), refusal)
}

type setClient struct {
	appsclient.StatefulSetInterface
	api *api
}

func (c setClient) Get(context.Context, string, metav1.GetOptions) (*appsv1.StatefulSet, error) {
	return c.api.w.Set.DeepCopy(), nil
}

func (c setClient) UpdateStatus(_ context.Context, set *appsv1.StatefulSet, _ metav1.UpdateOptions) (*appsv1.StatefulSet, error) {
	return set, c.api.write(world.UpdateStatus, set.Name, world.StatusBody(&set.Status), "")
}

type revisionClient struct {
	appsclient.ControllerRevisionInterface
	api *api
}

func (c revisionClient) Create(_ context.Context, revision *appsv1.ControllerRevision, _ metav1.CreateOptions) (*appsv1.ControllerRevision, error) {
	created := revision.DeepCopy()
	created.Namespace = c.api.w.Set.Namespace // the URL's
	var refusal metav1.StatusReason
	if c.api.w.Revision(revision.Name) != nil {
		refusal = metav1.StatusReasonAlreadyExists
	}
	return created, c.api.write(world.CreateRevision, created.Name, world.RevisionBody(created), refusal)
}

func (c revisionClient) Get(_ context.Context, name string, _ metav1.GetOptions) (*appsv1.ControllerRevision, error) {
	return notFound(c.api.w.Revision(name), "controllerrevisions", name)
}

func (c revisionClient) Update(_ context.Context, revision *appsv1.ControllerRevision, _ metav1.UpdateOptions) (*appsv1.ControllerRevision, error) {
	return revision, c.api.write(world.UpdateRevision, revision.Name, world.RevisionBody(revision), "")
}

func (c revisionClient) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	return c.api.write(world.DeleteRevision, name, "", "")
}

func (c revisionClient) Patch(_ context.Context, name string, kind types.PatchType, patch []byte, _ metav1.PatchOptions, _ ...string) (*appsv1.ControllerRevision, error) {
	revision := c.api.w.Revision(name).DeepCopy()
	if err := patchOwners(&revision.ObjectMeta, kind, patch); err != nil {
		return nil, err
	}
	return revision, c.api.write(world.OwnRevision, name, world.OwnersBody(revision.OwnerReferences), "")
}

// eventClient receives the whole controller's events.
type eventClient struct {
	coreclient.EventInterface
	api *api
}

func (c eventClient) CreateWithEventNamespace(event *corev1.Event) (*corev1.Event, error) {
	c.api.recorder().Event(nil, event.Type, event.Reason, event.Message)
	return event, nil
}

func (c eventClient) PatchWithEventNamespace(event *corev1.Event, _ []byte) (*corev1.Event, error) {
	return c.CreateWithEventNamespace(event)
}
