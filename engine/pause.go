package engine

// pause is what the annotation setplan.io/pause, or spec.pause, holds back. Each mode holds back what the one before does, and more. The status, and
// the revisions that it names, are kept up in every mode.
type pause int

const (
	pauseNothing  pause = iota
	pauseUpdates        // no pod is replaced for an update or a repair; docs/ordinals.md says at which revision one that goes comes back
	pauseHealOnly       // nothing that runs is taken away: missing pods are made, ended ones are made anew
	pauseAll            // nothing is done to pods and claims
)

var pauseNames = [...]string{"", "Updates", "HealOnly", "All"}

// readPause reads the mode. A text that nobody knows may be meant to keep something: it is taken for HealOnly.
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

// explainPaused adds the block that says what is held back. HealOnly heals nothing of a set that is being deleted, so it is All there.
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
		v.meter.work(partReplicas, 1)
		if v.outdated(p) {
			old++
		}
	}
	out.block(blockPaused(v.set, v.asks(annotationPause), mode, old, len(v.condemned)))
}
