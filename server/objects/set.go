package objects

import (
	"encoding/json"

	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// builtin is the API version whose fields the contract has. What else a spec of another kind has is passed on as it is.
const builtin = "apps/v1"

func (b *builder) set(v rawjson.Value, apiVersion, kind string) *setplanv1.StatefulSet {
	var meta, spec, status rawjson.Value
	for key, member := range b.members(v) {
		switch string(key) {
		case "metadata":
			meta = member
		case "spec":
			spec = member
		case "status":
			status = member
		}
	}
	m := b.metadata(meta)
	out := &setplanv1.StatefulSet{
		ApiVersion:      apiVersion,
		Kind:            kind,
		Namespace:       m.namespace,
		Name:            m.name,
		Uid:             m.uid,
		Generation:      m.generation,
		ResourceVersion: m.resourceVersion,
		DeletionUnixMs:  m.deleted,
		Annotations:     b.strings(m.annotations, ""),
		Finalizers:      b.texts(m.finalizers),
		Status:          b.status(status),
	}
	for key, member := range b.members(spec) {
		switch string(key) {
		case "replicas":
			out.Replicas = b.maybe32(member)
		case "ordinals":
			out.OrdinalsStart = b.int32(b.get(member, "start"))
		case "selector":
			out.Selector = b.selector(member)
		case "serviceName":
			out.ServiceName = b.text(member)
		case "podManagementPolicy":
			out.PodManagementPolicy = b.text(member)
		case "updateStrategy":
			out.UpdateStrategy = b.strategy(member)
		case "minReadySeconds":
			out.MinReadySeconds = b.int32(member)
		case "revisionHistoryLimit":
			out.RevisionHistoryLimit = b.maybe32(member)
		case "persistentVolumeClaimRetentionPolicy":
			if out.ClaimRetention = nil; member.Is() {
				out.ClaimRetention = &setplanv1.ClaimRetention{WhenDeleted: b.text(b.get(member, "whenDeleted")), WhenScaled: b.text(b.get(member, "whenScaled"))}
			}
		case "template":
			out.PodTemplate = member.Raw()
		case "volumeClaimTemplates":
			out.ClaimTemplates = nil
			for _, template := range b.items(member) {
				out.ClaimTemplates = append(out.ClaimTemplates, template.Raw())
			}
		}
	}
	if apiVersion != builtin {
		out.OwnFields = beyond(spec, specFields)
	}
	return out
}

func (b *builder) selector(v rawjson.Value) *setplanv1.LabelSelector {
	if !v.Is() {
		return nil
	}
	out := &setplanv1.LabelSelector{}
	for key, member := range b.members(v) {
		switch string(key) {
		case "matchLabels":
			out.MatchLabels = b.strings(member, "")
		case "matchExpressions":
			out.MatchExpressions = nil
			for _, item := range b.items(member) {
				r := &setplanv1.LabelRequirement{}
				for key, member := range b.members(item) {
					switch string(key) {
					case "key":
						r.Key = b.text(member)
					case "operator":
						r.Operator = b.text(member)
					case "values":
						r.Values = b.texts(member)
					}
				}
				out.MatchExpressions = append(out.MatchExpressions, r)
			}
		}
	}
	return out
}

// strategy tells a missing rollingUpdate from one with partition 0: they mean different things.
func (b *builder) strategy(v rawjson.Value) *setplanv1.UpdateStrategy {
	var rolling rawjson.Value
	out := &setplanv1.UpdateStrategy{}
	for key, member := range b.members(v) {
		switch string(key) {
		case "type":
			out.Type = b.text(member)
		case "rollingUpdate":
			rolling = member
		}
	}
	if rolling.Is() {
		out.RollingUpdate = &setplanv1.RollingUpdate{}
		for key, member := range b.members(rolling) {
			switch string(key) {
			case "partition":
				out.RollingUpdate.Partition = b.int32(member)
			case "maxUnavailable":
				out.RollingUpdate.MaxUnavailable = b.intOrPercent(member)
			}
		}
	}
	if out.Type == "" && out.RollingUpdate == nil {
		return nil
	}
	return out
}

func (b *builder) intOrPercent(v rawjson.Value) *setplanv1.IntOrPercent {
	switch {
	case !v.Is():
		return nil
	case v.Kind() == '"':
		return &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Percent{Percent: v.Text()}}
	}
	return &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Count{Count: b.int32(v)}}
}

func (b *builder) status(v rawjson.Value) *setplanv1.StatefulSetStatus {
	zero, none := func() *int32 { return new(int32) }, func() *string { return new(string) }
	out := &setplanv1.StatefulSetStatus{ObservedGeneration: new(int64), Replicas: zero(), ReadyReplicas: zero(), AvailableReplicas: zero(),
		CurrentReplicas: zero(), UpdatedReplicas: zero(), CurrentRevision: none(), UpdateRevision: none()}
	for key, member := range b.members(v) {
		switch string(key) {
		case "observedGeneration":
			*out.ObservedGeneration = b.int64(member)
		case "replicas":
			*out.Replicas = b.int32(member)
		case "readyReplicas":
			*out.ReadyReplicas = b.int32(member)
		case "availableReplicas":
			*out.AvailableReplicas = b.int32(member)
		case "currentReplicas":
			*out.CurrentReplicas = b.int32(member)
		case "updatedReplicas":
			*out.UpdatedReplicas = b.int32(member)
		case "currentRevision":
			*out.CurrentRevision = b.text(member)
		case "updateRevision":
			*out.UpdateRevision = b.text(member)
		case "collisionCount":
			out.CollisionCount = b.maybe32(member)
		case "conditions":
			out.Conditions = b.conditions(member)
		}
	}
	return out
}

// fields are those of an object of apps/v1; nil: what is inside is not looked into.
type fields map[string]fields

var specFields = fields{
	"minReadySeconds": nil, "ordinals": {"start": nil}, "persistentVolumeClaimRetentionPolicy": {"whenDeleted": nil, "whenScaled": nil},
	"podManagementPolicy": nil, "replicas": nil, "revisionHistoryLimit": nil, "selector": nil, "serviceName": nil, "template": nil,
	"updateStrategy":       {"type": nil, "rollingUpdate": {"maxUnavailable": nil, "partition": nil}},
	"volumeClaimTemplates": nil,
}

// beyond is what an object has beyond these fields, as one JSON object; nil where there is nothing.
func beyond(v rawjson.Value, known fields) (rest []byte) {
	for key, member := range v.Members() {
		inside, has := known[string(key)]
		raw := member.Raw()
		if has {
			raw = beyond(member, inside)
			if inside == nil {
				raw = nil
			}
		}
		if raw == nil {
			continue
		}
		name, err := json.Marshal(string(key))
		if err != nil {
			panic(err) // of a string
		}
		separator := byte(',')
		if rest == nil {
			separator = '{'
		}
		rest = append(append(append(append(rest, separator), name...), ':'), raw...)
	}
	if rest != nil {
		rest = append(rest, '}')
	}
	return rest
}
