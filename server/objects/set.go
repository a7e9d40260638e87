package objects

import (
	"encoding/json"

	"github.com/setplan/setplan/proto/documents"
	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// builtin is the API version whose fields the contract has. What else a spec of another kind has is passed on as it is.
const builtin = "apps/v1"

func (b *builder) set(v rawjson.Value, kind documents.Kind) *setplanv1.StatefulSet {
	meta, spec, status := b.parts(v)
	m := b.metadata(meta)
	out := &setplanv1.StatefulSet{
		ApiVersion:      kind.APIVersion,
		Kind:            kind.Kind,
		Namespace:       m.namespace,
		Name:            m.name,
		Uid:             m.uid,
		Generation:      m.generation,
		ResourceVersion: m.resourceVersion,
		DeletionUnixMs:  int64(m.deleted),
		Annotations:     b.strings(m.annotations, ""),
		Status:          b.status(status),
	}
	for w := b.items(m.finalizers); w.Next(); {
		out.Finalizers = append(out.Finalizers, b.text(w.Value))
	}
	var ordinals, selector, strategy, retention, template, claimTemplates rawjson.Value
	b.read(spec, field{"replicas", &out.Replicas}, field{"ordinals", &ordinals}, field{"selector", &selector}, field{"serviceName", &out.ServiceName},
		field{"podManagementPolicy", &out.PodManagementPolicy}, field{"updateStrategy", &strategy}, field{"minReadySeconds", &out.MinReadySeconds},
		field{"revisionHistoryLimit", &out.RevisionHistoryLimit}, field{"persistentVolumeClaimRetentionPolicy", &retention},
		field{"template", &template}, field{"volumeClaimTemplates", &claimTemplates})
	b.read(ordinals, field{"start", &out.OrdinalsStart})
	if retention.Is() {
		out.ClaimRetention = &setplanv1.ClaimRetention{}
		b.read(retention, field{"whenDeleted", &out.ClaimRetention.WhenDeleted}, field{"whenScaled", &out.ClaimRetention.WhenScaled})
	}
	out.Selector, out.UpdateStrategy, out.PodTemplate = b.selector(selector), b.strategy(strategy), template.Raw()
	for w := b.items(claimTemplates); w.Next(); {
		out.ClaimTemplates = append(out.ClaimTemplates, w.Value.Raw())
	}
	if kind.APIVersion != builtin {
		if out.UpdateStrategy.GetType() == "" { // the one default, beside those of templates, that no CustomResourceDefinition can express
			out.UpdateStrategy = &setplanv1.UpdateStrategy{Type: "RollingUpdate", RollingUpdate: out.UpdateStrategy.GetRollingUpdate()}
			if out.UpdateStrategy.RollingUpdate == nil {
				out.UpdateStrategy.RollingUpdate = &setplanv1.RollingUpdate{}
			}
		}
		out.OwnFields = beyond(spec, specFields)
	}
	return out
}

func (b *builder) selector(v rawjson.Value) *setplanv1.LabelSelector {
	if !v.Is() {
		return nil
	}
	var labels, expressions rawjson.Value
	b.read(v, field{"matchLabels", &labels}, field{"matchExpressions", &expressions})
	out := &setplanv1.LabelSelector{MatchLabels: b.strings(labels, "")}
	for w := b.items(expressions); w.Next(); {
		r := &setplanv1.LabelRequirement{}
		var values rawjson.Value
		b.read(w.Value, field{"key", &r.Key}, field{"operator", &r.Operator}, field{"values", &values})
		for w := b.items(values); w.Next(); {
			r.Values = append(r.Values, b.text(w.Value))
		}
		out.MatchExpressions = append(out.MatchExpressions, r)
	}
	return out
}

// strategy tells a missing rollingUpdate from one with partition 0: they mean different things.
func (b *builder) strategy(v rawjson.Value) *setplanv1.UpdateStrategy {
	var rolling, maxUnavailable rawjson.Value
	out := &setplanv1.UpdateStrategy{}
	b.read(v, field{"type", &out.Type}, field{"rollingUpdate", &rolling})
	if rolling.Is() {
		out.RollingUpdate = &setplanv1.RollingUpdate{}
		b.read(rolling, field{"partition", &out.RollingUpdate.Partition}, field{"maxUnavailable", &maxUnavailable})
		out.RollingUpdate.MaxUnavailable = b.intOrPercent(maxUnavailable)
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
	return &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Count{Count: int32(b.int(v, 32))}}
}

func (b *builder) status(v rawjson.Value) *setplanv1.StatefulSetStatus {
	zero, none := func() *int32 { return new(int32) }, func() *string { return new(string) }
	out := &setplanv1.StatefulSetStatus{ObservedGeneration: new(int64), Replicas: zero(), ReadyReplicas: zero(), AvailableReplicas: zero(),
		CurrentReplicas: zero(), UpdatedReplicas: zero(), CurrentRevision: none(), UpdateRevision: none()}
	var conditions rawjson.Value
	b.read(v, field{"observedGeneration", out.ObservedGeneration}, field{"replicas", out.Replicas}, field{"readyReplicas", out.ReadyReplicas},
		field{"availableReplicas", out.AvailableReplicas}, field{"currentReplicas", out.CurrentReplicas}, field{"updatedReplicas", out.UpdatedReplicas},
		field{"currentRevision", out.CurrentRevision}, field{"updateRevision", out.UpdateRevision}, field{"collisionCount", &out.CollisionCount},
		field{"conditions", &conditions})
	out.Conditions = b.conditions(conditions)
	return out
}

// knownFields are those of an object of apps/v1; nil: what is inside is not looked into.
type knownFields map[string]knownFields

var specFields = knownFields{
	"minReadySeconds": nil, "ordinals": {"start": nil}, "persistentVolumeClaimRetentionPolicy": {"whenDeleted": nil, "whenScaled": nil},
	"podManagementPolicy": nil, "replicas": nil, "revisionHistoryLimit": nil, "selector": nil, "serviceName": nil, "template": nil,
	"updateStrategy":       {"type": nil, "rollingUpdate": {"maxUnavailable": nil, "partition": nil}},
	"volumeClaimTemplates": nil,
}

// beyond is what an object has beyond these fields, as one JSON object; nil where there is nothing.
func beyond(v rawjson.Value, known knownFields) (rest []byte) {
	for w := v.Members(); w.Next(); {
		key := string(w.Key())
		inside, has := known[key]
		raw := w.Value.Raw()
		if has {
			raw = beyond(w.Value, inside)
			if inside == nil {
				raw = nil
			}
		}
		if raw == nil {
			continue
		}
		name, err := json.Marshal(key)
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
