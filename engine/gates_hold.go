package engine

import (
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/rollout"
)

// gateHolds keeps a pod to whose update nobody has agreed.
func (v *view) gateHolds(t *taking) *held {
	before := v.Gates.Before
	if before.Text == "" || v.SaysItself(t.pod, policy.Before, t.revision) {
		return nil
	}
	return &held{rollout.BlockGate(t.pod, policy.Before, before, t.revision), rollout.WhoAgrees(before)}
}
