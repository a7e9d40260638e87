package engine

import (
	"fmt"

	"github.com/setplan/setplan/engine/model"
)

// The causes whose sentence is always the same.
var (
	causeCovered        = model.Cause{Code: model.CauseDrainMark, Message: "The drain policy covers the claim."}
	causeNotCovered     = model.Cause{Code: model.CauseDrainMark, Message: "The set has no drain policy that covers the claim."}
	causeDrainRuns      = model.Cause{Code: model.CauseDrain, Message: "The creation time of the drain pod is recorded."}
	causeClaimDrained   = model.Cause{Code: model.CauseDrained, Message: "The drain pod has succeeded: the claim is drained."}
	causeDrainSucceeded = model.Cause{Code: model.CauseDrained, Message: "The drain pod has succeeded."}
	causeNothingLeft    = model.Cause{Code: model.CauseDrained, Message: "The drain pod's claims are gone: nothing is left to drain."}
	causeDrainFailed    = model.Cause{Code: model.CauseDrainFailed, Message: "The drain pod has failed; another one follows."}
	causeDrainUnproved  = model.Cause{Code: model.CauseDrainFailed, Message: "The drain pod has succeeded without proof that it finished; another one follows."}
	causeNoPolicy       = model.Cause{Code: model.CauseDrainCancelled, Message: "The set no longer has a drain policy; the claims are kept."}
	causeBackWithData   = model.Cause{Code: model.CauseDrainCancelled, Message: "The ordinal is back in the range with its data."}
	causeBackUndrained  = model.Cause{Code: model.CauseDrainCancelled, Message: "The ordinal came back into the range before it was drained, and " + policyScaleUp + " is Cancel, so it keeps its data."}
	causeSetGoes        = model.Cause{Code: model.CauseDrainCancelled, Message: "The set is deleted without a drain; the claims are kept."}
	causeAsk            = model.Cause{Code: model.CauseDrainAsk, Message: "The pod's ordinal is outside the range; the pod gets a drain request before it is deleted."}
	causeTakeBack       = model.Cause{Code: model.CauseDrainAsk, Message: "The pod is kept, so its drain request is withdrawn."}
	causeSetDrained     = model.Cause{Code: model.CauseDrainFinalizer, Message: "The set is drained and may be deleted."}
	causeSetNotDrained  = model.Cause{Code: model.CauseDrainFinalizer, Message: "The set need not be drained before it is deleted."}
	causeProtect        = model.Cause{Code: model.CauseRetention, Message: "The drain policy covers the claim, so it must not be deleted with its owner before it is drained."}
)

func causeDrain(ordinal int32) model.Cause {
	return model.Cause{Code: model.CauseDrain, Message: fmt.Sprintf("Ordinal %d is outside the range; its data has to be drained.", ordinal)}
}

func causeFinishDrain(ordinal int32) model.Cause {
	return model.Cause{Code: model.CauseDrain, Message: fmt.Sprintf("The drain of ordinal %d has begun and has to finish before the ordinal comes back.", ordinal)}
}

// causeDrainsOnDelete names the setting that asks for the drain.
func causeDrainsOnDelete(source string) model.Cause {
	return model.Cause{Code: model.CauseDrainFinalizer, Message: source + " is true: a deleted set stays until it is drained."}
}
