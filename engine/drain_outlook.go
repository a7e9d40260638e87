package engine

import "github.com/setplan/setplan/engine/model"

// What a drain waits for from others.

// Drains reports whether a pod is a drain pod.
func Drains(p *model.Pod) bool { return drainSetOf(p) != "" && drainClaimsOf(p) != "" }

// DrainToken is what each container of a drain pod returns once it is done, where the policy asks for that.
func DrainToken(p *model.Pod) string {
	return drainToken(drainSetOf(p), drainClaimsOf(p))
}

// Answer is the annotation by which a pod says that it may go; due is false for a pod that was not asked, or has answered.
func DrainAnswer(p *model.Pod) (answer model.KeyValue, due bool) {
	question := drainRequest(p)
	return model.KeyValue{Key: annotationDrainAnswer, Value: question}, isAskedItself(p) && drainAnswer(p) != question
}
