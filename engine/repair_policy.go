package engine

import "fmt"

// repairPolicy says which pods are repaired.
type repairPolicy uint8

const (
	repairNever      repairPolicy = iota
	repairNeverReady              // those that have never been ready
	repairUnready                 // those that are not ready
)

// readRepairPolicy reads what the caller asks for, or else the set. A text that nobody knows repairs nothing, and a block says
// so.
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
		out.attention(BlockInvalidPolicy, fmt.Sprintf("Annotation %s is %q, which is not Never, NeverReady or Unready, so no pod is repaired.",
			annotationRepair, short(text)), "Set it to Never, NeverReady or Unready, or remove it.")
	}
	return repairNever
}
