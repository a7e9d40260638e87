package state

import "github.com/setplan/setplan/engine/policy"

// Pause says what the annotation setplan.io/pause, or spec.pause, holds back. Each mode holds back what the one before does, and more.
// Every mode still writes the status, and the revisions that the status names.
type Pause int

const (
	PauseNothing  Pause = iota
	PauseUpdates        // no pod is deleted for an update or a repair; docs/ordinals.md gives the revision of a recreated one
	PauseHealOnly       // no running pod is deleted and no drain begins; missing and ended pods are recreated
	PauseAll            // pods, claims and old revisions are left as they are
)

// pauseNames are the values of the annotation, by Pause.
var pauseNames = [...]string{"", "Updates", "HealOnly", "All"}

// ReadPause reads the mode. An unknown text counts as HealOnly, because it may be meant to keep something.
func ReadPause(v *View, out *Draft) Pause {
	of := v.Asks(policy.Pause)
	for mode, name := range pauseNames {
		if of.Text == name {
			return Pause(mode)
		}
	}
	out.Block(blockInvalidPause(v.Set, of))
	return PauseHealOnly
}
