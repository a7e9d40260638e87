package differences

import (
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/setplan/setplan/test/oracle/world"
)

// The worlds of the rows, each a plain set with one thing out of the ordinary.

func twoMayBeUnavailable() *world.World {
	w := world.Plain(3, false)
	two := intstr.FromInt32(2)
	w.Set.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = &two
	edit(w)
	return w
}

func brokenPodSpendsTheBudget() *world.World {
	w := world.Plain(3, true)
	w.Set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
	edit(w)
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		unready(w, name)
	}
	w.Pod("web-2").Status.Conditions[0].LastTransitionTime = metav1.Time{Time: w.Now.Add(-time.Second)}
	return w
}

func blipOfTwo() *world.World {
	w := world.Plain(3, true)
	w.Set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
	edit(w)
	for _, name := range []string{"web-0", "web-1"} {
		unready(w, name)
		w.Pod(name).Status.Conditions[0].LastTransitionTime = metav1.Time{Time: w.Now.Add(-time.Second)}
	}
	return w
}

func updatedByHand() *world.World {
	w := world.Plain(1, false)
	w.Set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType}
	edit(w)
	w.Pods[0].Labels[appsv1.ControllerRevisionHashLabelKey] = w.Set.Status.UpdateRevision
	w.Set.Status.CurrentReplicas, w.Set.Status.UpdatedReplicas = 0, 1
	return w
}

func recreatesAll() *world.World {
	w := world.Plain(3, true)
	w.Set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: world.Recreate}
	edit(w)
	return w
}

func quotaIsUsedUp() *world.World {
	w := world.Plain(4, false)
	w.Set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
	*w.Set.Spec.Replicas = 2
	w.Pods = w.Pods[1:]
	status := &w.Set.Status
	status.Replicas, status.ReadyReplicas, status.AvailableReplicas, status.CurrentReplicas, status.UpdatedReplicas = 3, 3, 3, 3, 3
	w.Fault = &world.Fault{Op: world.CreatePod, Name: "web-0", Reason: "Forbidden"}
	return w
}

func leadingZero() *world.World {
	w := world.Plain(2, false)
	pod := w.Pod("web-1")
	pod.Name, pod.Spec.Hostname = "web-01", "web-01"
	pod.Labels[appsv1.StatefulSetPodNameLabel] = "web-01"
	return w
}

func readyForThreeSeconds() *world.World {
	w := world.Plain(1, false)
	w.Set.Spec.MinReadySeconds = 10
	edit(w)
	w.Pods[0].Labels[appsv1.ControllerRevisionHashLabelKey] = w.Set.Status.UpdateRevision
	w.Pods[0].Status.Conditions[0].LastTransitionTime = metav1.Time{Time: w.Now.Add(-3 * time.Second)}
	w.Set.Status.CurrentReplicas, w.Set.Status.UpdatedReplicas, w.Set.Status.AvailableReplicas = 0, 1, 0
	return w
}

func podOfAThirdRevision() *world.World {
	w := world.Plain(1, false)
	edit(w)
	w.Pods[0].Labels[appsv1.ControllerRevisionHashLabelKey] = "web-third"
	w.Set.Status.CurrentReplicas = 0
	w.Fault = &world.Fault{Op: world.UpdateStatus, Name: "web", Reason: "Invalid"} // the API's answer to -1
	return w
}

func failedPodBelow() *world.World {
	w := world.Plain(2, false)
	*w.Set.Spec.Replicas = 0
	unready(w, "web-0")
	unready(w, "web-1")
	w.Pod("web-0").Status.Phase = corev1.PodFailed
	return w
}

func failedAtOnce() *world.World {
	w := world.Plain(1, false)
	unready(w, "web-0")
	w.Pods[0].Status.Phase = corev1.PodFailed
	w.Pods[0].CreationTimestamp = metav1.Time{Time: w.Now.Add(-4 * time.Second)}
	return w
}

func claimGoesAlong() *world.World {
	w := world.Plain(1, false)
	w.Set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}}}
	w.Set.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled = appsv1.DeletePersistentVolumeClaimRetentionPolicyType
	pod := w.Pod("web-0")
	unready(w, pod.Name)
	pod.Status.Phase = corev1.PodFailed
	pod.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-web-0"}}}}
	w.Claims = []*corev1.PersistentVolumeClaim{{
		ObjectMeta: metav1.ObjectMeta{Name: "data-web-0", Namespace: "default", UID: "uid-of-claim", ResourceVersion: "1",
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(pod, corev1.SchemeGroupVersion.WithKind("Pod"))}},
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound}}}
	return w
}

