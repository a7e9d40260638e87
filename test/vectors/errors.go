package vectors

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
)

// refusal is a request that gets no plan.
type refusal struct {
	name, about string
	change      func(*setplanv1.PlanRequest)
}

// spoil is a refusal by a change to the snapshot.
func spoil(name, about string, change func(*setplanv1.Snapshot)) refusal {
	return refusal{name, about, func(r *setplanv1.PlanRequest) { change(r.Snapshot) }}
}

var refusals = []refusal{
	{"no-snapshot", "A request needs a snapshot.", func(r *setplanv1.PlanRequest) { r.Snapshot = nil }},
	{"no-capabilities", "A request needs the capabilities of its sender.", func(r *setplanv1.PlanRequest) { r.Capabilities = nil }},
	{"capability-unspecified", "0 is no capability.", func(r *setplanv1.PlanRequest) { r.Capabilities[1] = 0 }},
	{"too-many-capabilities", "A list that is longer than any contract will be.",
		func(r *setplanv1.PlanRequest) { r.Capabilities = make([]setplanv1.Capability, 257) }},
	spoil("no-observed-at", "The planner has no other clock.", func(s *setplanv1.Snapshot) { s.ObservedAt = nil }),
	spoil("no-set", "A snapshot needs a set.", func(s *setplanv1.Snapshot) { s.Set = nil }),
	spoil("no-api-version", "Goes into owner references.", func(s *setplanv1.Snapshot) { s.Set.ApiVersion = "" }),
	spoil("no-kind", "Goes into owner references.", func(s *setplanv1.Snapshot) { s.Set.Kind = "" }),
	spoil("no-namespace", "Goes into every target.", func(s *setplanv1.Snapshot) { s.Set.Namespace = "" }),
	spoil("no-name", "Goes into every name.", func(s *setplanv1.Snapshot) { s.Set.Name = "" }),
	spoil("no-uid", "The fence repeats it.", func(s *setplanv1.Snapshot) { s.Set.Uid = "" }),
	spoil("no-pod-template", "A set has one, even if it cannot be used.", func(s *setplanv1.Snapshot) { s.Set.PodTemplate = nil }),
	spoil("negative-replicas", "Kubernetes refuses it too.", func(s *setplanv1.Snapshot) { s.Set.Replicas = proto.Int32(-1) }),
	spoil("negative-start", "Kubernetes refuses it too.", func(s *setplanv1.Snapshot) { s.Set.OrdinalsStart = -1 }),
	spoil("negative-min-ready", "Kubernetes refuses it too.", func(s *setplanv1.Snapshot) { s.Set.MinReadySeconds = -1 }),
	spoil("deletion-out-of-range", "A time after the year 9999.", func(s *setplanv1.Snapshot) { s.Set.DeletionUnixMs = 1 << 60 }),
	spoil("max-unavailable-unset", "A member of the oneof has to be set: a client of a later contract may have set one that is not known here.",
		func(s *setplanv1.Snapshot) {
			s.Set.UpdateStrategy = &setplanv1.UpdateStrategy{RollingUpdate: &setplanv1.RollingUpdate{MaxUnavailable: &setplanv1.IntOrPercent{}}}
		}),
	spoil("percent-empty", "A share has a text.", func(s *setplanv1.Snapshot) {
		s.Set.UpdateStrategy = &setplanv1.UpdateStrategy{RollingUpdate: &setplanv1.RollingUpdate{
			MaxUnavailable: &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Percent{}}}}
	}),

	spoil("pod-without-name", "Each violation has the path of its field.", func(s *setplanv1.Snapshot) { s.Pods[1].Name = "" }),
	spoil("pod-without-uid", "It is the precondition of every write.", func(s *setplanv1.Snapshot) { s.Pods[1].Uid = "" }),
	spoil("pod-twice", "Two pods cannot have one name.", func(s *setplanv1.Snapshot) { s.Pods[1].Name = s.Pods[0].Name }),
	spoil("pod-time-out-of-range", "A time before the year 1.", func(s *setplanv1.Snapshot) { s.Pods[0].CreatedUnixMs = -1 << 60 }),
	spoil("claim-without-uid", "It is the precondition of every write.", func(s *setplanv1.Snapshot) { s.Claims[0].Uid = "" }),
	spoil("claim-twice", "Two claims cannot have one name.", func(s *setplanv1.Snapshot) { s.Claims[1].Name = s.Claims[0].Name }),
	spoil("revision-without-uid", "It is the precondition of every write.", func(s *setplanv1.Snapshot) { s.Revisions[0].Uid = "" }),
	spoil("several", "All that is wrong is told at once.", func(s *setplanv1.Snapshot) {
		s.Set.Name, s.Set.Uid, s.Pods[0].Uid, s.Claims[1].Name = "", "", "", ""
	}),
	spoil("many", "A list of violations ends where a client could not read more; the message has their number.", func(s *setplanv1.Snapshot) {
		for i := range 100 {
			s.Pods = append(s.Pods, &setplanv1.Pod{Name: fmt.Sprintf("web-%d", 100+i)})
		}
	}),

	spoil("label-sets-from-0", "A client whose entries count from 0: index 0 would be none.", func(s *setplanv1.Snapshot) { s.Tables.LabelSets = s.Tables.LabelSets[1:] }),
	spoil("owner-sets-from-0", "The same for owners.", func(s *setplanv1.Snapshot) { s.Tables.OwnerSets = s.Tables.OwnerSets[1:] }),
	spoil("revision-names-from-0", "The same for names of revisions.", func(s *setplanv1.Snapshot) { s.Tables.RevisionNames = s.Tables.RevisionNames[1:] }),
	spoil("volume-sets-from-0", "The same for volumes.", func(s *setplanv1.Snapshot) { s.Tables.VolumeSets = s.Tables.VolumeSets[1:] }),
	spoil("annotation-sets-from-0", "The same for annotations.", func(s *setplanv1.Snapshot) {
		s.Tables.AnnotationSets = []*setplanv1.AnnotationSet{{Annotations: map[string]string{"setplan.io/drain-attempts": "1"}}}
	}),
	spoil("indexes-outside", "Indexes beyond the end of each table, of pods, a claim and a revision.", func(s *setplanv1.Snapshot) {
		pod := s.Pods[0]
		pod.LabelSetIndex, pod.OwnerSetIndex, pod.RevisionNameIndex, pod.VolumeSetIndex, pod.AnnotationSetIndex = 9, 9, 9, 9, 1<<32-1
		s.Claims[0].OwnerSetIndex, s.Claims[0].AnnotationSetIndex, s.Revisions[0].OwnerSetIndex = 9, 9, 9
	}),

	spoil("name-too-long", "A name has at most 253 bytes.", func(s *setplanv1.Snapshot) { s.Set.Name = strings.Repeat("w", 254) }),
	spoil("kind-too-long", "A kind has at most 63 bytes.", func(s *setplanv1.Snapshot) { s.Set.Kind = strings.Repeat("K", 64) }),
	spoil("label-too-long", "The value of a label has at most 63 bytes.", func(s *setplanv1.Snapshot) {
		s.Tables.LabelSets[1].Labels["app"] = strings.Repeat("é", 32)
	}),

	spoil("behavior-unknown", "A preset of rules that this planner does not know.", func(s *setplanv1.Snapshot) { s.Policy = &setplanv1.Policy{Behavior: 99} }),
	spoil("scope-unknown", "A policy value that this planner does not know is never ignored.", func(s *setplanv1.Snapshot) { s.Policy = &setplanv1.Policy{Scope: 99} }),
	spoil("repair-unknown", "The same for repair.", func(s *setplanv1.Snapshot) { s.Policy = &setplanv1.Policy{Repair: -1} }),
	spoil("drain-proof-unknown", "The same within the drain policy.", func(s *setplanv1.Snapshot) {
		s.Policy = &setplanv1.Policy{Drain: &setplanv1.DrainPolicy{Proof: 3}}
	}),
	spoil("drain-scale-up-unknown", "The same for scale_up.", func(s *setplanv1.Snapshot) {
		s.Policy = &setplanv1.Policy{Drain: &setplanv1.DrainPolicy{ScaleUp: 77}}
	}),
	spoil("max-parallel-of-none", "A number of ordinals at once is at least 1.", func(s *setplanv1.Snapshot) {
		s.Policy = &setplanv1.Policy{Drain: &setplanv1.DrainPolicy{MaxParallel: proto.Int32(0)}}
	}),
	{"policy-before-snapshot", "A policy that is not known is told before what is malformed.", func(r *setplanv1.PlanRequest) {
		r.Capabilities, r.Snapshot.Set = nil, nil
		r.Snapshot.Policy = &setplanv1.Policy{Behavior: 99}
	}},
}

