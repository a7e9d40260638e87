package planned

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/oracle/world"
)

// writeOf is the request for an action. It fails if the precondition does not match the world, or if a manifest is not a
// complete object.
func writeOf(w *world.World, a *model.Action) (world.Write, error) {
	out := world.Write{Name: a.Name}
	var err error
	switch op := a.Op.(type) {
	case model.CreatePod:
		out.Op = world.CreatePod
		pod := &corev1.Pod{}
		if err = decode(op.Manifest, pod); err == nil {
			err = absent(a, pod, w.Pod(a.Name) != nil)
		}
		out.Body = world.PodBody(pod)
	case model.CreateClaim:
		out.Op = world.CreateClaim
		claim := &corev1.PersistentVolumeClaim{}
		if err = decode(op.Manifest, claim); err == nil {
			err = absent(a, claim, w.Claim(a.Name) != nil)
		}
		out.Body = world.ClaimBody(claim)
	case model.CreateRevision:
		out.Op = world.CreateRevision
		revision := &appsv1.ControllerRevision{}
		if err = decode(op.Manifest, revision); err == nil {
			err = absent(a, revision, w.Revision(a.Name) != nil)
		}
		out.Body = world.RevisionBody(revision)
	case model.UpdateStatus:
		out.Op = world.UpdateStatus
		err = present(a, w.Set)
		status := statusOf(&op.Status)
		if world.Since137 { // as adapters write it: the conditions of others stay
			status.Conditions = Merged(w.Set.Status.Conditions, status.Conditions)
		}
		out.Body = world.StatusBody(status)
	default:
		err = change(w, a, &out)
	}
	return out, err
}

// Merged replaces stored conditions by those of the same type, and adds the others.
func Merged(stored, wanted []appsv1.StatefulSetCondition) []appsv1.StatefulSetCondition {
	out := slices.Clone(stored)
	for _, c := range wanted {
		if i := slices.IndexFunc(out, func(s appsv1.StatefulSetCondition) bool { return s.Type == c.Type }); i >= 0 {
			out[i] = c
		} else {
			out = append(out, c)
		}
	}
	return out
}

// change is the request for an action on an existing object.
func change(w *world.World, a *model.Action, out *world.Write) error {
	switch a.Kind {
	case model.KindPod:
		pod := w.Pod(a.Name).DeepCopy()
		if err := present(a, pod); err != nil {
			return err
		}
		return changePod(a, pod, out)
	case model.KindClaim:
		claim := w.Claim(a.Name).DeepCopy()
		op, ok := a.Op.(model.SetClaimOwners)
		if err := present(a, claim); err != nil || !ok {
			return fmt.Errorf("%T on a claim: %w", a.Op, err)
		}
		out.Op = world.UpdateClaim
		claim.OwnerReferences = refsOf(op.Owners)
		out.Body = world.ClaimBody(claim)
		return nil
	case model.KindRevision:
		revision := w.Revision(a.Name).DeepCopy()
		if err := present(a, revision); err != nil {
			return err
		}
		return changeRevision(a, revision, out)
	}
	return fmt.Errorf("%T on %s is new to the oracle", a.Op, a.Kind)
}

func changePod(a *model.Action, pod *corev1.Pod, out *world.Write) error {
	switch op := a.Op.(type) {
	case model.DeletePod:
		out.Op = world.DeletePod
	case model.AdoptPod:
		out.Op = world.OwnPod
		out.Body = world.OwnersBody(withOwner(pod.OwnerReferences, op.Owner))
	case model.ReleasePod:
		out.Op = world.OwnPod
		out.Body = world.OwnersBody(withoutOwner(pod.OwnerReferences, op.OwnerUID))
	case model.PatchPod:
		out.Op = world.UpdatePod
		for _, label := range op.Labels {
			metav1.SetMetaDataLabel(&pod.ObjectMeta, label.Key, label.Value)
		}
		for _, claim := range op.Claims {
			bind(pod, claim)
		}
		out.Body = world.PodBody(pod)
	default:
		return fmt.Errorf("%T on a pod is new to the oracle", a.Op)
	}
	return nil
}

func changeRevision(a *model.Action, revision *appsv1.ControllerRevision, out *world.Write) error {
	switch op := a.Op.(type) {
	case model.DeleteRevision:
		out.Op = world.DeleteRevision
	case model.AdoptRevision:
		out.Op = world.OwnRevision
		out.Body = world.OwnersBody(withOwner(revision.OwnerReferences, op.Owner))
	case model.RenumberRevision:
		out.Op = world.UpdateRevision
		revision.Revision = op.Number
		out.Body = world.RevisionBody(revision)
	default:
		return fmt.Errorf("%T on a revision is new to the oracle", a.Op)
	}
	return nil
}

// bind makes the claim the source of a pod's volume.
func bind(pod *corev1.Pod, claim model.ClaimBinding) {
	source := corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Claim}}
	for i := range pod.Spec.Volumes {
		if pod.Spec.Volumes[i].Name == claim.Volume {
			pod.Spec.Volumes[i].VolumeSource = source
			return
		}
	}
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: claim.Volume, VolumeSource: source})
}

// decode reads a manifest and fails for a field that the API does not know: the API would drop it silently.
func decode(manifest []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(manifest))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

func absent(a *model.Action, made metav1.Object, exists bool) error {
	switch {
	case !a.MustNotExist || a.UID != "" || a.ResourceVersion != "":
		return fmt.Errorf("a creation has only the precondition that the name is free")
	case exists:
		return fmt.Errorf("it exists")
	case made.GetName() != a.Name:
		return fmt.Errorf("the manifest is of %s", made.GetName())
	}
	return nil
}

func present[T any, P interface {
	*T
	metav1.Object
}](a *model.Action, object P) error {
	switch {
	case object == nil:
		return fmt.Errorf("it does not exist")
	case a.MustNotExist || types.UID(a.UID) != object.GetUID():
		return fmt.Errorf("its uid is %s, the precondition says %q", object.GetUID(), a.UID)
	case a.ResourceVersion != "" && a.ResourceVersion != object.GetResourceVersion():
		return fmt.Errorf("its version is %s, the precondition says %s", object.GetResourceVersion(), a.ResourceVersion)
	}
	return nil
}
