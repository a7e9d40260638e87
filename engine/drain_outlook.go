package engine

import (
	"github.com/setplan/setplan/engine/drain"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// What a drain waits for from others.

// Drains reports whether a pod is a drain pod.
func Drains(p *model.Pod) bool { return state.DrainSetOf(p) != "" && state.DrainClaimsOf(p) != "" }

// DrainToken is what each container of a drain pod returns once it is done, where the policy asks for that.
func DrainToken(p *model.Pod) string {
	return drain.DrainToken(state.DrainSetOf(p), state.DrainClaimsOf(p))
}

// Answer is the annotation by which a pod says that it may go; due is false for a pod that was not asked, or has answered.
func DrainAnswer(p *model.Pod) (answer model.KeyValue, due bool) {
	question := state.DrainRequest(p)
	return model.KeyValue{Key: state.AnnotationDrainAnswer, Value: question}, drain.IsAskedItself(p) && state.DrainAnswer(p) != question
}
