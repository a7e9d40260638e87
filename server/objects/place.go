package objects

import (
	"regexp"
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
	if of, in, ok := strings.Cut(rest, "."); ok && of == "set" {
		return joined(s.set.field(rawjson.Value{}), setPlaces[in])
	}
	match := elementOf.FindStringSubmatch(rest)
	if match == nil {
		switch first, _, _ := strings.Cut(rest, "."); first {
		case "observed_at", "policy", "coverage":
			return "objects." + rest
		}
		return "objects.documents"
	}
	index, _ := strconv.Atoi(match[2])
	for name, list := range map[string][]*origin{"pods": s.pods, "claims": s.claims, "revisions": s.revisions,
		"tables.label_sets": s.tables.from[tableLabels], "tables.owner_sets": s.tables.from[tableOwners], "tables.revision_names": s.tables.from[tableRevisions],
		"tables.volume_sets": s.tables.from[tableVolumes], "tables.annotation_sets": s.tables.from[tableAnnotations], "tables.claim_storages": s.tables.from[tableStorages]} {
		if name == match[1] && index < len(list) && list[index] != nil {
			return joined(list[index].field(rawjson.Value{}), objectPlaces[match[3]])
		}
	}
	return "objects.documents"
}

// elementOf splits "pods[3].name" and "tables.label_sets[1].labels".
var elementOf = regexp.MustCompile(`^([a-z_.]+)\[(\d+)\]\.?(.*)$`)

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
