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
