package kube

import (
	"errors"
	"net/http"
	"strings"

	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// refusedByBudget recognises the answer to an eviction that a PodDisruptionBudget does not allow now. An API server that has too much to do
// answers 429, too, without the cause.
func refusedByBudget(err error) bool {
	return apierrors.IsTooManyRequests(err) && apierrors.HasStatusCause(err, policyv1.DisruptionBudgetCause)
}

// manyBudgets recognises the answer to an eviction of a pod that several budgets select, which no time cures. It is a bare status 500
// (Create in pkg/registry/core/pod/storage/eviction.go); only its text tells it from a failure of the API server.
func manyBudgets(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && status.Status().Code == http.StatusInternalServerError && status.Status().Reason == metav1.StatusReasonUnknown &&
		strings.Contains(status.Status().Message, "more than one PodDisruptionBudget")
}

// evictionError adds to a refusal by a budget which budget it was: the API server says so in the cause only.
func evictionError(err error) error {
	var status *apierrors.StatusError
	if !refusedByBudget(err) || !errors.As(err, &status) {
		return err
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Type == policyv1.DisruptionBudgetCause && cause.Message != "" {
			return &budgetError{status, cause.Message}
		}
	}
	return err
}

type budgetError struct {
	*apierrors.StatusError
	budget string
}

func (e *budgetError) Error() string { return e.StatusError.Error() + " " + e.budget }
func (e *budgetError) Unwrap() error { return e.StatusError }
