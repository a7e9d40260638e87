package engine

import "testing"

// TestLostRevisionAndNoPod: without rollingUpdate a lost pod's revision follows from the existing pods; a slot without a pod has none
// to repair.
func TestLostRevisionAndNoPod(t *testing.T) {
	w := newWorld(3).image("web:2")
	w.Set.RollingUpdate = nil
	w.p("web-1").Revision = w.revision(2, string(w.Set.PodTemplate))
	w.Revisions = w.Revisions[1:]
	w.p("web-1").Ready = false
	w.without("web-2")
	check(t, "the current revision is lost", "blocks", blocks(Decide(&w.Snapshot)), "POD_NOT_READY web-1")
}
