package testbed

import appsv1 "k8s.io/api/apps/v1"

// Complete reports whether the set has everything that its spec asks for, according to its status.
func Complete(set *appsv1.StatefulSet) bool {
	want, status := *set.Spec.Replicas, &set.Status
	return status.ObservedGeneration == set.Generation && status.CurrentRevision == status.UpdateRevision &&
		status.Replicas == want && status.ReadyReplicas == want && status.AvailableReplicas == want &&
		status.CurrentReplicas == want && status.UpdatedReplicas == want
}
