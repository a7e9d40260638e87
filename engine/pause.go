package engine

// pause says what the annotation setplan.io/pause, or spec.pause, holds back. Each mode holds back what the one before does, and more.
// Every mode still writes the status, and the revisions that the status names.
type pause int

const (
	pauseNothing  pause = iota
	pauseUpdates        // no pod is deleted for an update or a repair; docs/ordinals.md gives the revision of a recreated one
	pauseHealOnly       // no running pod is deleted or drained; missing and ended pods are recreated
	pauseAll            // pods, claims and old revisions are left as they are
)

var pauseNames = [...]string{"", "Updates", "HealOnly", "All"}

// readPause reads the mode. An unknown text counts as HealOnly, because it may be meant to keep something.
func readPause(v *view, out *draft) pause {
	of := v.asks(annotationPause)
	for mode, name := range pauseNames {
		if of.text == name {
			return pause(mode)
		}
	}
	out.block(blockInvalidPause(v.set, of))
	return pauseHealOnly
}

// explainPaused adds the block that says what is held back. HealOnly heals nothing of a set that is drained before it is deleted, so the
// block says there what All holds back.
func explainPaused(v *view, out *draft) {
	mode := v.paused
	switch {
	case mode == pauseNothing:
		return
	case v.emptying():
		mode = pauseAll
	}
	old := 0
	for _, p := range v.replicas {
		if v.outdated(p) {
			old++
		}
	}
	out.block(blockPaused(v.set, v.asks(annotationPause), mode, old, len(v.condemned), v.updateLeft()))
}
