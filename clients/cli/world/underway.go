package world

import "encoding/json"

// AnnotationUpdate is on pods whose images change in place.
const AnnotationUpdate = "setplan.io/in-place-update"

// UnderWay is the revision to which images of a pod change, by the pod's annotations; empty where none do, or where nobody can read it.
func UnderWay(annotations map[string]string) string {
	var record struct{ Revision string }
	_ = json.Unmarshal([]byte(annotations[AnnotationUpdate]), &record)
	return record.Revision
}
