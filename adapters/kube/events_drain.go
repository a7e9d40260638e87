package kube

import (
	"fmt"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// eventClaimDeleted is the reason of the event that says that data is gone. The built-in controller has no such reason: it deletes
// no claims.
const eventClaimDeleted = "SuccessfulDeleteClaim"

// drainReasons are the causes for which only drain pods are created and deleted, with the reasons of their events. A failed drain
// pod was reported before, by the block DRAIN_FAILED (event DrainFailed).
var drainReasons = map[setplanv1.CauseCode]string{
	setplanv1.CauseCode_CAUSE_CODE_DRAIN:           "DrainStarted",
	setplanv1.CauseCode_CAUSE_CODE_DRAINED:         "DrainFinished",
	setplanv1.CauseCode_CAUSE_CODE_DRAIN_FAILED:    "DrainRetried",
	setplanv1.CauseCode_CAUSE_CODE_DRAIN_CANCELLED: "DrainCancelled",
}

func (e *Events) drainPod(set *setplanv1.StatefulSet, verb, reason string, action *setplanv1.Action, err error) {
	what := fmt.Sprintf("%s drain Pod %s in StatefulSet %s", verb, action.GetTarget().GetName(), set.GetName())
	e.because(set, reason, "Failed"+verb+"DrainPod", what, action.GetCause(), err)
}

func (e *Events) deletedClaim(set *setplanv1.StatefulSet, action *setplanv1.Action, err error) {
	claim := action.GetTarget().GetName()
	what := fmt.Sprintf("Delete Claim %s of Pod %s in StatefulSet %s", claim, podOfClaim(set, claim), set.GetName())
	e.because(set, eventClaimDeleted, "FailedDeleteClaim", what, action.GetCause(), err)
}

func (e *Events) finalizer(set *setplanv1.StatefulSet, change *setplanv1.SetFinalizer, cause *setplanv1.Cause, err error) {
	verb, place := "Remove", "from"
	if change.GetPresent() {
		verb, place = "Add", "to"
	}
	what := fmt.Sprintf("%s finalizer %s %s StatefulSet %s", verb, change.GetFinalizer(), place, set.GetName())
	e.because(set, "Successful"+verb+"Finalizer", "Failed"+verb+"Finalizer", what, cause, err)
}

// repair says why a pod was deleted that was neither scaled away nor updated, in addition to the event of the deletion.
func (e *Events) repair(set *setplanv1.StatefulSet, action *setplanv1.Action, err error) {
	if err == nil && action.GetCause().GetCode() == setplanv1.CauseCode_CAUSE_CODE_REPAIR {
		e.tell(set, "Repairing", fmt.Sprintf("Replace Pod %s in StatefulSet %s. %s", action.GetTarget().GetName(), set.GetName(), action.GetCause().GetMessage()))
	}
}

// because says what was done and why, or that it failed, in the form of the built-in controller's events.
func (e *Events) because(set *setplanv1.StatefulSet, done, failed, what string, cause *setplanv1.Cause, err error) {
	if err != nil {
		e.warn(set, failed, fmt.Sprintf("%s failed error: %s", what, err))
		return
	}
	e.tell(set, done, fmt.Sprintf("%s successful. %s", what, cause.GetMessage()))
}
