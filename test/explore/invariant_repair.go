package explore

import (
	"fmt"

	"github.com/setplan/setplan/engine"
)

// repairIsRight: a repair replaces one pod of the range that would come back at another revision, as far as the writer
// can know.
func repairIsRight(c *check) error {
	ordinal, seen := c.write.ordinal, c.seen
	target := seen.pods[ordinal]
	switch {
	case !c.write.repair || !target.exists():
		return nil
	case ordinal >= int(seen.replicas):
		return fmt.Errorf("pod %d is outside the range", ordinal)
	case target.rev == seen.comesBackAt(ordinal):
		return fmt.Errorf("pod %d comes back at the same revision", ordinal)
	}
	for other := range int(seen.replicas) {
		if p := seen.pods[other]; p.exists() && p.mode != staying && other != ordinal {
			return fmt.Errorf("pod %d is going", other)
		}
	}
	return nil
}

// repairTakesNothing: the pod that a repair has deleted was not ready, and unless the policy says so had never been.
func repairTakesNothing(config *Config, w *write, truth *cluster) error {
	p := truth.pods[w.ordinal]
	switch {
	case !w.repair || p.neverReady() || config.Repair == engine.RepairUnready && p.phase == recovering:
		return nil
	}
	return fmt.Errorf("pod %d is %s", w.ordinal, p.phase)
}

// hopeless pods are outside the range and would be repaired in it: nobody waits for them to become available.
func (c *check) hopeless(p pod) bool {
	return p.exists() && p.mode == staying && p.rev != c.seen.template && (p.neverReady() || c.config.Repair == engine.RepairUnready && p.phase == recovering)
}
