package convert

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// scaler is an object that names the set as what it scales.
type scaler struct {
	object *unstructured.Unstructured
	// field is where it names the set.
	field string
	// resource is how kubectl is told of it.
	resource string
}

// scalerKinds are the kinds that name what they scale.
var scalerKinds = map[string]struct{ field, resource string }{
	"HorizontalPodAutoscaler": {"scaleTargetRef", "horizontalpodautoscalers.autoscaling"},
	"VerticalPodAutoscaler":   {"targetRef", "verticalpodautoscalers.autoscaling.k8s.io"},
	"ScaledObject":            {"scaleTargetRef", "scaledobjects.keda.sh"},
}

// scalers are those that name the set. KEDA keeps an autoscaler for each of its objects, and changes that itself.
func (c *Case) scalers() (found []scaler) {
	for i := range c.Scalers {
		object := &c.Scalers[i]
		kind, known := scalerKinds[object.GetKind()]
		ref, _, _ := unstructured.NestedStringMap(onlyTexts(object.Object, kind.field), "ref")
		if owner := metav1.GetControllerOfNoCopy(object); !known || owner != nil && owner.Kind == "ScaledObject" {
			continue
		}
		version := ref["apiVersion"]
		if version == "" && object.GetKind() == "ScaledObject" {
			version = BuiltIn.APIVersion() // KEDA's default
		}
		group, _, _ := strings.Cut(version, "/")
		if ref["kind"] == c.From.Kind && ref["name"] == c.name() && group == c.From.Group {
			found = append(found, scaler{object, kind.field, kind.resource})
		}
	}
	return found
}

// onlyTexts holds the reference of a field, without what is no text in it.
func onlyTexts(object map[string]any, field string) map[string]any {
	ref, _, _ := unstructured.NestedMap(object, "spec", field)
	texts := map[string]any{}
	for key, value := range ref {
		if text, is := value.(string); is {
			texts[key] = text
		}
	}
	return map[string]any{"ref": texts}
}

// scaled: an autoscaler that changes the old set during the move makes the manifest wrong, and stands still afterwards.
func scaled(c *Case) (found []Finding) {
	for _, s := range c.scalers() {
		found = append(found, Finding{Severity: Act, Code: "AUTOSCALED", Subject: s.object.GetKind() + "/" + s.object.GetName(),
			Message: "It scales the set. If it does so between the first command and the deletion, the deletion is refused, and you begin again. Afterwards it does nothing until the last commands have turned it to the new set."})
	}
	return found
}

// budgeted: budgets select pods, and ask the controller of a pod how many there should be.
func budgeted(c *Case) (found []Finding) {
	pods, _, _ := unstructured.NestedStringMap(c.Set.Object, "spec", "template", "metadata", "labels")
	for i := range c.Budgets {
		budget := &c.Budgets[i]
		spec, _, _ := unstructured.NestedMap(budget.Object, "spec", "selector")
		selector := &metav1.LabelSelector{}
		if runtime.DefaultUnstructuredConverter.FromUnstructured(spec, selector) != nil {
			continue
		}
		matches, err := metav1.LabelSelectorAsSelector(selector)
		if err != nil || !matches.Matches(labels.Set(pods)) {
			continue
		}
		found = append(found, Finding{Severity: Note, Code: "BUDGET", Subject: "PodDisruptionBudget/" + budget.GetName(),
			Message: "It selects pods by labels, and holds for the new set too. While the pods have no owner, one with maxUnavailable or a percentage allows no eviction."})
	}
	return found
}

// unread says what was not looked at.
func unread(c *Case) (found []Finding) {
	for _, text := range c.Unread {
		found = append(found, Finding{Severity: Act, Code: "NOT_READ", Message: fmt.Sprintf("This could not be read, and may hold something dangerous: %s", text)})
	}
	if len(c.ownPods()) == 0 && *c.spec.Replicas > 0 {
		found = append(found, Finding{Severity: Stop, Code: "NO_PODS", Message: "The set has no pods of its own: there is nothing that could move without a restart."})
	}
	return found
}

// ownPods are the pods that the set controls.
func (c *Case) ownPods() (pods []*corev1.Pod) {
	for i := range c.Pods {
		if metav1.IsControlledBy(&c.Pods[i], c.Set) {
			pods = append(pods, &c.Pods[i])
		}
	}
	return pods
}
