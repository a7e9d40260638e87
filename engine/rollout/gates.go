package rollout

import "github.com/setplan/setplan/engine/policy"

// Gates are what the annotations setplan.io/before-update and setplan.io/after-update, or the fields of the same meaning, ask for: somebody
// agrees to the update of each pod, before it is deleted, and once its replacement is there. The text of the set names who is asked. The answer is
// an annotation of the pod with the same name, and with the name of the revision: so it counts for one revision, and it is gone with the
// pod. What the pod has from its template is no answer. Redpanda's operator has such gates (redpanda-data/redpanda-operator#1547).
type gates struct{ Before, After policy.Asked }

// ReadGates reads who has to agree.
func ReadGates(v *Rollout) gates { return gates{v.Asks(policy.Before), v.Asks(policy.After)} }
