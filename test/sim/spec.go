package sim

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// SetSpec is what the invariants read of a set's spec.
type SetSpec struct {
	Replicas *int32 `json:"replicas"`
	Ordinals struct {
		Start int32 `json:"start"`
	} `json:"ordinals"`
	Selector            *metav1.LabelSelector `json:"selector"`
	ServiceName         string                `json:"serviceName"`
	PodManagementPolicy string                `json:"podManagementPolicy"`
	UpdateStrategy      struct {
		Type          string `json:"type"`
		RollingUpdate *struct {
			Partition      int32               `json:"partition"`
			MaxUnavailable *intstr.IntOrString `json:"maxUnavailable"`
		} `json:"rollingUpdate"`
	} `json:"updateStrategy"`
	MinReadySeconds      int32  `json:"minReadySeconds"`
	RevisionHistoryLimit *int32 `json:"revisionHistoryLimit"`
	Retention            *struct {
		WhenDeleted string `json:"whenDeleted"`
		WhenScaled  string `json:"whenScaled"`
	} `json:"persistentVolumeClaimRetentionPolicy"`
	Template       json.RawMessage   `json:"template"`
	ClaimTemplates []json.RawMessage `json:"volumeClaimTemplates"`
}

// ClaimTemplateNames lists the names of the claim templates that have one.
func (s *SetSpec) ClaimTemplateNames() []string {
	var names []string
	for _, template := range s.ClaimTemplates {
		var named struct {
			Metadata struct {
				Name string `json:"name"`
			} `json:"metadata"`
		}
		if json.Unmarshal(template, &named) == nil && named.Metadata.Name != "" {
			names = append(names, named.Metadata.Name)
		}
	}
	return names
}
