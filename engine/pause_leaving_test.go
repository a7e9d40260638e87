package engine

import "testing"

// TestPauseExplainsWhatStays: under HealOnly pods outside the range stay, and a set is not converged while one of them is terminating
// or unready (found by the explorer).
func TestPauseExplainsWhatStays(t *testing.T) {
	for reason, row := range map[string]struct {
		change func(*Pod)
		block  string
	}{
		"somebody deletes it":    {func(p *Pod) { p.DeletedAt = noon }, "POD_TERMINATING web-1"},
		"it is not ready":        {func(p *Pod) { p.Ready = false }, "POD_NOT_READY web-1"},
		"it exists and is ready": {func(*Pod) {}, ""},
	} {
		for _, policy := range []string{"OrderedReady", "Parallel"} {
			w := newWorld(2)
			w.Set.Replicas, w.Set.PodManagementPolicy = 1, policy
			w.Set.Annotations = map[string]string{annotationPause: "HealOnly"}
			row.change(w.p("web-1"))
			p := Decide(&w.settled().Snapshot)
			want := "PAUSED web"
			if row.block != "" {
				want = "PAUSED web, " + row.block
			}
			check(t, reason+", "+policy, "actions", actions(p), "")
			if got := blocks(p); got != want && got != row.block+", PAUSED web" {
				t.Errorf("%s, %s: blocks %q, want %q", reason, policy, got, want)
			}
			if p.Converged != (row.block == "") {
				t.Errorf("%s, %s: converged is %t", reason, policy, p.Converged)
			}
		}
	}
}
