package outside

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Functions that take honest plans apart and build others.

type (
	plan   = setplanv1.Plan
	stage  = setplanv1.Stage
	action = setplanv1.Action
)

// operation returns the name of an action's operation, such as "create_pod".
func operation(a *action) string {
	field := a.ProtoReflect().WhichOneof(a.ProtoReflect().Descriptor().Oneofs().ByName("operation"))
	if field == nil {
		return ""
	}
	return string(field.Name())
}

// actionsOf returns a plan's actions of an operation, in order.
func actionsOf(p *plan, of string) (all []*action) {
	for _, s := range p.GetStages() {
		for _, step := range s.GetSteps() {
			for _, a := range step.GetActions() {
				if operation(a) == of {
					all = append(all, a)
				}
			}
		}
	}
	return all
}

// pick returns the honest action for a name; nil if there is none.
func pick(p *plan, of, name string) *action {
	all := actionsOf(p, of)
	if i := slices.IndexFunc(all, func(a *action) bool { return a.GetTarget().GetName() == name || name == "" }); i >= 0 {
		return all[i]
	}
	return nil
}

// alone returns a stage with a step for each action.
func alone(phase setplanv1.StagePhase, on setplanv1.OnFailure, actions ...*action) *stage {
	s := &stage{Phase: phase, OnFailure: on}
	for _, a := range actions {
		s.Steps = append(s.Steps, &setplanv1.Step{Actions: []*action{a}})
	}
	return s
}

// short names for what the cases need.
const (
	replicas  = setplanv1.StagePhase_STAGE_PHASE_REPLICAS
	scaleDown = setplanv1.StagePhase_STAGE_PHASE_SCALE_DOWN
	status    = setplanv1.StagePhase_STAGE_PHASE_STATUS
	ownership = setplanv1.StagePhase_STAGE_PHASE_OWNERSHIP
	claims    = setplanv1.StagePhase_STAGE_PHASE_CLAIMS

	abort = setplanv1.OnFailure_ON_FAILURE_ABORT
	stop  = setplanv1.OnFailure_ON_FAILURE_STOP
	skip  = setplanv1.OnFailure_ON_FAILURE_SKIP_PHASE
)

// made returns a plan with the honest fence.
func made(c *call, stages ...*stage) *plan {
	set := c.request.GetSnapshot().GetSet()
	return &plan{Fence: &setplanv1.Fence{SetUid: set.GetUid(), Generation: set.GetGeneration(), MaxAge: durationpb.New(60e9)}, Stages: stages}
}

// on returns an action for an object of the snapshot.
func on(c *call, kind, name, uid, version string) *action {
	return &action{Id: "conformance-" + name, Target: &setplanv1.Target{Kind: kind, Namespace: c.request.GetSnapshot().GetSet().GetNamespace(), Name: name},
		Precondition: &setplanv1.Precondition{Uid: uid, ResourceVersion: version},
		Cause:        &setplanv1.Cause{Code: setplanv1.CauseCode_CAUSE_CODE_SCALED_DOWN, Message: "The conformance test wants it."}}
}

// deletePod deletes a pod of the snapshot.
func deletePod(c *call, name string) *action {
	for _, p := range c.request.GetSnapshot().GetPods() {
		if p.GetName() == name {
			a := on(c, "Pod", name, p.GetUid(), "")
			a.Operation = &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}
			return a
		}
	}
	return nil
}

// writeStatus sets fields of the status.
func writeStatus(c *call, fields *setplanv1.StatefulSetStatus) *action {
	set := c.request.GetSnapshot().GetSet()
	a := on(c, "StatefulSet", set.GetName(), set.GetUid(), set.GetResourceVersion())
	a.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: fields}}
	return a
}

// plainStatus returns a status that may be written at any time, and differs from the stored one.
func plainStatus(c *call) *action {
	return writeStatus(c, &setplanv1.StatefulSetStatus{Replicas: proto.Int32(7), ReadyReplicas: proto.Int32(1)})
}

// creations returns a plan with the honest revision and claims in the first stage, and the pods separately.
func creations(c *call) (first *stage, pods []*action) {
	first = alone(replicas, abort, actionsOf(c.honest, "create_claim")...)
	if revisions := actionsOf(c.honest, "create_revision"); len(revisions) > 0 {
		first.Steps = append(first.Steps, &setplanv1.Step{Actions: revisions})
	}
	return first, actionsOf(c.honest, "create_pod")
}
