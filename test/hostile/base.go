package hostile

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	setName = "web"
	setUID  = "s"
	// plainTemplate is the least that a pod can be made of. Its keys are in order, so that a revision holds its text.
	plainTemplate = `{"metadata":{"labels":{"app":"w"}},"spec":{"containers":[{"name":"c"}]}}`
)

// base is an honest request for a Parallel set with one replica and nothing there yet.
func base() *setplanv1.PlanRequest {
	var can []setplanv1.Capability
	for number := range setplanv1.Capability_name {
		if number != 0 {
			can = append(can, setplanv1.Capability(number))
		}
	}
	return &setplanv1.PlanRequest{
		Capabilities: can,
		Snapshot: &setplanv1.Snapshot{
			ObservedAt: timestamppb.New(time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)),
			Coverage:   &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true},
			Set: &setplanv1.StatefulSet{
				ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: setName, Uid: setUID,
				Generation: 2, Replicas: proto.Int32(1), PodManagementPolicy: "Parallel", ServiceName: "w",
				Selector:    &setplanv1.LabelSelector{MatchLabels: map[string]string{"app": "w"}},
				PodTemplate: []byte(plainTemplate),
			},
			Tables: &setplanv1.Tables{
				LabelSets: []*setplanv1.LabelSet{{}, {Labels: map[string]string{"app": "w"}}},
				OwnerSets: []*setplanv1.OwnerSet{{}, {Owners: []*setplanv1.OwnerReference{ours()}}},
			},
		},
	}
}

// ours is the reference of an object that the set controls.
func ours() *setplanv1.OwnerReference {
	return &setplanv1.OwnerReference{ApiVersion: "apps/v1", Kind: "StatefulSet", Name: setName, Uid: setUID, Controller: true}
}

// owners are n references to nothing, and after them the set's.
func owners(n int) *setplanv1.OwnerSet {
	out := &setplanv1.OwnerSet{}
	for range n {
		out.Owners = append(out.Owners, &setplanv1.OwnerReference{})
	}
	out.Owners = append(out.Owners, ours())
	return out
}

// addPods adds n members with the entries of base, and change applied to each.
func addPods(s *setplanv1.Snapshot, n int, change func(i int, p *setplanv1.Pod)) {
	for i := range n {
		p := &setplanv1.Pod{Name: setName + "-" + strconv.Itoa(i), Uid: "p", Phase: setplanv1.PodPhase_POD_PHASE_RUNNING,
			Ready: true, LabelSetIndex: 1, OwnerSetIndex: 1, PodNameLabel: true, PodIndexLabel: true}
		if change != nil {
			change(i, p)
		}
		s.Pods = append(s.Pods, p)
	}
	s.Set.Replicas = proto.Int32(int32(n))
}

// addClaimTemplates adds templates d0, d1, ... with as little in them as is read.
func addClaimTemplates(s *setplanv1.Snapshot, n int) {
	for i := range n {
		s.Set.ClaimTemplates = append(s.Set.ClaimTemplates, fmt.Appendf(nil, `{"metadata":{"name":"d%d"}}`, i))
	}
}

// setTemplate sets a template with spec put in; spec begins with a comma.
func setTemplate(s *setplanv1.Snapshot, spec string) {
	s.Set.PodTemplate = []byte(strings.TrimSuffix(plainTemplate, "}}") + spec + "}}")
}

// addRevision stores the set's template in a revision that the set controls.
func addRevision(s *setplanv1.Snapshot, name, before string) *setplanv1.Revision {
	r := &setplanv1.Revision{Name: name, Uid: "r", Number: 1, OwnerSetIndex: 1, Labels: map[string]string{"app": "w"},
		Data: []byte(before + string(patch(s.Set.PodTemplate)))}
	s.Revisions = append(s.Revisions, r)
	return r
}

// patch is the data of a revision that stores a template whose keys are in order.
func patch(template []byte) []byte {
	return fmt.Appendf(nil, `{"spec":{"template":{"$patch":"replace",%s}}`, template[1:])
}

// manyKeys is an object of n members, "k000000" and on.
func manyKeys(n int, value string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"k%06d":%s`, i, value)
	}
	return b.String() + "}"
}

// manyLabels is the same as a map.
func manyLabels(n int) map[string]string {
	out := make(map[string]string, n)
	for i := range n {
		out[fmt.Sprintf("k%06d", i)] = "v"
	}
	return out
}
