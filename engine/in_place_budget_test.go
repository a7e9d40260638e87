package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// TestBudgetOfRecords: a pod that is ready is taken away within the budget, also one that seems to be on its way elsewhere: somebody may have written
// that to all of them, and many that were broken may be ready again. All pods are ready and bear a record.
func TestBudgetOfRecords(t *testing.T) {
	const primary = "role=primary"
	all := []string{"web-0", "web-1", "web-2"}
	for reason, row := range map[string]struct {
		edit func(w *world)
		want string
	}{
		"to a revision that nobody has":        {func(w *world) { w.sent("web-gone", "web:9", all...) }, "delete-pod web-2@1"},
		"without the policy":                   {func(w *world) { delete(w.sent(secondImage, "web:2", all...).Set.Annotations, policy.InPlace) }, "delete-pod web-2@1"},
		"a budget of two":                      {func(w *world) { w.sent("web-gone", "web:9", all...).budget("", 2) }, "delete-pod web-2@1, delete-pod web-1@1"},
		"one is unavailable: it costs nothing": {func(w *world) { w.sent("web-gone", "web:9", all...).unready("web-1") }, "delete-pod web-1@1"},
		"two are unavailable, beyond the budget, and neither is shown to be broken": {func(w *world) {
			w.sent("web-gone", "web:9", all...).unready("web-1").unready("web-2")
		}, ""},
		"sent elsewhere in place": {func(w *world) {
			w.sent(secondImage, "web:2", all...).image("web:3").revision(3, string(w.Set.PodTemplate))
		}, "start web-2@1"},
		"the next one waits for it": {func(w *world) {
			w.sent(secondImage, "web:2", "web-0", "web-1").image("web:3").revision(3, string(w.Set.PodTemplate))
			w.sent(nameFor("web:3", 0), "web:3", "web-2")
		}, ""},
		"one below the partition has the record of another pod, which says nothing": {func(w *world) {
			w.sent("web-gone", "web:9", "web-0").p("web-0").UID = "uid-of-another"
			w.Set.RollingUpdate = &model.RollingUpdate{Partition: 1}
		}, "start web-2@1"},
		"by ranks": {func(w *world) {
			w.sent("web-gone", "web:9", all...).asks(policy.Rank, primary).leads("web-0", primary)
		}, "delete-pod web-2@1"},
		"by ranks, one is gone already": {func(w *world) {
			w.sent("web-gone", "web:9", all...).asks(policy.Rank, primary).leads("web-0", primary).p("web-2").DeletedAt = noon
		}, ""},
	} {
		w := imaged(3).marked("web:1", all...)
		row.edit(w)
		check(t, reason, "writes", writes(Decide(&w.settled().Snapshot)), row.want)
	}
}
