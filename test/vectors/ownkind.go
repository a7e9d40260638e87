package vectors

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
)

// withOwnKind is sets of another kind than apps/v1: one that says in fields what others say in annotations, one whose field and annotation
// differ, and one whose templates the API server refuses.
func withOwnKind() ([]*draft, error) {
	set := func(change func(*setplanv1.StatefulSet)) *setplanv1.PlanRequest {
		replicas := int32(2)
		s := &setplanv1.StatefulSet{ApiVersion: "apps.setplan.io/v1beta1", Kind: "StatefulSet", Namespace: "n", Name: "w", Uid: "u", Generation: 1, ResourceVersion: "1",
			Replicas: &replicas, PodManagementPolicy: "Parallel", Selector: &setplanv1.LabelSelector{MatchLabels: map[string]string{"a": "w"}},
			PodTemplate: []byte(`{"metadata":{"labels":{"a":"w"}},"spec":{"containers":[]}}`)}
		change(s)
		return &setplanv1.PlanRequest{Capabilities: setplan.Capabilities(), Snapshot: &setplanv1.Snapshot{ObservedAt: timestamppb.New(noon),
			Coverage: &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true}, Set: s, Tables: &setplanv1.Tables{}}}
	}
	return []*draft{
		{Vector: files.Vector{Name: "objects/own-kind/reserved",
			About: "A set of another kind reserves ordinals by a field of its spec. The objects are left out: own_fields is what a builder makes of spec."},
			request: set(func(s *setplanv1.StatefulSet) { s.OwnFields = []byte(`{"ordinals":{"reserved":["0",2]}}`) })},
		{Vector: files.Vector{Name: "objects/own-kind/disagree",
			About: "A field and an annotation of the same meaning differ: nothing is done. The objects are left out."},
			request: set(func(s *setplanv1.StatefulSet) {
				s.OwnFields, s.Annotations = []byte(`{"pause":"Updates"}`), map[string]string{"setplan.io/pause": "All"}
			})},
		{Vector: files.Vector{Name: "objects/own-kind/refused",
			About: "The API server was asked for the defaults of a set's templates, and refuses them: nothing is done. The objects are left out."},
			request: set(func(s *setplanv1.StatefulSet) { s.Refusal = "spec.template.spec.containers: Required value" })},
	}, nil
}
