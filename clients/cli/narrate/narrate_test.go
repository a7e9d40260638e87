package narrate_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/narrate"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var key = adapters.Key{Namespace: "default", Name: "web"}

func TestNarrator(t *testing.T) {
	begin := time.Unix(1000, 0)
	now := begin
	var out strings.Builder
	n := narrate.New(&out, func() time.Time { return now })

	running := &setplanv1.Snapshot{Pods: []*setplanv1.Pod{{Name: "web-0", Uid: "1",
		Phase: setplanv1.PodPhase_POD_PHASE_RUNNING, Ready: true}}}
	waiting := &setplanv1.Plan{Blocks: []*setplanv1.Block{
		{Code: setplanv1.BlockCode_BLOCK_CODE_POD_NOT_AVAILABLE, Subject: &setplanv1.Target{Name: "web-0"},
			Message: "Not yet.", Remedy: "Be patient.", Severity: setplanv1.Severity_SEVERITY_WAIT,
			NotBefore: timestamppb.New(begin.Add(9 * time.Second))},
		{Code: setplanv1.BlockCode_BLOCK_CODE_CLAIM_LOST, Subject: &setplanv1.Target{Name: "www-web-0"},
			Message: "It is lost.", Remedy: "Restore it.", Severity: setplanv1.Severity_SEVERITY_ATTENTION},
		{Code: setplanv1.BlockCode_BLOCK_CODE_CLAIM_LOST, Subject: &setplanv1.Target{Name: "www-web-0"},
			Message: "So is its copy.", Remedy: "Restore both.", Severity: setplanv1.Severity_SEVERITY_ATTENTION},
	}}
	create := &setplanv1.Action{Target: &setplanv1.Target{Name: "web-1"}, Cause: &setplanv1.Cause{Message: "It is missing."},
		Operation: &setplanv1.Action_CreatePod{}}

	n.Say("begin")
	n.Planned(key, running, waiting)
	n.Planned(key, running, waiting) // nothing new: not told again
	now = begin.Add(9 * time.Second)
	n.Applied(key, running, create, adapters.Result{})
	n.Applied(key, running, create, adapters.Result{Err: errors.New("quota")})
	n.Held(key, adapters.ReasonGate, errors.New("not told"))
	n.Held(key, adapters.ReasonPlannerUnreachable, errors.New("no answer"))
	n.Held(key, adapters.ReasonPlannerUnreachable, errors.New("no answer"))
	n.Planned(key, &setplanv1.Snapshot{}, &setplanv1.Plan{Converged: true})
	n.Planned(key, &setplanv1.Snapshot{}, &setplanv1.Plan{Converged: true})
	n.Forgotten(key)

	want := `     0s  USER  begin
     0s  saw   web-0 is ready
     0s  wait  web-0: Not yet. That is at 9s.
     0s  HELP  www-web-0: It is lost. Restore it.
     0s  HELP  www-web-0: So is its copy. Restore both.
     9s  do    create pod web-1: It is missing.
     9s  FAIL  create pod web-1: quota
     9s  held  web: planner unreachable: no answer
     9s  saw   web-0 is gone
     9s  done  web is in the desired state
     9s  saw   web is gone
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	if n.Failed() != 1 || !strings.Contains(n.Summary(), "create pod") {
		t.Errorf("failed %d, summary\n%s", n.Failed(), n.Summary())
	}
}
