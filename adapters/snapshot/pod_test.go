package snapshot

import (
	"maps"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestIdentityLabels: a label is in the label set unless a field has the same information.
func TestIdentityLabels(t *testing.T) {
	for reason, row := range map[string]struct {
		pod, label, value string
		name, index       bool // the fields
	}{
		"its own name":                          {"web-1", labelPodName, "web-1", true, false},
		"another name":                          {"web-1", labelPodName, "web-2", false, false},
		"its own index":                         {"web-1", labelPodIndex, "1", false, true},
		"another index":                         {"web-1", labelPodIndex, "01", false, false},
		"digits after no dash are no index":     {"web-x1", labelPodIndex, "1", false, false},
		"a pod without an ordinal has no index": {"web", labelPodIndex, "", false, false},
	} {
		message, shared := Pod(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: row.pod, Labels: map[string]string{row.label: row.value}}})
		if message.GetPodNameLabel() != row.name || message.GetPodIndexLabel() != row.index {
			t.Errorf("%s: name %t, index %t", reason, message.GetPodNameLabel(), message.GetPodIndexLabel())
		}
		tables := NewTables()
		placed, want := tables.Pod(message, shared), map[string]string(nil)
		if !row.name && !row.index {
			want = map[string]string{row.label: row.value}
		}
		var got map[string]string
		if at := placed.GetLabelSetIndex(); at > 0 {
			got = tables.Message().GetLabelSets()[at].GetLabels()
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: the labels are %q, want %q", reason, got, want)
		}
	}
}

// TestNodeLost: what a kubelet would not have written of a pod that is not ready.
func TestNodeLost(t *testing.T) {
	const gate = "example.com/in-service"
	for reason, row := range map[string]struct {
		conditions map[corev1.PodConditionType]corev1.ConditionStatus
		gates      []corev1.PodReadinessGate
		says       string // the reason of Ready
		want       bool
	}{
		"ready":                       {map[corev1.PodConditionType]corev1.ConditionStatus{"Ready": "True", "ContainersReady": "True"}, nil, "", false},
		"its containers are not":      {map[corev1.PodConditionType]corev1.ConditionStatus{"Ready": "False", "ContainersReady": "False"}, nil, "", false},
		"its containers are":          {map[corev1.PodConditionType]corev1.ConditionStatus{"Ready": "False", "ContainersReady": "True"}, nil, "", true},
		"a gate is not":               {map[corev1.PodConditionType]corev1.ConditionStatus{"Ready": "False", "ContainersReady": "True", gate: "False"}, []corev1.PodReadinessGate{{ConditionType: gate}}, "ReadinessGatesNotReady", false},
		"a gate is not since":         {map[corev1.PodConditionType]corev1.ConditionStatus{"Ready": "False", "ContainersReady": "True", gate: "False"}, []corev1.PodReadinessGate{{ConditionType: gate}}, "", true},
		"nobody has written its gate": {map[corev1.PodConditionType]corev1.ConditionStatus{"Ready": "False", "ContainersReady": "True"}, []corev1.PodReadinessGate{{ConditionType: gate}}, "ReadinessGatesNotReady", false},
		"its gate is, too":            {map[corev1.PodConditionType]corev1.ConditionStatus{"Ready": "False", "ContainersReady": "True", gate: "True"}, []corev1.PodReadinessGate{{ConditionType: gate}}, "", true},
		"no kubelet has taken it":     {nil, nil, "", false},
	} {
		pod := &corev1.Pod{Spec: corev1.PodSpec{ReadinessGates: row.gates}}
		for condition, status := range row.conditions {
			pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: condition, Status: status})
			if condition == corev1.PodReady {
				pod.Status.Conditions[len(pod.Status.Conditions)-1].Reason = row.says
			}
		}
		if message, _ := Pod(pod); message.GetNodeLost() != row.want {
			t.Errorf("%s: node lost: %t", reason, message.GetNodeLost())
		}
	}
}
