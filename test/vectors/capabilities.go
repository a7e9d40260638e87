package vectors

import (
	"slices"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// withCapabilities are adapters that can do less than there is, or more than this contract knows.
func withCapabilities() ([]*draft, error) {
	without := func(missing ...setplanv1.Capability) func(*setplanv1.PlanRequest) {
		return func(r *setplanv1.PlanRequest) {
			r.Capabilities = slices.DeleteFunc(r.Capabilities, func(c setplanv1.Capability) bool { return slices.Contains(missing, c) })
		}
	}
	var all []*draft
	for _, c := range []struct {
		scene, name, about string
		change             func(*setplanv1.PlanRequest)
	}{
		{"fresh", "no-creates", "The adapter cannot create pods. Blocks say what it would have been; what does not depend on it is planned.",
			without(setplanv1.Capability_CAPABILITY_CREATE_POD)},
		{"fresh", "no-conditions", "The adapter does not write conditions, so the status has none.",
			without(setplanv1.Capability_CAPABILITY_SET_CONDITIONS)},
		{"down drained", "no-claim-deletes", "The adapter must not delete claims here. With a drain template nothing is scaled down, since what left the range could not be drained to the end.",
			without(setplanv1.Capability_CAPABILITY_DELETE_CLAIM)},
		{"steady", "one-only", "A list of one capability.",
			func(r *setplanv1.PlanRequest) {
				r.Capabilities = []setplanv1.Capability{setplanv1.Capability_CAPABILITY_UPDATE_STATUS}
			}},
		{"fresh", "newer", "Numbers that the planner does not know are ignored: they are of a newer adapter.",
			func(r *setplanv1.PlanRequest) { r.Capabilities = append(r.Capabilities, 63, 64, 1000, -1) }},
	} {
		d, err := scene(c.scene)
		if err != nil {
			return nil, err
		}
		all = append(all, d.changed("capabilities/"+c.name, c.about, c.change))
	}
	return all, nil
}
