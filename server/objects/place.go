package objects

import (
	"strconv"
	"strings"

	"github.com/setplan/setplan/proto/rawjson"
)

// Place is the path, from the request, of what became a field of the snapshot, such as "objects.documents[2].items[17].metadata.name" for "snapshot.pods[3].name".
// It is the object's where the field has none of its own.
func (s *Snapshot) Place(field string) (place string) {
	err := rawjson.Stopping(func() error {
		place = s.place(field)
		return nil
	})
	if err != nil {
		return "objects"
	}
	return place
}

func (s *Snapshot) place(field string) string {
	rest, inSnapshot := strings.CutPrefix(field, "snapshot.")
	if !inSnapshot {
		return field
	}
	first, in, _ := strings.Cut(rest, ".")
	switch first {
	case "set":
		return joined(s.set.field(rawjson.Value{}), setPlaces[in])
	case "observed_at", "policy", "coverage":
		return "objects." + rest
	}
	// such as "pods[3].name" and "tables.label_sets[1].labels"
	list, item, _ := strings.Cut(rest, "[")
	digits, in, _ := strings.Cut(item, "]")
	index, err := strconv.Atoi(digits)
	if from := s.from[list]; err == nil && index >= 0 && index < len(from) && from[index] != nil {
		return joined(from[index].field(rawjson.Value{}), objectPlaces[strings.TrimPrefix(in, ".")])
	}
	return "objects.documents"
}

// Where the fields of the contract stand in JSON, of those that can be wrong in themselves.
var (
	setPlaces = map[string]string{
		"namespace": "metadata.namespace", "name": "metadata.name", "uid": "metadata.uid", "resource_version": "metadata.resourceVersion",
		"deletion_unix_ms": "metadata.deletionTimestamp", "annotations": "metadata.annotations", "finalizers": "metadata.finalizers",
		"replicas": "spec.replicas", "ordinals_start": "spec.ordinals.start", "service_name": "spec.serviceName",
		"pod_management_policy": "spec.podManagementPolicy", "min_ready_seconds": "spec.minReadySeconds",
		"pod_template": "spec.template", "claim_templates": "spec.volumeClaimTemplates",
		"update_strategy.rolling_update.max_unavailable.percent": "spec.updateStrategy.rollingUpdate.maxUnavailable",
	}
	objectPlaces = map[string]string{
		"name": "metadata.name", "uid": "metadata.uid", "resource_version": "metadata.resourceVersion", "deletion_unix_ms": "metadata.deletionTimestamp",
		"created_unix_ms": "metadata.creationTimestamp", "started_unix_ms": "status.startTime", "ready_changed_unix_ms": "status.conditions",
		"labels": "metadata.labels", "labels.key": "metadata.labels", "labels.value": "metadata.labels", "owners": "metadata.ownerReferences",
		"annotations": "metadata.annotations", "annotations.key": "metadata.annotations", "annotations.value": "metadata.annotations", "data": "data",
	}
)
