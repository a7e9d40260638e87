package skew

import (
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Answer is what a planner of a later release says, and what an adapter of today does.
type Answer struct {
	About string
	// Response is the PlanResponse as it travels.
	Response []byte
	// Deleted are the pods that the adapter deletes.
	Deleted []string
	// Refused is what it refuses: "fence", so the whole plan; "guard" or "operation", so all of the stage; or nothing.
	Refused string
}

// plan deletes two pods of the set default/web, which has the uid "set" and the generation 1; the pods have the uids "uid-web-0" and "uid-web-1".
func plan() *setplanv1.PlanResponse {
	var steps []*setplanv1.Step
	for _, name := range []string{"web-0", "web-1"} {
		steps = append(steps, &setplanv1.Step{Actions: []*setplanv1.Action{{
			Id:           "delete-" + name,
			Target:       &setplanv1.Target{Kind: "Pod", Namespace: "default", Name: name},
			Precondition: &setplanv1.Precondition{Uid: "uid-" + name},
			Cause:        &setplanv1.Cause{Code: setplanv1.CauseCode_CAUSE_CODE_OUTDATED, Message: "It is outdated."},
			Operation:    &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}},
		}}})
	}
	return &setplanv1.PlanResponse{Plan: &setplanv1.Plan{
		Fence:  &setplanv1.Fence{SetUid: "set", Generation: 1, MaxAge: durationpb.New(time.Hour)},
		Stages: []*setplanv1.Stage{{Phase: setplanv1.StagePhase_STAGE_PHASE_UPDATE, OnFailure: setplanv1.OnFailure_ON_FAILURE_STOP, Steps: steps}},
		Blocks: []*setplanv1.Block{{Code: setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY, Severity: setplanv1.Severity_SEVERITY_INFO,
			Subject: &setplanv1.Target{Kind: "Pod", Namespace: "default", Name: "web-2"}, Message: "It is not ready."}},
	}}
}

// A path leads to the last pod of the plan, and to what is on the way.
var (
	stage  = []protoreflect.Name{"plan", "stages"}
	step   = append(stage[:2:2], "steps")
	action = append(step[:3:3], "actions")
)

var answers = []struct {
	about, refused string
	change         func(protoreflect.Message)
}{
	{"A field in each message, but for those that say when to write.", "",
		func(m protoreflect.Message) { SetFields(m, "Fence", "Stage", "Step", "Target", "Precondition") }},
	{"A value of each enum: none of them says what to write.", "",
		func(m protoreflect.Message) { SetValues(m) }},
	{"A field in the fence.", "fence", inside("plan", "fence")},
	{"A field in a stage.", "guard", inside(stage...)},
	{"A field in a step.", "guard", inside(step...)},
	{"A field in a target.", "guard", inside(append(action[:4:4], "target")...)},
	{"A field in a precondition.", "guard", inside(append(action[:4:4], "precondition")...)},
	{"An operation, which nobody sends to an adapter that does not list its capability.", "operation",
		func(m protoreflect.Message) { SetOperation(At(m, action...)) }},
}

func inside(path ...protoreflect.Name) func(protoreflect.Message) {
	return func(m protoreflect.Message) { SetField(At(m, path...)) }
}

// Answers makes them all.
func Answers() (all []Answer, err error) {
	contract, err := Later()
	if err != nil {
		return nil, err
	}
	for _, a := range answers {
		response, err := contract.Of(plan())
		if err != nil {
			return nil, err
		}
		a.change(response)
		bytes, err := Bytes(response)
		if err != nil {
			return nil, err
		}
		deleted := []string{}
		if a.refused == "" {
			deleted = []string{"web-0", "web-1"}
		}
		all = append(all, Answer{About: a.about, Response: bytes, Deleted: deleted, Refused: a.refused})
	}
	return all, nil
}
