package codec

import (
	"fmt"
	"slices"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What an unset field of the set means: the defaults of the API server for apps/v1.
const (
	defaultReplicas     = 1
	defaultHistoryLimit = 10
)

func decodeSet(r *report, in *setplanv1.StatefulSet, out *model.Set) {
	if in == nil {
		r.add("snapshot.set", "required")
		return
	}
	*out = model.Set{
		Object: model.Object{
			APIVersion:      in.GetApiVersion(),
			Kind:            in.GetKind(),
			Namespace:       in.GetNamespace(),
			Name:            in.GetName(),
			UID:             in.GetUid(),
			Generation:      in.GetGeneration(),
			ResourceVersion: in.GetResourceVersion(),
			DeletedAt:       fromMS(in.GetDeletionUnixMs()),
			Annotations:     in.GetAnnotations(),
			Finalizers:      in.GetFinalizers(),
		},
		Spec: model.Spec{
			Replicas:             defaultReplicas,
			OrdinalsStart:        in.GetOrdinalsStart(),
			Selector:             decodeSelector(r, in.GetSelector()),
			ServiceName:          in.GetServiceName(),
			PodManagementPolicy:  in.GetPodManagementPolicy(),
			StrategyType:         in.GetUpdateStrategy().GetType(),
			RollingUpdate:        decodeRollingUpdate(r, in.GetUpdateStrategy().GetRollingUpdate()),
			MinReadySeconds:      in.GetMinReadySeconds(),
			RevisionHistoryLimit: defaultHistoryLimit,
			WhenDeleted:          in.GetClaimRetention().GetWhenDeleted(),
			WhenScaled:           in.GetClaimRetention().GetWhenScaled(),
		},
		PodTemplate:    in.GetPodTemplate(),
		ClaimTemplates: in.GetClaimTemplates(),
		Status:         decodeStatus(r, in.GetStatus()),
		OwnFields:      in.GetOwnFields(),
		Refusal:        in.GetRefusal(),
	}
	if in.Replicas != nil {
		out.Replicas = *in.Replicas
	}
	if in.RevisionHistoryLimit != nil {
		out.RevisionHistoryLimit = *in.RevisionHistoryLimit
	}
	checkSet(r, in, out)
}

func checkSet(r *report, in *setplanv1.StatefulSet, out *model.Set) {
	for _, f := range [...]struct {
		name, value string
		longest     int
	}{
		{"api_version", out.APIVersion, maxAPIVersion},
		{"kind", out.Kind, maxKind},
		{"namespace", out.Namespace, maxName},
		{"name", out.Name, maxName},
		{"uid", out.UID, maxName},
		{"service_name", out.ServiceName, maxName},
	} {
		if len(f.value) > f.longest {
			r.add("snapshot.set."+f.name, "%s", tooLong(len(f.value), f.longest))
		}
	}
	for _, f := range [...]struct {
		name  string
		empty bool
	}{
		{"api_version", out.APIVersion == ""},
		{"kind", out.Kind == ""},
		{"namespace", out.Namespace == ""},
		{"name", out.Name == ""},
		{"uid", out.UID == ""},
		{"pod_template", len(out.PodTemplate) == 0},
	} {
		if f.empty {
			r.add("snapshot.set."+f.name, "required")
		}
	}
	for _, f := range [...]struct {
		name  string
		value int32
	}{
		{"replicas", out.Replicas},
		{"ordinals_start", out.OrdinalsStart},
		{"min_ready_seconds", out.MinReadySeconds},
	} {
		if f.value < 0 {
			r.add("snapshot.set."+f.name, "must not be negative, is %d", f.value)
		}
	}
	if !inRange(in.GetDeletionUnixMs()) {
		r.add("snapshot.set.deletion_unix_ms", outsideYears)
	}
}

func decodeSelector(r *report, in *setplanv1.LabelSelector) model.Selector {
	out := model.Selector{MatchLabels: in.GetMatchLabels()}
	for i, e := range in.GetMatchExpressions() {
		if r.over(i) {
			return out
		}
		out.Expressions = append(out.Expressions,
			model.Requirement{Key: e.GetKey(), Operator: e.GetOperator(), Values: e.GetValues()})
	}
	return out
}

func decodeRollingUpdate(r *report, in *setplanv1.RollingUpdate) *model.RollingUpdate {
	if in == nil {
		return nil
	}
	out := &model.RollingUpdate{Partition: in.GetPartition()}
	if in.GetMaxUnavailable() == nil {
		return out
	}
	const field = "snapshot.set.update_strategy.rolling_update.max_unavailable"
	out.MaxUnavailable = &model.IntOrPercent{}
	switch v := in.GetMaxUnavailable().GetValue().(type) {
	case *setplanv1.IntOrPercent_Count:
		out.MaxUnavailable.Count = v.Count
	case *setplanv1.IntOrPercent_Percent:
		if v.Percent == "" {
			r.add(field+".percent", "must not be empty")
		}
		out.MaxUnavailable.Percent = v.Percent
	default:
		r.add(field, "exactly one of count and percent is required")
	}
	return out
}

func decodeStatus(r *report, in *setplanv1.StatefulSetStatus) model.Status {
	out := model.Status{
		ObservedGeneration: in.GetObservedGeneration(),
		Replicas:           in.GetReplicas(),
		ReadyReplicas:      in.GetReadyReplicas(),
		AvailableReplicas:  in.GetAvailableReplicas(),
		CurrentReplicas:    in.GetCurrentReplicas(),
		UpdatedReplicas:    in.GetUpdatedReplicas(),
		CurrentRevision:    in.GetCurrentRevision(),
		UpdateRevision:     in.GetUpdateRevision(),
	}
	if in != nil {
		out.CollisionCount = in.CollisionCount
	}
	for _, name := range [...]*string{&out.CurrentRevision, &out.UpdateRevision} {
		if len(*name) > maxName { // no API server checks it
			*name, out.LongRevision = "", true
		}
	}
	out.Conditions = decodeConditions(r, in.GetConditions(), func(i int) {
		r.add(fmt.Sprintf("snapshot.set.status.conditions[%d].last_transition_time", i), outsideYears)
	})
	return out
}

// decodeConditions calls odd for each condition whose time cannot be returned.
func decodeConditions(r *report, in []*setplanv1.Condition, odd func(i int)) []model.Condition {
	var out []model.Condition
	out = slices.Grow(out, len(in)) // to grow a long list step by step copies it, in one piece each time
	for i, c := range in {
		if r.over(i) {
			return out
		}
		condition := model.Condition{Type: c.GetType(), Status: c.GetStatus(), Reason: c.GetReason(), Message: c.GetMessage()}
		if at := c.GetLastTransitionTime(); at.CheckValid() == nil {
			condition.ChangedAt = at.AsTime()
		} else if at != nil {
			odd(i)
		}
		out = append(out, condition)
	}
	return out
}
