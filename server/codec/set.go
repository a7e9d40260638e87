package codec

import (
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
			Replicas:      defaultReplicas,
			OrdinalsStart: in.GetOrdinalsStart(),
			Selector: model.Selector{
				MatchLabels: in.GetSelector().GetMatchLabels(),
				Expressions: listOf(&r.waiting, in.GetSelector().GetMatchExpressions(), func(e *setplanv1.LabelRequirement) model.Requirement {
					return model.Requirement{Key: e.GetKey(), Operator: e.GetOperator(), Values: e.GetValues()}
				}),
			},
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
	texts := [...]struct {
		name, value string
		longest     int
	}{
		{"api_version", out.APIVersion, maxAPIVersion},
		{"kind", out.Kind, maxKind},
		{"namespace", out.Namespace, maxName},
		{"name", out.Name, maxName},
		{"uid", out.UID, maxName},
		{"service_name", out.ServiceName, maxName},
	}
	for _, f := range texts {
		if len(f.value) > f.longest {
			r.add("snapshot.set."+f.name, "%s", tooLong(len(f.value), f.longest))
		}
	}
	for _, f := range texts[:len(texts)-1] { // a set need not name a service
		if f.value == "" {
			r.add("snapshot.set."+f.name, "required")
		}
	}
	if len(out.PodTemplate) == 0 {
		r.add("snapshot.set.pod_template", "required")
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
	out.Conditions = decodeConditions(r, in.GetConditions(), func(i int) *element {
		return &element{report: r, list: "snapshot.set.status.conditions", index: i}
	})
	return out
}

// decodeConditions refuses a time that cannot be returned; at is the place of a condition.
func decodeConditions(r *report, in []*setplanv1.Condition, at func(i int) *element) []model.Condition {
	return indexed(&r.waiting, in, func(i int, c *setplanv1.Condition) model.Condition {
		out := model.Condition{Type: c.GetType(), Status: c.GetStatus(), Reason: c.GetReason(), Message: c.GetMessage()}
		if changed := c.GetLastTransitionTime(); changed.CheckValid() == nil {
			out.ChangedAt = changed.AsTime()
		} else if changed != nil {
			at(i).add("last_transition_time", outsideYears)
		}
		return out
	})
}
