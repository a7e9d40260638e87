package engine

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// repairPolicy says which pods are repaired.
type repairPolicy uint8

const (
	repairNever      repairPolicy = iota
	repairNeverReady              // those that have never been ready
	repairUnready                 // those that are not ready
)

// readRepairPolicy reads the caller's policy, or else the set's. An unknown text repairs nothing, and a block says so.
func readRepairPolicy(v *view, out *state.Draft) repairPolicy {
	switch v.Snap.Policy.Repair {
	case model.RepairUnspecified:
		return readRepairAnnotation(v, out)
	case model.RepairNeverReady:
		return repairNeverReady
	case model.RepairUnready:
		return repairUnready
	}
	return repairNever
}

func readRepairAnnotation(v *view, out *state.Draft) repairPolicy {
	switch text := v.Set.Annotations[policy.Repair]; text {
	case "Never":
	case "NeverReady":
		return repairNeverReady
	case "Unready":
		return repairUnready
	case "":
		if v.Rules.ReplaceNeverReady {
			return repairNeverReady
		}
	default:
		out.Block(blockInvalidRepair(v.Set, text))
	}
	return repairNever
}

// covers reports whether the policy covers a pod in this state, now or once that has lasted.
func (v *view) covers(p *model.Pod) bool {
	return !p.Ready && (v.repairs == repairUnready || v.repairs == repairNeverReady && v.unproven(p))
}

// unproven reports whether a pod has never been ready with what it is to run, as far as anybody knows.
func (v *view) unproven(p *model.Pod) bool {
	return p.NeverReady() || p.Annotations != nil && v.UnderWay(p)
}

// mayRepair is covers without the pods that were ready a moment ago.
func (v *view) mayRepair(p *model.Pod) bool { return v.covers(p) && (v.unproven(p) || v.broken(p)) }

// unfit reports whether a pod may be repaired, now or later, or be sent elsewhere in place before it is ready: one whose images change has never been ready with
// what it is to run. Nothing is deleted for that, so no policy is asked.
func (v *view) unfit(p *model.Pod) bool {
	return v.covers(p) || !p.Ready && p.Annotations != nil && v.UnderWay(p)
}

// wouldRepair reports whether a pod would be repaired if it were in the range: nothing waits for it to become available.
func (v *view) wouldRepair(p *model.Pod) bool {
	return v.SpecOf(p) != v.Update.Name && v.mayRepair(p) && !p.HasEnded() && !p.Terminating()
}
