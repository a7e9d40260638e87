package convert

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/setplan/setplan/clients/cli/shell"
	"github.com/setplan/setplan/engine/policy"
)

// adopted: for a moment the pods have no owner. A controller that selects them by labels alone adopts them then, and deletes surplus ones.
func adopted(c *Case) (found []Finding) {
	pods, _, _ := unstructured.NestedStringMap(c.Set.Object, "spec", "template", "metadata", "labels")
	for i := range c.Adopters {
		adopter := &c.Adopters[i]
		if !selects(adopter, pods) {
			continue
		}
		found = append(found, Finding{Severity: Stop, Code: "ADOPTED", Subject: adopter.GetKind() + "/" + adopter.GetName(),
			Message: "It selects the set's pods by their labels and adopts them as soon as they have no owner.",
			Remedy:  "Delete it, or give its pods and its selector a label that the set's pods do not have."})
	}
	return found
}

// selects reports whether an object's selector matches these labels. The selector of a ReplicationController is a plain map.
func selects(object *unstructured.Unstructured, pods map[string]string) bool {
	field, _, _ := unstructured.NestedMap(object.Object, "spec", "selector")
	if plain, is, err := unstructured.NestedStringMap(object.Object, "spec", "selector"); is && err == nil {
		return len(plain) > 0 && labels.SelectorFromSet(plain).Matches(labels.Set(pods))
	}
	selector := &metav1.LabelSelector{}
	if runtime.DefaultUnstructuredConverter.FromUnstructured(field, selector) != nil {
		return false
	}
	matches, err := metav1.LabelSelectorAsSelector(selector)
	return err == nil && matches.Matches(labels.Set(pods))
}

// unfinished: the set is the new one of an earlier move, and the pods that it should adopt still have no owner.
func unfinished(c *Case) []Finding {
	if c.Set.GetAnnotations()[policy.Pause] != "All" || c.From.Group != Own.Group {
		return nil
	}
	for i := range c.Pods {
		pod := &c.Pods[i]
		if metav1.GetControllerOfNoCopy(pod) != nil || pod.Labels["statefulset.kubernetes.io/pod-name"] != pod.Name || !c.member(pod.Name) {
			continue
		}
		return []Finding{{Severity: Stop, Code: "UNFINISHED", Subject: "Pod/" + pod.Name,
			Message: "The pod has no owner, and the set that would adopt it is paused: a move to this kind was not finished.",
			Remedy:  "Remove the pause, and wait until the set has its pods.", Commands: []string{c.kubectl("annotate %s %s-", c.From.argument(c.name()), shell.Raw(policy.Pause))}}}
	}
	return nil
}
