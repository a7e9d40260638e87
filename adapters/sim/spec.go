package sim

import (
	"encoding/json"
	"regexp"
	"strings"

	"google.golang.org/protobuf/types/known/timestamppb"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// setSpec is the part of a set's spec that the contract has fields for; templates stay bytes.
type setSpec struct {
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

// setMessage describes the set itself.
func setMessage(set *Set) (*setplanv1.StatefulSet, *setSpec, error) {
	var spec setSpec
	if err := json.Unmarshal(set.Spec, &spec); err != nil {
		return nil, nil, err
	}
	message := &setplanv1.StatefulSet{
		ApiVersion: set.APIVersion, Kind: set.Kind, Namespace: set.Namespace, Name: set.Name, Uid: string(set.UID),
		Generation: set.Generation, ResourceVersion: set.ResourceVersion, DeletionUnixMs: deletionMillis(set),
		Annotations:          set.Annotations,
		Replicas:             spec.Replicas,
		OrdinalsStart:        spec.Ordinals.Start,
		ServiceName:          spec.ServiceName,
		PodManagementPolicy:  spec.PodManagementPolicy,
		UpdateStrategy:       &setplanv1.UpdateStrategy{Type: spec.UpdateStrategy.Type},
		MinReadySeconds:      spec.MinReadySeconds,
		RevisionHistoryLimit: spec.RevisionHistoryLimit,
		PodTemplate:          spec.Template,
		Finalizers:           set.Finalizers,
		Status:               statusMessage(set.Status),
	}
	if spec.Selector != nil {
		message.Selector = &setplanv1.LabelSelector{MatchLabels: spec.Selector.MatchLabels}
		for _, r := range spec.Selector.MatchExpressions {
			message.Selector.MatchExpressions = append(message.Selector.MatchExpressions,
				&setplanv1.LabelRequirement{Key: r.Key, Operator: string(r.Operator), Values: r.Values})
		}
	}
	if rolling := spec.UpdateStrategy.RollingUpdate; rolling != nil {
		message.UpdateStrategy.RollingUpdate = &setplanv1.RollingUpdate{Partition: rolling.Partition,
			MaxUnavailable: intOrPercent(rolling.MaxUnavailable)}
	}
	if spec.Retention != nil {
		message.ClaimRetention = &setplanv1.ClaimRetention{WhenDeleted: spec.Retention.WhenDeleted,
			WhenScaled: spec.Retention.WhenScaled}
	}
	for _, template := range spec.ClaimTemplates {
		message.ClaimTemplates = append(message.ClaimTemplates, template)
	}
	return message, &spec, nil
}

// statusMessage points into its own copy of the status.
func statusMessage(status appsv1.StatefulSetStatus) *setplanv1.StatefulSetStatus {
	message := &setplanv1.StatefulSetStatus{
		ObservedGeneration: &status.ObservedGeneration, Replicas: &status.Replicas,
		ReadyReplicas: &status.ReadyReplicas, AvailableReplicas: &status.AvailableReplicas,
		CurrentReplicas: &status.CurrentReplicas, UpdatedReplicas: &status.UpdatedReplicas,
		CurrentRevision: &status.CurrentRevision, UpdateRevision: &status.UpdateRevision,
		CollisionCount: status.CollisionCount,
	}
	for _, condition := range status.Conditions {
		message.Conditions = append(message.Conditions, &setplanv1.Condition{Type: string(condition.Type),
			Status: string(condition.Status), Reason: condition.Reason, Message: condition.Message,
			LastTransitionTime: timestamp(condition.LastTransitionTime)})
	}
	return message
}

// timestamp is nil where there is no time.
func timestamp(at metav1.Time) *timestamppb.Timestamp {
	if at.IsZero() {
		return nil
	}
	return timestamppb.New(at.Time)
}

func intOrPercent(value *intstr.IntOrString) *setplanv1.IntOrPercent {
	switch {
	case value == nil:
		return nil
	case value.Type == intstr.String:
		return &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Percent{Percent: value.StrVal}}
	}
	return &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Count{Count: value.IntVal}}
}

// claimTemplateNames lists the names of the claim templates that have one.
func (s *setSpec) claimTemplateNames() []string {
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

// claimName matches the names of claims that pods of the set would mount; nil without claim templates.
func (s *setSpec) claimName(set string) *regexp.Regexp {
	names := s.claimTemplateNames()
	if len(names) == 0 {
		return nil
	}
	for i := range names {
		names[i] = regexp.QuoteMeta(names[i])
	}
	return regexp.MustCompile("^(" + strings.Join(names, "|") + ")-" + regexp.QuoteMeta(set) + "-[0-9]+$")
}
