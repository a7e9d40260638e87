package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/clients/cli/tape"
	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
)

// recorded writes a recording of one request, with the planner's answer after a change.
func recorded(t *testing.T, change func(*setplanv1.Plan)) string {
	t.Helper()
	return recordedAs(t, "default/web", "v0.1.0", change)
}

// recordedAs also sets the recording's set and planner.
func recordedAs(t *testing.T, set, version string, change func(*setplanv1.Plan)) string {
	t.Helper()
	request := &setplanv1.PlanRequest{Capabilities: setplan.Capabilities(), Snapshot: &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)),
		Coverage:   &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true},
		Set: &setplanv1.StatefulSet{ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: "web", Uid: "u", Generation: 1,
			Selector:    &setplanv1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			PodTemplate: []byte(`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","env":[{"name":"PASSWORD","value":"secret"}]}]}}`)},
	}}
	response, err := server.NewService(server.ServiceOptions{}).Plan(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	change(response.GetPlan())
	entry, err := tape.NewEntry(set, "embedded", version, request, response.GetPlan())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "web.rec")
	if err := tape.Append(path, entry); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReplaySame(t *testing.T) {
	path := recorded(t, func(*setplanv1.Plan) {})
	got := run(t, "replay -f "+path)
	if want := "default/web as of 2026-01-31T12:00:00.000Z, planned by v0.1.0: the plan is the same, byte for byte\n"; got != want {
		t.Errorf("got  %swant %s", got, want)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if r := runWith(string(text), "replay", "-f", "-"); r.err != nil || r.out != got {
		t.Errorf("from standard input: %v, %s", r.err, r.out)
	}
}

// TestReplayOther: differences are shown, even inside a manifest, but no secret is.
func TestReplayOther(t *testing.T) {
	tests := map[string]struct {
		change func(*setplanv1.Plan)
		want   []string
	}{
		"a sentence": {func(p *setplanv1.Plan) { pod(p).Cause.Message = "Because." }, []string{"-  - create pod  web-0", "Because.", "+  - create pod  web-0"}},
		"a manifest": {func(p *setplanv1.Plan) { pod(p).GetCreatePod().Manifest = []byte("{}") }, []string{"[manifest of 2 bytes", "sha256"}},
		"no action":  {func(p *setplanv1.Plan) { p.Stages = p.Stages[:1] }, []string{"+  - create pod"}},
		"a field that is not shown": {func(p *setplanv1.Plan) { p.Stages[0].Steps[0].Actions[0].Cause.Code = 0 },
			[]string{"in a field that this text does not show"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := runWith("", "replay", "-f", recorded(t, test.change))
			if r.err == nil || !strings.Contains(r.err.Error(), "different plans: 1 of 1") {
				t.Errorf("the error is %v", r.err)
			}
			for _, want := range append(test.want, "the plan DIFFERS") {
				if !strings.Contains(r.out, want) {
					t.Errorf("%q is not in\n%s", want, r.out)
				}
			}
			if strings.Contains(r.out, "secret") {
				t.Errorf("a secret is shown:\n%s", r.out)
			}
		})
	}
}

// pod is the creation of a pod in a plan.
func pod(p *setplanv1.Plan) *setplanv1.Action {
	for _, stage := range p.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				if action.GetCreatePod() != nil {
					return action
				}
			}
		}
	}
	return nil
}
