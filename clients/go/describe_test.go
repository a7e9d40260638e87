package setplan_test

import (
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func TestDescribe(t *testing.T) {
	action := func(name, cause string) *setplanv1.Action {
		return &setplanv1.Action{Target: &setplanv1.Target{Kind: "Pod", Name: name}, Cause: &setplanv1.Cause{Message: cause}}
	}
	claim, pod, unknown := action("www-web-1", "Pod web-1 needs the claim."), action("web-1", "It is missing."), action("web-2", "Later.")
	claim.Operation = &setplanv1.Action_CreateClaim{}
	pod.Operation = &setplanv1.Action_CreatePod{}
	plan := &setplanv1.Plan{
		Stages: []*setplanv1.Stage{{
			Phase: setplanv1.StagePhase_STAGE_PHASE_REPLICAS, OnFailure: setplanv1.OnFailure_ON_FAILURE_SKIP_PHASE,
			Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{claim, pod}}, {Actions: []*setplanv1.Action{unknown}}},
		}},
		Blocks: []*setplanv1.Block{{Code: setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY, Severity: setplanv1.Severity_SEVERITY_WAIT,
			Subject: &setplanv1.Target{Kind: "Pod", Name: "web-0\x1b[2J"}, Message: "The pod is\nnot ready."}},
		RequeueAfter: durationpb.New(5 * time.Second),
	}
	want := "replicas (on failure: skip phase)\n" +
		"  - create claim www-web-1: Pod web-1 needs the claim.\n" +
		"    create pod web-1: It is missing.\n" +
		"  - unknown operation web-2: Later.\n" +
		"wait POD_NOT_READY web-0\ufffd[2J: The pod is\ufffdnot ready.\n" +
		"check again in 5s\n"
	if got := setplan.Describe(plan); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := setplan.Describe(&setplanv1.Plan{Converged: true}); got != "in the desired state\n" {
		t.Errorf("a plan of a set that is in the desired state: %q", got)
	}
}
