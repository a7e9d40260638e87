package rollout

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// WayBack is what takes a set back to an earlier revision.
type WayBack struct {
	// Template is the revision's.
	Template map[string]any
	// There reports that the set has this template already, so that nothing is to be written.
	There bool
	// Patch writes the template into the set.
	Patch Patch
}

// Back returns the way to the revision with a number or, for 0, to the last but one.
func Back(set *unstructured.Unstructured, history []*appsv1.ControllerRevision, number int64) (*WayBack, error) {
	revision, err := Find(history, number)
	if err != nil {
		return nil, err
	}
	back := &WayBack{}
	if back.Template, err = Template(revision); err != nil {
		return nil, err
	}
	if back.There, err = Matches(set, back.Template); err != nil {
		return nil, err
	}
	back.Patch, err = Undo(set, back.Template)
	return back, err
}
