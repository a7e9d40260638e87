package rollout

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"

	"github.com/setplan/setplan/clients/cli/printable"
)

// ChangeCause is the annotation that people and tools write on a set. Controllers copy it to the set's revisions.
const ChangeCause = "kubernetes.io/change-cause"

// History returns the revisions that a set's selector matches and that it controls, in the order of their numbers.
func History(ctx context.Context, client appsclient.ControllerRevisionsGetter, set *unstructured.Unstructured) ([]*appsv1.ControllerRevision, error) {
	selector, err := selectorOf(set)
	if err != nil {
		return nil, err
	}
	list, err := client.ControllerRevisions(set.GetNamespace()).List(ctx, metav1.ListOptions{LabelSelector: selector.String()})
	if err != nil {
		return nil, fmt.Errorf("unable to find history controlled by %s %s: %w", set.GetKind(), set.GetName(), err)
	}
	listed := make([]*appsv1.ControllerRevision, len(list.Items))
	for i := range list.Items {
		listed[i] = &list.Items[i]
	}
	return HistoryIn(listed, set)
}

// HistoryIn is History of revisions that have been read already.
func HistoryIn(revisions []*appsv1.ControllerRevision, set *unstructured.Unstructured) ([]*appsv1.ControllerRevision, error) {
	selector, err := selectorOf(set)
	if err != nil {
		return nil, err
	}
	var history []*appsv1.ControllerRevision
	for _, revision := range revisions {
		if revision.Namespace == set.GetNamespace() && selector.Matches(labels.Set(revision.Labels)) && metav1.IsControlledBy(revision, set) {
			history = append(history, revision)
		}
	}
	slices.SortStableFunc(history, func(a, b *appsv1.ControllerRevision) int { return cmp.Compare(a.Revision, b.Revision) })
	return history, nil
}

func selectorOf(set *unstructured.Unstructured) (labels.Selector, error) {
	spec, _, err := unstructured.NestedMap(set.Object, "spec", "selector")
	if err != nil {
		return nil, err
	}
	selector := &metav1.LabelSelector{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(spec, selector); err != nil {
		return nil, fmt.Errorf("%s %s has an invalid selector: %w", set.GetKind(), set.GetName(), err)
	}
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return nil, fmt.Errorf("%s %s has an invalid selector: %w", set.GetKind(), set.GetName(), err)
	}
	return parsed, nil
}

// Table lists a history as kubectl does: its numbers, and why each was rolled out.
func Table(history []*appsv1.ControllerRevision) string {
	if len(history) == 0 {
		return "No rollout history found."
	}
	text := &strings.Builder{}
	table := tabwriter.NewWriter(text, 0, 8, 2, ' ', 0)
	fmt.Fprintf(table, "REVISION\tCHANGE-CAUSE\n")
	for _, revision := range history {
		fmt.Fprintf(table, "%d\t%s\n", revision.Revision, cmp.Or(printable.Line(revision.Annotations[ChangeCause]), "<none>"))
	}
	_ = table.Flush() // a string takes everything
	return text.String()
}

// Find returns the revision with a number or, for 0, the last but one. It fails if there is none.
func Find(history []*appsv1.ControllerRevision, number int64) (*appsv1.ControllerRevision, error) {
	if number == 0 {
		if len(history) < 2 {
			return nil, fmt.Errorf("no last revision to roll back to")
		}
		return history[len(history)-2], nil
	}
	for _, revision := range history {
		if revision.Revision == number {
			return revision, nil
		}
	}
	return nil, fmt.Errorf("unable to find specified revision %v in history", number)
}
