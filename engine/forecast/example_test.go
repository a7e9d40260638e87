package forecast_test

import (
	"fmt"
	"time"

	"github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/engine/model"
)

// A set that nobody has seen yet: its forecast is how it comes up.
func ExampleRun() {
	snapshot := &model.Snapshot{
		ObservedAt:   time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		Coverage:     model.Coverage{Pods: true, Claims: true, Revisions: true},
		Rules:        model.Setplan(),
		Capabilities: model.AllCapabilities,
		Set: model.Set{Object: model.Object{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: "web", UID: "uid"}, Spec: model.Spec{Replicas: 2,
			Selector: model.Selector{MatchLabels: map[string]string{"app": "web"}}},
			PodTemplate: []byte(`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:1"}]}}`)},
	}
	steps, result := forecast.Run(nil, snapshot, forecast.Options{})
	for step := range steps {
		for _, action := range step.Actions {
			if action.Kind == model.KindPod {
				fmt.Println(step.At.Sub(snapshot.ObservedAt), action.Name, action.Cause.Code)
			}
		}
	}
	fmt.Println(result().Verdict == forecast.Converged, result().To.Sub(snapshot.ObservedAt))
	// Output:
	// 0s web-0 ORDINAL_MISSING
	// 10s web-1 ORDINAL_MISSING
	// true 20s
}