// withErrors are requests that are refused.
func withErrors() ([]*draft, error) {
	base, err := scene("steady")
	if err != nil {
		return nil, err
	}
	var all []*draft
	for _, r := range refusals {
		all = append(all, base.changed("errors/"+r.name, r.about, r.change))
	}
	limited, err := withLimits(base)
	if err != nil {
		return nil, err
	}
	more, err := inBytes(base.request)
	return append(append(all, limited...), more...), err
}

// withLimits are requests that are fine, to a planner with higher limits.
func withLimits(base *draft) ([]*draft, error) {
	pods := base.changed("errors/too-many-pods", "More pods than the planner takes. The metadata have both numbers.", func(*setplanv1.PlanRequest) {})
	pods.Limits = &files.Limits{MaxPods: 1}
	request := base.changed("errors/request-too-large", "More bytes than the planner takes. The metadata have both numbers.", func(r *setplanv1.PlanRequest) {
		r.Snapshot.Set.Annotations = map[string]string{"example.com/long": strings.Repeat("x", 4<<10)}
	})
	request.Limits = &files.Limits{MaxMessageBytes: 4 << 10}
	many, err := last("errors/plan-too-large", "A plan with more bytes than the planner sends, for a request that is within the limit.",
		told("set name=web replicas=20 claims=www policy=Parallel", "plan web"))
	if err != nil {
		return nil, err
	}
	many.Limits = &files.Limits{MaxMessageBytes: 4 << 10}
	return []*draft{pods, request, many}, nil
}

