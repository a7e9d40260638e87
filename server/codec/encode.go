package codec

import (
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/setplan/setplan/engine"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Encode turns a plan into its wire form. Every target of a plan is in the set's namespace, which the engine therefore
// does not repeat. The result shares the plan's strings and bytes.
func Encode(plan *engine.Plan, namespace string) *setplanv1.Plan {
	out := &setplanv1.Plan{
		Fence: &setplanv1.Fence{
			SetUid:     plan.Fence.SetUID,
			Generation: plan.Fence.Generation,
			MaxAge:     durationpb.New(plan.Fence.MaxAge),
		},
		Stages:    encodeStages(plan.Stages, namespace),
		Blocks:    encodeBlocks(plan.Blocks, namespace),
		Converged: plan.Converged,
		Truncated: plan.Truncated,
	}
	if plan.RequeueAfter > 0 {
		out.RequeueAfter = durationpb.New(plan.RequeueAfter)
	}
	return out
}

func encodeStages(in []engine.Stage, namespace string) []*setplanv1.Stage {
	if len(in) == 0 {
		return nil
	}
	out := make([]*setplanv1.Stage, len(in))
	for i := range in {
		stage := &in[i]
		steps := make([]setplanv1.Step, len(stage.Steps))
		pointers := make([]*setplanv1.Step, len(stage.Steps))
		for j := range stage.Steps {
			steps[j].Actions = encodeActions(stage.Steps[j].Actions, namespace)
			pointers[j] = &steps[j]
		}
		out[i] = &setplanv1.Stage{
			Phase:           setplanv1.Phase(stage.Phase),
			Steps:           pointers,
			OnFailure:       setplanv1.OnFailure(stage.OnFailure),
			AlwaysRun:       stage.AlwaysRun,
			RequiresLiveSet: stage.RequiresLiveSet,
		}
	}
	return out
}

// encodedAction is an action with its parts, so that one allocation makes them all.
type encodedAction struct {
	action       setplanv1.Action
	target       setplanv1.Target
	precondition setplanv1.Precondition
	cause        setplanv1.Cause
}

func encodeActions(in []engine.Action, namespace string) []*setplanv1.Action {
	parts := make([]encodedAction, len(in))
	out := make([]*setplanv1.Action, len(in))
	for i := range in {
		a, p := &in[i], &parts[i]
		p.target.Kind, p.target.Namespace, p.target.Name = a.Kind, namespace, a.Name
		p.precondition.MustNotExist = a.MustNotExist
		p.precondition.Uid = a.UID
		p.precondition.ResourceVersion = a.ResourceVersion
		p.cause.Code = setplanv1.CauseCode(a.Cause.Code)
		p.cause.Sentence = a.Cause.Sentence
		p.action.Id = a.ID
		p.action.Target = &p.target
		p.action.Precondition = &p.precondition
		p.action.Cause = &p.cause
		encodeOperation(a.Op, &p.action)
		out[i] = &p.action
	}
	return out
}

func encodeBlocks(in []engine.Block, namespace string) []*setplanv1.Block {
	if len(in) == 0 {
		return nil
	}
	out := make([]*setplanv1.Block, len(in))
	for i := range in {
		b := &in[i]
		out[i] = &setplanv1.Block{
			Code:      setplanv1.BlockCode(b.Code),
			Subject:   &setplanv1.Target{Kind: b.Kind, Namespace: namespace, Name: b.Name},
			Sentence:  b.Sentence,
			Remedy:    b.Remedy,
			Since:     encodeTime(b.Since),
			NotBefore: encodeTime(b.NotBefore),
			Severity:  setplanv1.Severity(b.Severity),
		}
	}
	return out
}
