package kube

import (
	"errors"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/verify"
)

// refusalOf returns the refusal that an action failed with; nil for other failures.
func refusalOf(err error) *verify.Refusal {
	var refusal *verify.Refusal
	_ = errors.As(err, &refusal)
	return refusal
}

// refused reports that a plan wants something that no honest plan for the set would. It reports the same refusal once, even if other
// plans come between: a planner that lies repeats itself.
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
