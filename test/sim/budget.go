package sim

import (
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Evict is Delete for a pod that a disruption budget may hold: the eviction subresource, with a disruption controller that is never behind.
// Budgets have a minAvailable that is a number, and are asked by the API server's rules (pkg/registry/core/pod/storage/eviction.go).
func (w *World) Evict(actor, name string, pre Preconditions) error {
	pod := w.state.Pod(name)
	if pod != nil && !HasEnded(pod) && pod.Status.Phase != corev1.PodPending && pod.DeletionTimestamp == nil {
		if err := w.askBudget(pod); err != nil {
			return err
		}
	}
	w.evicting = true
	defer func() { w.evicting = false }()
	return w.Delete(actor, KindPod, name, pre, metav1.DeletePropagationBackground)
}

// errManyBudgets is what the API server says to a pod that several budgets select: a bare status.
var errManyBudgets = &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError,
	Message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."}}

func (w *World) askBudget(pod *corev1.Pod) error {
	var budget *Budget
	for _, b := range w.state.Budgets() {
		if !b.Selects(pod) {
			continue
		}
		if budget != nil {
			return errManyBudgets
		}
		budget = b
	}
	if budget == nil {
		return nil
	}
	healthy, desired := w.state.Healthy(budget), budget.Spec.MinAvailable.IntValue()
	if healthy > desired || !isReady(pod) && healthy >= desired && desired > 0 {
		return nil
	}
	err := apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0)
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{Type: policyv1.DisruptionBudgetCause,
		Message: fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently", budget.Name, desired, healthy)})
	return err
}

// Budget is a disruption budget.
type Budget struct{ *policyv1.PodDisruptionBudget }

// Budgets lists the disruption budgets.
func (s State) Budgets() (budgets []*Budget) {
	for _, name := range s.Names(KindBudget) {
		budgets = append(budgets, &Budget{s.objects[KindBudget][name].(*policyv1.PodDisruptionBudget)})
	}
	return budgets
}

// Healthy counts the pods that a budget selects and that are healthy by its rules: ready, and not being deleted.
func (s State) Healthy(budget *Budget) (healthy int) {
	for _, object := range s.objects[KindPod] {
		if pod := object.(*corev1.Pod); budget.Selects(pod) && isReady(pod) && pod.DeletionTimestamp == nil {
			healthy++
		}
	}
	return healthy
}

// Selects reports whether a pod is one of those that the budget is about.
func (b *Budget) Selects(pod *corev1.Pod) bool {
	selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
	return err == nil && selector.Matches(labels.Set(pod.Labels))
}

// isReady asks for the condition alone, as budgets do.
func isReady(pod *corev1.Pod) bool {
	condition := ReadyCondition(pod)
	return condition != nil && condition.Status == corev1.ConditionTrue
}
