package sim_test

import (
	"context"
	"testing"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/sim"
)

// TestTextsStay: JSON that would change if it were read and written goes from a story to the planner byte for byte, so that the
// simulated cluster can have everything that a revision's name depends on.
func TestTextsStay(t *testing.T) {
	const awkward = `{ "spec":{"z":1.0,"a":12345678901234567890,"b":1e2,"c":"\u003c\/é","z":2},"metadata":null, "later":[ ]}`
	world := sim.NewWorld()
	for _, text := range []string{
		`{"kind":"StatefulSet","apiVersion":"apps/v1","metadata":{"name":"web"},"spec":{"template":` + awkward + `,"selector":{"matchLabels":{"app":"web"}},"volumeClaimTemplates":[` + awkward + `]}}`,
		`{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{"name":"web-1f"},"revision":1,"data":` + awkward + `}`,
	} {
		object, err := sim.ParseObject([]byte(text))
		if err == nil {
			_, err = world.Create("user", object)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got := need.Value(sim.NewAdapter(world, "a").Snapshot(context.Background(), adapters.Key{Namespace: sim.Namespace, Name: "web"}))(t)
	if len(got.GetSet().GetClaimTemplates()) != 1 || len(got.GetRevisions()) != 1 {
		t.Fatalf("the snapshot is %v", got)
	}
	for name, text := range map[string][]byte{"template": got.GetSet().GetPodTemplate(), "claim template": got.GetSet().GetClaimTemplates()[0],
		"revision": got.GetRevisions()[0].GetData()} {
		if string(text) != awkward {
			t.Errorf("the %s is\n%s\nwant\n%s", name, text, awkward)
		}
	}
}
