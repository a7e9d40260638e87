package server_test

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
)

// A new set, and what its controller must do first. The templates are the manifest's, as JSON. The lists of pods, claims and
// revisions are empty, and Coverage says that they are complete.
func Example() {
	s, err := server.New(server.Config{ListenAddress: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	done := make(chan error)
	go func() { done <- s.Run(ctx) }()

	client, err := setplan.Dial(s.Addr().String(), setplan.WithInsecure()) // the planner is on this machine
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()

	replicas := int32(2)
	answer, err := client.Plan(ctx, &setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)),
		Coverage:   &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true},
		Set: &setplanv1.StatefulSet{
			ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "web", Uid: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
			Generation: 1, ResourceVersion: "7", Replicas: &replicas, ServiceName: "web",
			Selector:    &setplanv1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			PodTemplate: []byte(`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"nginx","image":"nginx:1.29"}]}}`),
			ClaimTemplates: [][]byte{
				[]byte(`{"metadata":{"name":"www"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`)},
		},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, stage := range answer.GetPlan().GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				fmt.Printf("%s %s: %s\n", action.GetTarget().GetKind(), action.GetTarget().GetName(), action.GetCause().GetMessage())
			}
		}
	}
	stop()
	if err := <-done; err != nil {
		fmt.Println(err)
	}
	// Output:
	// ControllerRevision web-7c6688fb76: No revision has this pod template yet.
	// PersistentVolumeClaim www-web-0: Pod web-0 needs the claim.
	// Pod web-0: Ordinal 0 has no pod; one is created at revision web-7c6688fb76.
	// StatefulSet web: 1 pod, 0 ready, 0 available, 1 current, 1 updated.
}
