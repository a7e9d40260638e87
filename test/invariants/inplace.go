package invariants

import (
	"encoding/json"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
)

const annotationInPlace = "setplan.io/in-place"

// inPlace and keepsPods read the policy. What is unknown counts as InPlaceOnly.
func (r *reading) inPlace() bool {
	policy := r.set.Annotations[annotationInPlace]
	return policy != "" && policy != "Recreate"
}

func (r *reading) keepsPods() bool {
	return r.inPlace() && r.set.Annotations[annotationInPlace] != "InPlaceIfPossible"
}

func (r *reading) inPlaceIsOdd() bool {
	return r.keepsPods() && r.set.Annotations[annotationInPlace] != "InPlaceOnly"
}

// moreThanMetadata is what else than labels and annotations differs between two revisions; "": nothing. It looks at what this package's clusters
// have, and at each word of it.
func moreThanMetadata(from, to *appsv1.ControllerRevision) string {
	if from == nil || to == nil {
		return "a revision that is gone"
	}
	var templates [2]map[string]any
	for i, revision := range [...]*appsv1.ControllerRevision{from, to} {
		if json.Unmarshal(templateOf(revision), &templates[i]) != nil {
			return "a revision that cannot be read"
		}
		metadata, _ := templates[i]["metadata"].(map[string]any)
		if annotations, _ := metadata["annotations"].(map[string]any); annotations["kubectl.kubernetes.io/restartedAt"] != nil {
			templates[i]["restartedAt"] = annotations["kubectl.kubernetes.io/restartedAt"] // it is there to have pods recreated
		}
		delete(metadata, "labels")
		delete(metadata, "annotations")
		if len(metadata) == 0 {
			delete(templates[i], "metadata")
		}
	}
	for key := range templates[0] {
		if !reflect.DeepEqual(templates[0][key], templates[1][key]) {
			return key
		}
	}
	if len(templates[0]) != len(templates[1]) {
		return "a field"
	}
	return ""
}
