package engine

import "time"

// repairPolicy says which pods are repaired.
type repairPolicy uint8

const (
	repairNever      repairPolicy = iota
	repairNeverReady              // those that have never been ready
	repairUnready                 // those that are not ready
)

// readRepairPolicy reads the caller's policy, or else the set's. An unknown text repairs nothing, and a block says so.
func readRepairPolicy(v *view, out *draft) repairPolicy {
	switch v.s.Policy.Repair {
	case RepairUnspecified:
		return readRepairAnnotation(v, out)
	case RepairNeverReady:
		return repairNeverReady
	case RepairUnready:
		return repairUnready
	}
	return repairNever
}

func readRepairAnnotation(v *view, out *draft) repairPolicy {
	switch text := v.set.Annotations[annotationRepair]; text {
	case "Never":
	case "NeverReady":
		return repairNeverReady
	case "Unready":
		return repairUnready
	case "":
		if v.rules.ReplaceNeverReady {
			return repairNeverReady
		}
	default:
		out.block(blockInvalidRepair(v.set, text))
	}
	return repairNever
}

// mayRepair reports whether the policy covers a pod in this state.
func (v *view) mayRepair(p *Pod) bool {
	return !p.Ready && (v.repairs == repairUnready || v.repairs == repairNeverReady && (p.neverReady() || p.Annotations != nil && v.underWay(p)))
}

// unfit reports whether a pod may be repaired, or be sent elsewhere in place before it is ready: one whose images change has never been ready with
// what it is to run. Nothing is deleted for that, so no policy is asked.
func (v *view) unfit(p *Pod) bool {
	return v.mayRepair(p) || !p.Ready && p.Annotations != nil && v.underWay(p)
}

// wouldRepair reports whether a pod would be repaired if it were in the range: nothing waits for it to become available.
func (v *view) wouldRepair(p *Pod) bool {
	return v.specOf(p) != v.update.name && v.mayRepair(p) && !p.ended() && !p.terminating()
}

// neverReady reports whether the snapshot proves that a pod has never been ready; docs/repair.md says why it is a proof.
// In doubt, it may have been.
func (p *Pod) neverReady() bool {
	if p.Ready {
		return false
	}
	if p.StartedAt.IsZero() {
		return p.Phase == PodPending && p.ReadyChangedAt.IsZero() // no kubelet has seen it
	}
	// A kubelet that takes a pod writes Ready=False and right after that startTime, both truncated to seconds. From then on the time of the
	// condition changes only when the pod becomes ready, or stops being ready.
	before := p.StartedAt.Sub(p.ReadyChangedAt)
	return before >= 0 && before <= time.Second
}