// inBytes are requests that JSON cannot say.
func inBytes(request *setplanv1.PlanRequest) ([]*draft, error) {
	encoded, err := proto.MarshalOptions{Deterministic: true}.Marshal(request)
	if err != nil {
		return nil, err
	}
	// What is appended is merged into the message that is there.
	in := func(field protowire.Number, inner []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, field, protowire.BytesType), inner)
	}
	const (
		snapshotField, setField, policyField, drainField, nameField, observedAtField = 1, 3, 8, 4, 4, 1
		later                                                                        = 1000
	)
	unknown := in(later, []byte("?"))
	var all []*draft
	for _, c := range []struct {
		name, about string
		bytes       []byte
	}{
		{"policy-field-unknown", "A field of the policy that a later contract may have: it is never ignored.",
			append(encoded[:len(encoded):len(encoded)], in(snapshotField, in(policyField, unknown))...)},
		{"drain-field-unknown", "The same within the drain policy.",
			append(encoded[:len(encoded):len(encoded)], in(snapshotField, in(policyField, in(drainField, unknown)))...)},
		{"name-not-utf8", "A text of protobuf is UTF-8.",
			append(encoded[:len(encoded):len(encoded)], in(snapshotField, in(setField, in(nameField, []byte("\xff"))))...)},
		{"cut-off", "Bytes that end in the middle of a field.", encoded[:len(encoded)/2]},
		{"no-message", "Bytes of something else.", []byte("<html></html>")},
		{"observed-at-out-of-range", "A time after the year 9999.",
			append(encoded[:len(encoded):len(encoded)], in(snapshotField, in(observedAtField, protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 1<<50)))...)},
	} {
		all = append(all, &draft{Vector: files.Vector{Name: "errors/" + c.name, About: c.about, RequestBytes: c.bytes}})
	}
	return all, nil
}