func namesake() *world.World {
	w := world.Plain(3, true)
	w.Set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}}}
	for _, pod := range w.Pods {
		claim := "data-" + pod.Name
		pod.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}}}
		w.Claims = append(w.Claims, &corev1.PersistentVolumeClaim{
			ObjectMeta: metav1.ObjectMeta{Name: claim, Namespace: "default", UID: types.UID("uid-of-" + claim), ResourceVersion: "1"},
			Status:     corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound}})
	}
	owner := &w.Pod("web-2").OwnerReferences[0]
	owner.APIVersion, owner.UID = "apps.setplan.io/v1beta1", "uid-of-namesake"
	w.Pods = slices.Delete(w.Pods, 1, 2)
	return w
}

// fieldUnknownToTheOldController is a set whose user set a stop signal, whose API server knew the field, and whose revision was
// written by a controller that did not.
func fieldUnknownToTheOldController() *world.World {
	w := world.Plain(2, false)
	signal := corev1.SIGUSR1
	w.Set.Spec.Template.Spec.OS = &corev1.PodOS{Name: corev1.Linux}
	w.Set.Spec.Template.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{StopSignal: &signal}
	return w
}

func editedAndDeleted() *world.World {
	w := world.Plain(1, false)
	w.Set.Spec.Template.Spec.Containers[0].Image = "web:2"
	w.Set.Generation = 2
	w.Set.DeletionTimestamp = &metav1.Time{Time: w.Now}
	return w
}

func mendedTemplate() *world.World {
	w := world.Plain(3, false)
	w.Set.Spec.Template.Spec.Containers[0].Image = "web:bad"
	pod := w.Pod("web-2")
	pod.Labels[appsv1.ControllerRevisionHashLabelKey] = w.Record()
	pod.Status.StartTime = &pod.Status.Conditions[0].LastTransitionTime
	w.Set.Status.CurrentReplicas--
	unready(w, "web-2")
	edit(w)
	return w
}

func podWithoutItsClaim() *world.World {
	w := world.Plain(1, false)
	w.Set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}}}
	w.Claims = []*corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data-web-0", Namespace: "default", UID: "uid-of-claim"},
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound}}}
	w.Fault = &world.Fault{Op: world.UpdatePod, Name: "web-0", Reason: "Invalid"}
	return w
}

func podIsLost() *world.World {
	w := world.Plain(2, false)
	w.Pods = slices.DeleteFunc(w.Pods, func(p *corev1.Pod) bool { return p.Name == "web-1" })
	return w
}

func strangerBearsAName() *world.World {
	w := world.Plain(2, false)
	controls := true
	w.Pod("web-1").OwnerReferences = []metav1.OwnerReference{{APIVersion: "example.com/v1", Kind: "Thing", Name: "other", UID: "other", Controller: &controls}}
	return w
}

// edit gives the set another image that an earlier pass has seen: its revision exists.
func edit(w *world.World) {
	w.Set.Spec.Template.Spec.Containers[0].Image = "web:2"
	w.Set.Generation = 2
	w.Set.Status.ObservedGeneration, w.Set.Status.UpdateRevision, w.Set.Status.UpdatedReplicas = 2, w.Record(), 0
}

func unready(w *world.World, name string) {
	w.Pod(name).Status.Conditions[0].Status = corev1.ConditionFalse
	w.Set.Status.ReadyReplicas--
	w.Set.Status.AvailableReplicas--
}

func longName() *world.World {
	w := world.Plain(0, false)
	w.Set.Name, w.Revisions = strings.Repeat("w", 53), nil
	*w.Set.Spec.Replicas = 1
	none := int32(0)
	w.Set.Status = appsv1.StatefulSetStatus{ObservedGeneration: 1, CollisionCount: &none}
	return w
}

func currentRevisionIsLost() *world.World {
	w := world.Plain(2, false)
	one := int32(1)
	w.Set.Spec.UpdateStrategy.RollingUpdate.Partition = &one
	edit(w)
	w.Pod("web-1").Labels[appsv1.ControllerRevisionHashLabelKey] = w.Set.Status.UpdateRevision
	w.Pods = w.Pods[1:]
	w.Revisions = w.Revisions[1:]
	status := &w.Set.Status
	status.Replicas, status.ReadyReplicas, status.AvailableReplicas, status.CurrentReplicas, status.UpdatedReplicas = 1, 1, 1, 0, 1
	return w
}
