package adapters

import (
	"errors"

	"github.com/setplan/setplan/adapters/verify"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// refused checks a stage against the snapshot that its plan was asked for. Of a stage with an action that fails nothing is
// sent: half of what an untrue plan wants is no better than all of it.
func (r *application) refused(stage *setplanv1.Stage) bool {
	err := r.verifier.Stage(stage)
	var refusal *verify.Refusal
	if !errors.As(err, &refusal) {
		return false
	}
	r.loop.observer.Held(r.key, ReasonVerification, err)
	// It is no outcome: a planner that lies would fill the memory of outcomes without a call to the API server.
	r.failures = append(r.failures, err)
	r.loop.observer.Applied(r.key, r.snapshot, refusal.Action, Result{Err: err, Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR})
	return true
}
