package hostile

import (
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Seed is a small request that keeps one part of the engine busy when it grows.
type Seed struct {
	Name  string
	Build func() *setplanv1.PlanRequest
}

// Seeds lists them. Each has an element in every list that others may share.
func Seeds() []Seed {
	change := func(f func(s *setplanv1.Snapshot)) func() *setplanv1.PlanRequest {
		return func() *setplanv1.PlanRequest {
			r := small()
			f(r.Snapshot)
			return r
		}
	}
	return []Seed{
		{"scale-up", change(func(s *setplanv1.Snapshot) { s.Set.Replicas = proto.Int32(5000) })},
		{"scale-down", change(func(s *setplanv1.Snapshot) { s.Set.Replicas = proto.Int32(0) })},
		{"ordered", change(func(s *setplanv1.Snapshot) {
			s.Set.PodManagementPolicy = ""
			s.Set.Replicas = proto.Int32(5000)
		})},
		{"pending", change(func(s *setplanv1.Snapshot) {
			s.Set.Replicas = proto.Int32(5000)
			s.Pods[0].Phase = setplanv1.PodPhase_POD_PHASE_PENDING
		})},
		{"kubernetes", change(func(s *setplanv1.Snapshot) {
			s.Policy = &setplanv1.Policy{Behavior: setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36}
			s.Set.Replicas = proto.Int32(5000)
			s.Pods[0].VolumeSetIndex = 0
		})},
		{"drain", change(func(s *setplanv1.Snapshot) {
			s.Set.Replicas = proto.Int32(0)
			s.Policy = drained().Snapshot.Policy
			s.Pods[0].OwnerSetIndex = 0
			s.Pods[0].AnnotationSetIndex, s.Claims[0].AnnotationSetIndex = 1, 1
			s.Tables.AnnotationSets = []*setplanv1.AnnotationSet{{}, drainNotes("c0")}
		})},
		{"drain-begins", change(func(s *setplanv1.Snapshot) {
			s.Set.Replicas = proto.Int32(0)
			s.Policy = drained().Snapshot.Policy
			s.Claims[0].AnnotationSetIndex = 1
			s.Tables.AnnotationSets = []*setplanv1.AnnotationSet{{}, marked()}
			s.Pods = nil
		})},
		{"incapable", func() *setplanv1.PlanRequest {
			r := small()
			r.Snapshot.Set.Replicas = proto.Int32(5000)
			r.Capabilities = []setplanv1.Capability{setplanv1.Capability_CAPABILITY_CREATE_REVISION}
			return r
		}},
	}
}

// small has one of everything.
func small() *setplanv1.PlanRequest {
	r := base()
	s := r.Snapshot
	s.Set.ClaimRetention = &setplanv1.ClaimRetention{WhenDeleted: "Delete", WhenScaled: "Delete"}
	s.Set.Selector.MatchExpressions = []*setplanv1.LabelRequirement{{Key: "key", Operator: "NotIn", Values: []string{"x"}}}
	addClaimTemplates(s, 1)
	addPods(s, 1, func(_ int, p *setplanv1.Pod) { p.Uid, p.VolumeSetIndex, p.RevisionNameIndex = "p0", 1, 1 })
	s.Claims = []*setplanv1.Claim{{Name: "d0-web-0", Uid: "c0", OwnerSetIndex: 1}}
	s.Tables.VolumeSets = []*setplanv1.VolumeSet{{}, {Volumes: []string{"d0"}}}
	s.Tables.RevisionNames = []string{"", "web-0"}
	addRevision(s, "web-0", " ").Uid = "r0"
	return r
}
