package kube

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/verify"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestNamesArePathSegments: the client itself refuses a name that would leave its path.
func TestNamesArePathSegments(t *testing.T) {
	server, api := newAPIServer(t, nil)
	executor := NewExecutor(StatefulSets(), api, storedConditions(nil))
	deleteClaim := func(name string) *setplanv1.Action {
		a := action(kindClaim, name, is("c", "9"))
		a.Operation = &setplanv1.Action_DeleteClaim{DeleteClaim: &setplanv1.DeleteClaim{}}
		return a
	}
	named := func(a *setplanv1.Action, name string) *setplanv1.Action { a.Target.Name = name; return a }
	for _, name := range []string{"", ".", "..", "../x", "../../kube-system/pods/x", "a/b", "%2e%2e"} {
		for _, a := range []*setplanv1.Action{deleteClaim(name), named(deletePod(is("p", "")), name), named(patchPod(), name), named(releasePod(), name)} {
			if result := executor.Apply(context.Background(), webKey, a); result.Err == nil || result.Write != nil {
				t.Errorf("%s %q: %+v", adapters.OperationName(a), name, result)
			}
		}
	}
	if diff := cmp.Diff([]request(nil), server.requests); diff != "" {
		t.Errorf("something was sent:\n%s", diff)
	}
}

// TestRefusedIsTold: a metric counts the refusal, with the check as its label, and one event reports it as long as it stays the
// same.
func TestRefusedIsTold(t *testing.T) {
	registry := prometheus.NewRegistry()
	metrics := NewMetrics(registry)
	events, recorder := newEvents()
	snapshot := &setplanv1.Snapshot{Set: &setplanv1.StatefulSet{Kind: "StatefulSet", Namespace: "default", Name: "web", Uid: "set"}}
	lie := deletePod(is("p", ""))
	lie.Target.Name = strings.Repeat("../x", 100_000)
	err := verify.Against(snapshot).Stage(&setplanv1.Stage{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{lie}}}})
	var refusal *verify.Refusal
	if !errors.As(err, &refusal) || refusal.Check != "name" || len(err.Error()) > 500 {
		t.Fatalf("%v", err)
	}
	for range 3 {
		for _, o := range []adapters.Observer{metrics, events} {
			o.Planned(webKey, snapshot, &setplanv1.Plan{})
			o.Held(webKey, adapters.ReasonVerification, err)
			o.Applied(webKey, snapshot, lie, adapters.Result{Err: err, Outcome: errored})
		}
	}
	values := gathered(t, registry)
	if values["setplan_adapter_refused_actions_total name"] != 3 || values["setplan_adapter_held_total verification"] != 3 ||
		values["setplan_adapter_sets verification"] != 1 {
		t.Errorf("%v", values)
	}
	if got := told(recorder); len(got) != 1 || !strings.HasPrefix(got[0], "Warning PlanRefused The plan is not valid for this set") {
		t.Errorf("events %q", got)
	}
	events.Planned(webKey, snapshot, &setplanv1.Plan{Converged: true})
	events.Held(webKey, adapters.ReasonVerification, err)
	if got := told(recorder); len(got) != 1 {
		t.Errorf("after a good plan, the same refusal is news again: %q", got)
	}
}
