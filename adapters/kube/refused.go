package kube

import (
	"errors"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/verify"
)

// refusalOf is the refusal that an action failed with, nil where it failed otherwise.
func refusalOf(err error) *verify.Refusal {
	var refusal *verify.Refusal
	_ = errors.As(err, &refusal)
	return refusal
}

// refused tells, once as long as it stays the same, that a plan wants what no plan for the set could mean. The plans before
// and after it are no news: a planner that lies does so each time it is asked.
func (e *Events) refused(key adapters.Key, err error) {
	e.mu.Lock()
	told := e.reported[key]
	again := told.lie == err.Error()
	told.lie = err.Error()
	e.reported[key] = told
	e.mu.Unlock()
	if again {
		return
	}
	if set := e.reference(key); set != nil {
		e.recorder.Event(set, corev1.EventTypeWarning, EventPlanRefused,
			"The plan is not valid for this set, and a part of it was not carried out: "+err.Error())
	}
}
