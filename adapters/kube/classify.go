package kube

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// outcomeOf says what an error of the API server means to the planner.
func outcomeOf(err error) setplanv1.OutcomeResult {
	switch {
	case refusedByBudget(err):
		return setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET
	case apierrors.IsConflict(err), apierrors.IsAlreadyExists(err), otherUID(err):
		return setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT
	case apierrors.IsForbidden(err), apierrors.IsInvalid(err), apierrors.IsBadRequest(err), apierrors.IsUnauthorized(err),
		apierrors.IsNotFound(err), apierrors.IsMethodNotSupported(err), apierrors.IsRequestEntityTooLargeError(err), manyBudgets(err):
		// Quota, admission, validation, permission; NotFound is a namespace or a resource that does not exist.
		return setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED
	default:
		return setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR
	}
}

// otherUID recognises the refusal of a patch whose metadata.uid is not the object's: the API server calls it invalid, because a uid cannot change.
func otherUID(err error) bool {
	var status apierrors.APIStatus
	if !apierrors.IsInvalid(err) || !errors.As(err, &status) || status.Status().Details == nil {
		return false
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Field == "metadata.uid" {
			return true
		}
	}
	return false
}

// namespaceTerminating recognises a create that came too late: the namespace is being deleted, and the set with it.
func namespaceTerminating(err error) bool {
	return apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause)
}
