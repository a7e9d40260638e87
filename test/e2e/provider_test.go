//go:build e2e

package e2e

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// newProvider does with the claims of a scene what the program of a storage provider does (kubernetes-csi/external-resizer, with RecoverVolumeExpansionFailure):
// the local control plane has none. A claim gets the storage that it asks for, in two steps, until the test ends.
func newProvider(s *scene) {
	const storage = corev1.ResourceStorage
	claims := s.client.CoreV1().PersistentVolumeClaims(s.namespace)
	s.again(50*time.Millisecond, func(ctx context.Context) {
		list, err := claims.List(ctx, metav1.ListOptions{})
		for i := 0; err == nil && i < len(list.Items); i++ {
			claim := &list.Items[i]
			wanted, status := claim.Spec.Resources.Requests[storage], &claim.Status
			taken := status.AllocatedResources[storage]
			switch {
			case status.Phase != corev1.ClaimBound || wanted.Cmp(status.Capacity[storage]) <= 0:
				continue
			case wanted.Cmp(taken) != 0:
				status.AllocatedResources = corev1.ResourceList{storage: wanted}
				status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{storage: corev1.PersistentVolumeClaimControllerResizeInProgress}
				status.Conditions = []corev1.PersistentVolumeClaimCondition{{Type: corev1.PersistentVolumeClaimResizing, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()}}
			default:
				status.Capacity = corev1.ResourceList{storage: wanted}
				status.AllocatedResources, status.AllocatedResourceStatuses, status.Conditions = nil, nil, nil
			}
			_, _ = claims.UpdateStatus(ctx, claim, metav1.UpdateOptions{}) // again in a moment
		}
	})
}
