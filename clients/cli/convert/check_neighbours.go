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

// scaler is an object that names the set as its target.
type scaler struct {
	object *unstructured.Unstructured
	// field of its spec names the set.
	field string
	// resource is its kind for kubectl.
	resource string
}

// scalerKinds are the kinds that name a target.
var scalerKinds = map[string]struct{ field, resource string }{
	"HorizontalPodAutoscaler": {"scaleTargetRef", "horizontalpodautoscalers.autoscaling"},
	"VerticalPodAutoscaler":   {"targetRef", "verticalpodautoscalers.autoscaling.k8s.io"},
	"ScaledObject":            {"scaleTargetRef", "scaledobjects.keda.sh"},
}

// scalers returns the objects that name the set. It skips the autoscalers that KEDA keeps for its own objects, and changes itself.
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

// onlyTexts returns the reference in a field, without values that are not strings.
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

// scaled: an autoscaler that changes the old set during the move makes the manifest outdated; afterwards it scales nothing.
func scaled(c *Case) (found []Finding) {
	for _, s := range c.scalers() {
		found = append(found, Finding{Severity: Act, Code: "AUTOSCALED", Subject: s.object.GetKind() + "/" + s.object.GetName(),
			Message: "It scales the set. If it does so between the first command and the deletion, the deletion fails, and you have to start again. Afterwards it has no effect until the last commands point it at the new set."})
	}
	return found
}

// budgeted: a budget selects pods, and asks a pod's controller how many pods there should be.
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
			Message: "It selects pods by labels, so it applies to the new set too. While the pods have no owner, a budget with maxUnavailable or a percentage allows no eviction."})
	}
	return found
}

// unread: what could not be read may be dangerous. A set without pods has nothing to move.
func unread(c *Case) (found []Finding) {
	for _, text := range c.Unread {
		found = append(found, Finding{Severity: Act, Code: "NOT_READ", Message: fmt.Sprintf("This could not be read and may hide a problem: %s", text)})
	}
	if len(c.ownPods()) == 0 && *c.spec.Replicas > 0 {
		found = append(found, Finding{Severity: Stop, Code: "NO_PODS", Message: "The set has no pods of its own, so there is nothing to move without a restart."})
	}
	return found
}

// ownPods returns the pods that the set controls.
func (c *Case) ownPods() (pods []*corev1.Pod) {
	for i := range c.Pods {
		if metav1.IsControlledBy(&c.Pods[i], c.Set) {
			pods = append(pods, &c.Pods[i])
		}
	}
	return pods
}
