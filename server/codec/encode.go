package codec

import (
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Encode turns a plan into its wire form. The engine does not repeat the namespace, because every target is in the set's. The
// result shares the plan's strings and bytes.
func Encode(plan *model.Plan, namespace string) *setplanv1.Plan {
	out, _ := EncodeWithin(plan, namespace, Limits{}) // nobody stops it
	return out
}

// EncodeWithin is Encode, but returns ErrStopped once Limits.Stop says so.
func EncodeWithin(plan *model.Plan, namespace string, limits Limits) (*setplanv1.Plan, error) {
	e := encoder{namespace: namespace, limits: &limits}
	out := &setplanv1.Plan{
		Fence: &setplanv1.Fence{
			SetUid:     plan.Fence.SetUID,
			Generation: plan.Fence.Generation,
			MaxAge:     durationpb.New(plan.Fence.MaxAge),
		},
		Stages:    e.stages(plan.Stages),
		Blocks:    e.blocks(plan.Blocks),
		Converged: plan.Converged,
		Done:      plan.Done,
		Truncated: plan.Truncated,
	}
	if plan.RequeueAfter > 0 {
		out.RequeueAfter = durationpb.New(plan.RequeueAfter)
	}
	if e.stopped {
		return nil, ErrStopped
	}
	return out, nil
}

// encoder encodes the plan for one set.
type encoder struct {
	namespace string
	limits    *Limits
	turn      int
	stopped   bool // nobody waits for the plan
}

// over reports on a turn of a loop whether to stop.
func (e *encoder) over() bool {
	e.turn++
	e.stopped = e.stopped || e.limits.stopped(e.turn)
	return e.stopped
}

func (e *encoder) stages(in []model.Stage) []*setplanv1.Stage {
	if len(in) == 0 {
		return nil
	}
	out := make([]*setplanv1.Stage, len(in))
	for i := range in {
		stage := &in[i]
		count := 0
		for j := range stage.Steps {
			count += len(stage.Steps[j].Actions)
		}
		parts, actions := make([]encodedAction, count), make([]*setplanv1.Action, count)
		steps, pointers := make([]setplanv1.Step, len(stage.Steps)), make([]*setplanv1.Step, len(stage.Steps))
		for j := range stage.Steps {
			n := len(stage.Steps[j].Actions)
			e.actions(stage.Steps[j].Actions, parts[:n], actions[:n])
			steps[j].Actions, parts, actions = actions[:n:n], parts[n:], actions[n:]
			pointers[j] = &steps[j]
		}
		out[i] = &setplanv1.Stage{
			Phase:           setplanv1.StagePhase(stage.Phase),
			Steps:           pointers,
			OnFailure:       setplanv1.OnFailure(stage.OnFailure),
			AlwaysRun:       stage.AlwaysRun,
			RequiresLiveSet: stage.RequiresLiveSet,
		}
	}
	return out
}

// encodedAction is an action with its parts, so that the actions of a stage are one allocation.
type encodedAction struct {
	action       setplanv1.Action
	target       setplanv1.Target
	precondition setplanv1.Precondition
	cause        setplanv1.Cause
}

func (e *encoder) actions(in []model.Action, parts []encodedAction, out []*setplanv1.Action) {
	for i := range in {
		if e.over() {
			return
		}
		a, p := &in[i], &parts[i]
		p.target.Kind, p.target.Namespace, p.target.Name = a.Kind, e.namespace, a.Name
		p.precondition.MustNotExist = a.MustNotExist
		p.precondition.Uid = a.UID
		p.precondition.ResourceVersion = a.ResourceVersion
		p.cause.Code = setplanv1.CauseCode(a.Cause.Code)
		p.cause.Message = a.Cause.Message
		p.action.Id = a.ID
		p.action.Target = &p.target
		p.action.Precondition = &p.precondition
		p.action.Cause = &p.cause
		e.operation(a.Op, &p.action)
		out[i] = &p.action
	}
}

func (e *encoder) blocks(in []model.Block) []*setplanv1.Block {
	if len(in) == 0 {
		return nil
	}
	out := make([]*setplanv1.Block, len(in))
	for i := range in {
		if e.over() {
			return nil
		}
		b := &in[i]
		out[i] = &setplanv1.Block{
			Code:      setplanv1.BlockCode(b.Code),
			Subject:   &setplanv1.Target{Kind: b.Kind, Namespace: e.namespace, Name: b.Name},
			Message:   b.Message,
			Remedy:    b.Remedy,
			Since:     encodeTime(b.Since),
			NotBefore: encodeTime(b.NotBefore),
			Severity:  setplanv1.Severity(b.Severity),
		}
	}
	return out
}
