package story_test

import (
	"context"
	"testing"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/verify"
	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/sim"
	"github.com/setplan/setplan/test/story"
)

// BenchmarkCreate500 compares what a plan that creates 500 pods, with their claims, costs to make and to verify.
func BenchmarkCreate500(b *testing.B) {
	world := sim.NewWorld()
	set, err := story.NewSet("web", map[string]string{"replicas": "500", "policy": "Parallel", "claims": "www"}, "")
	if err == nil {
		_, err = world.Create("user", set)
	}
	if err != nil {
		b.Fatal(err)
	}
	adapter, planner := sim.NewAdapter(world, "a"), &sim.Planner{}
	snapshot := need.Value(adapter.Snapshot(context.Background(), adapters.Key{Namespace: sim.Namespace, Name: "web"}))(b)
	request := &setplanv1.PlanRequest{Snapshot: snapshot, Capabilities: setplan.Capabilities()}
	response, err := planner.Plan(context.Background(), request)
	if err != nil || adapters.CountOperations(response.GetPlan())["create_pod"] != 500 {
		b.Fatalf("%v: %v", err, adapters.CountOperations(response.GetPlan()))
	}
	b.Run("plan", func(b *testing.B) {
		for b.Loop() {
			need.Value(planner.Plan(context.Background(), request))(b)
		}
	})
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			verifier := verify.Against(snapshot)
			for _, stage := range response.GetPlan().GetStages() {
				need.NoError(b, verifier.Stage(stage))
			}
		}
	})
}
