package vectors

import (
	"fmt"

	"google.golang.org/protobuf/types/known/timestamppb"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
)

// withTruncation is a plan that is cut: a set of more pods than a phase may delete at once, without anything that is not needed.
func withTruncation() ([]*draft, error) {
	const pods = 1_001
	snapshot := &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(noon),
		Coverage:   &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true},
		Set: &setplanv1.StatefulSet{ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "n", Name: "w", Uid: "u", Generation: 1, ResourceVersion: "1",
			Replicas: new(int32), PodManagementPolicy: "Parallel", Selector: &setplanv1.LabelSelector{MatchLabels: map[string]string{"a": "w"}},
			PodTemplate: []byte(`{"metadata":{"labels":{"a":"w"}},"spec":{"containers":[]}}`)},
		Tables: &setplanv1.Tables{
			LabelSets: []*setplanv1.LabelSet{{}, {Labels: map[string]string{"a": "w"}}},
			OwnerSets: []*setplanv1.OwnerSet{{}, {Owners: []*setplanv1.OwnerReference{{ApiVersion: "apps/v1", Kind: "StatefulSet", Name: "w", Uid: "u", Controller: true}}}},
		},
	}
	for i := range pods {
		snapshot.Pods = append(snapshot.Pods, &setplanv1.Pod{Name: fmt.Sprintf("w-%d", i), Uid: fmt.Sprint(i), LabelSetIndex: 1, OwnerSetIndex: 1})
	}
	return []*draft{{Vector: files.Vector{Name: "objects/truncated",
		About: "More to do than fits a plan: it is cut and says so. The objects are left out; there are many."},
		request: &setplanv1.PlanRequest{Snapshot: snapshot, Capabilities: setplan.Capabilities()}}}, nil
}
