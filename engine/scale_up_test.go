package engine

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// TestScaleUpLimit: a Parallel set never has more pods that were created and are not ready.
func TestScaleUpLimit(t *testing.T) {
	tests := []struct {
		name, limit  string
		edit         func(w *world)
		want, blocks string
	}{
		{"no limit", "", func(w *world) {}, "create-pod web-2, create-pod web-3, create-pod web-4", ""},
		{"2 of 3", "2", func(w *world) {}, "create-pod web-2, create-pod web-3", "SCALE_UP_LIMITED web-4"},
		{"as many as there are", "3", func(w *world) {}, "create-pod web-2, create-pod web-3, create-pod web-4", ""},
		{"a percentage", "40%", func(w *world) {}, "create-pod web-2, create-pod web-3", "SCALE_UP_LIMITED web-4"},
		{"a percentage of less than one", "1%", func(w *world) {}, "create-pod web-2", "SCALE_UP_LIMITED web-3"},
		{"a pod is starting", "2", func(w *world) { w.unready("web-0") }, "create-pod web-2", "POD_NOT_READY web-0, SCALE_UP_LIMITED web-3"},
		{"two are", "2", func(w *world) { w.unready("web-0").unready("web-1") }, "none", "POD_NOT_READY web-0, SCALE_UP_LIMITED web-2"},
		{"one that goes is not", "1", func(w *world) { w.p("web-0").DeletedAt = noon }, "create-pod web-2", "POD_TERMINATING web-0, SCALE_UP_LIMITED web-3"},
		{"one that has ended is not", "1", func(w *world) { w.unready("web-0").p("web-0").Phase = model.PodFailed }, "delete-pod web-0, create-pod web-2", "SCALE_UP_LIMITED web-3"},
		{"one at a time is OrderedReady", "1", func(w *world) { w.Set.PodManagementPolicy = "" }, "create-pod web-2", ""},
		{"0", "0", func(w *world) {}, "create-pod web-2", "INVALID_POLICY web, SCALE_UP_LIMITED web-3"},
		{"no number", "few", func(w *world) {}, "create-pod web-2", "INVALID_POLICY web, SCALE_UP_LIMITED web-3"},
		{"too large a number", "99999999999", func(w *world) {}, "create-pod web-2", "INVALID_POLICY web, SCALE_UP_LIMITED web-3"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(2).parallel()
			w.Set.Replicas = 5
			if test.limit != "" {
				w.asks(policy.ScaleUp, test.limit)
			}
			test.edit(w)
			plan := Decide(&w.settled().Snapshot)
			got := actions(plan)
			if got == "" {
				got = "none"
			}
			check(t, test.name, "actions", got, test.want)
			check(t, test.name, "blocks", sortedBlocks(plan), test.blocks)
			for _, b := range plan.Blocks {
				if strings.Contains(b.Message, "1 pods") || strings.Contains(b.Message, "1 pod that are") {
					t.Error(b.Message)
				}
			}
		})
	}
}
