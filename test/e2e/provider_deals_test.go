//go:build e2e

package e2e

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// resize takes up what a claim asks for, and with the next step that ends in the way that the test wants.
func (p *provider) resize(ctx context.Context, claim *corev1.PersistentVolumeClaim) {
	const storage, mounting = corev1.ResourceStorage, corev1.PersistentVolumeClaimNodeResizePending
	wanted, status := claim.Spec.Resources.Requests[storage], &claim.Status
	if wanted.Cmp(status.Capacity[storage]) <= 0 {
		return
	}
	is := func(state corev1.ClaimResourceStatus, why corev1.PersistentVolumeClaimCondition) {
		why.Status = corev1.ConditionTrue
		status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{storage: state}
		status.Conditions = []corev1.PersistentVolumeClaimCondition{why}
	}
	do, state := p.dealsWith(claim.Name), status.AllocatedResourceStatuses[storage]
	switch taken := status.AllocatedResources[storage]; {
	case wanted.Cmp(taken) != 0:
		status.AllocatedResources = corev1.ResourceList{storage: wanted}
		is(corev1.PersistentVolumeClaimControllerResizeInProgress, corev1.PersistentVolumeClaimCondition{Type: corev1.PersistentVolumeClaimResizing, LastTransitionTime: metav1.Now()})
	case state == mounting && !p.mountsAnew(ctx, claim), state != mounting && do == works:
	case state == mounting, do == gives:
		status.Capacity = corev1.ResourceList{storage: wanted}
		status.AllocatedResources, status.AllocatedResourceStatuses, status.Conditions = nil, nil, nil
	case do == declines:
		is(corev1.PersistentVolumeClaimControllerResizeInfeasible, corev1.PersistentVolumeClaimCondition{Type: corev1.PersistentVolumeClaimControllerResizeError, Message: "no room"})
	default:
		is(mounting, corev1.PersistentVolumeClaimCondition{Type: corev1.PersistentVolumeClaimFileSystemResizePending, LastTransitionTime: p.mounts(ctx, claim)})
	}
}

// mounts notes which pod has the volume of a claim mounted, and returns when that was made: so long ago, we say, the volume has grown.
func (p *provider) mounts(ctx context.Context, claim *corev1.PersistentVolumeClaim) metav1.Time {
	pod, err := p.client.CoreV1().Pods(p.namespace).Get(ctx, strings.TrimPrefix(claim.Name, "www-"), metav1.GetOptions{})
	if err != nil {
		return metav1.Now()
	}
	p.mounted[claim.Name] = pod.UID
	return pod.CreationTimestamp
}

// mountsAnew reports whether another pod runs than the one that had the volume of a claim mounted, and its kubelet grows the file system.
func (p *provider) mountsAnew(ctx context.Context, claim *corev1.PersistentVolumeClaim) bool {
	pod, err := p.client.CoreV1().Pods(p.namespace).Get(ctx, strings.TrimPrefix(claim.Name, "www-"), metav1.GetOptions{})
	return err == nil && pod.UID != p.mounted[claim.Name] && pod.Status.Phase == corev1.PodRunning && p.dealsWith(claim.Name) != growsNoFile
}

// modify gives a volume the attributes of the class that its claim asks for, if there is such a class.
func (p *provider) modify(ctx context.Context, claim *corev1.PersistentVolumeClaim) {
	class, status := claim.Spec.VolumeAttributesClassName, &claim.Status
	if class == nil || status.CurrentVolumeAttributesClassName != nil && *status.CurrentVolumeAttributesClassName == *class {
		return
	}
	is := func(state corev1.PersistentVolumeClaimModifyVolumeStatus) {
		status.ModifyVolumeStatus = &corev1.ModifyVolumeStatus{TargetVolumeAttributesClassName: *class, Status: state}
	}
	_, err := p.client.StorageV1().VolumeAttributesClasses().Get(ctx, *class, metav1.GetOptions{})
	switch do := p.dealsWith(claim.Name); {
	case err != nil:
		is(corev1.PersistentVolumeClaimModifyVolumePending)
	case do == works:
		is(corev1.PersistentVolumeClaimModifyVolumeInProgress)
	case do == declines:
		is(corev1.PersistentVolumeClaimModifyVolumeInfeasible)
	default:
		status.CurrentVolumeAttributesClassName, status.ModifyVolumeStatus = class, nil
	}
}

// attributesClass makes a class of attributes that the cluster may have already.
func (s *scene) attributesClass(name string) {
	s.Helper()
	_, err := s.client.StorageV1().VolumeAttributesClasses().Create(context.Background(),
		&storagev1.VolumeAttributesClass{ObjectMeta: metav1.ObjectMeta{Name: name}, DriverName: "kwok.x-k8s.io", Parameters: map[string]string{"iops": "5000"}}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		s.Fatal(err)
	}
}
