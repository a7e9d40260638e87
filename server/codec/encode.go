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
	e := encoder{namespace: namespace, waiting: waiting{stop: limits.Stop}}
	out := &setplanv1.Plan{
		Fence: &setplanv1.Fence{
			SetUid:     plan.Fence.SetUID,
			Generation: plan.Fence.Generation,
			MaxAge:     durationpb.New(plan.Fence.MaxAge),
		},
		Stages:    listOf(&e.waiting, plan.Stages, e.stage),
		Blocks:    listOf(&e.waiting, plan.Blocks, e.block),
		Converged: plan.Converged,
		Done:      plan.Done,
		Truncated: plan.Truncated,
	}
	if plan.RequeueAfter > 0 {
		out.RequeueAfter = durationpb.New(plan.RequeueAfter)
	}
	if e.gone {
		return nil, ErrStopped
	}
	return out, nil
}

// encoder encodes what is about one set.
type encoder struct {
	namespace string
	waiting
}

func (e *encoder) stage(s model.Stage) *setplanv1.Stage {
	return &setplanv1.Stage{
		Phase:           setplanv1.StagePhase(s.Phase),
		Steps:           listOf(&e.waiting, s.Steps, e.step),
		OnFailure:       setplanv1.OnFailure(s.OnFailure),
		AlwaysRun:       s.AlwaysRun,
		RequiresLiveSet: s.RequiresLiveSet,
	}
}

func (e *encoder) step(s model.Step) *setplanv1.Step {
	return &setplanv1.Step{Actions: listOf(&e.waiting, s.Actions, e.action)}
}

func (e *encoder) action(a model.Action) *setplanv1.Action {
	parts := new(struct { // one allocation: a plan may have very many of them
		action       setplanv1.Action
		target       setplanv1.Target
		precondition setplanv1.Precondition
		cause        setplanv1.Cause
	})
	out, target, precondition, cause := &parts.action, &parts.target, &parts.precondition, &parts.cause
	target.Kind, target.Namespace, target.Name = a.Kind, e.namespace, a.Name
	precondition.MustNotExist = a.MustNotExist
	precondition.Uid = a.UID
	precondition.ResourceVersion = a.ResourceVersion
	cause.Code, cause.Message = setplanv1.CauseCode(a.Cause.Code), a.Cause.Message
	out.Id, out.Target, out.Precondition, out.Cause = a.ID, target, precondition, cause
	e.operation(a.Op, out)
	return out
}

func (e *encoder) target(kind, name string) *setplanv1.Target {
	return &setplanv1.Target{Kind: kind, Namespace: e.namespace, Name: name}
}

func (e *encoder) block(b model.Block) *setplanv1.Block {
	return &setplanv1.Block{
		Code:      setplanv1.BlockCode(b.Code),
		Subject:   e.target(b.Kind, b.Name),
		Message:   b.Message,
		Remedy:    b.Remedy,
		Since:     encodeTime(b.Since),
		NotBefore: encodeTime(b.NotBefore),
		Severity:  setplanv1.Severity(b.Severity),
	}
}

// encodeCause leaves no cause unset.
func encodeCause(cause model.Cause) *setplanv1.Cause {
	if cause == (model.Cause{}) {
		return nil
	}
	return &setplanv1.Cause{Code: setplanv1.CauseCode(cause.Code), Message: cause.Message}
}
