package world

import "encoding/json"

// AnnotationUpdate is on pods whose images change in place.
const AnnotationUpdate = "setplan.io/in-place-update"

// UnderWay is the revision to which images of a pod change, by the pod's annotations; empty where none do, or where nobody can read it.
func UnderWay(annotations map[string]string) string { return underWay(annotations).Revision }

// NewImage reports whether the image of a container is among them.
func NewImage(annotations map[string]string, container string) bool {
	_, has := underWay(annotations).Containers[container]
	return has
}

func underWay(annotations map[string]string) (record struct {
	Revision   string
	Containers map[string]any
}) {
	_ = json.Unmarshal([]byte(annotations[AnnotationUpdate]), &record)
	return record
}
