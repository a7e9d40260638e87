package engine

import "fmt"

// The causes whose sentence is always the same.
var (
	causeCovered        = Cause{CauseDrainMark, "The drain policy covers the claim."}
	causeNotCovered     = Cause{CauseDrainMark, "The set has no drain policy that covers the claim."}
	causeDrainRuns      = Cause{CauseDrain, "The creation time of the drain pod is recorded."}
	causeClaimDrained   = Cause{CauseDrained, "The drain pod has succeeded: the claim is drained."}
	causeDrainSucceeded = Cause{CauseDrained, "The drain pod has succeeded."}
	causeNothingLeft    = Cause{CauseDrained, "The drain pod's claims are gone: nothing is left to drain."}
	causeDrainFailed    = Cause{CauseDrainFailed, "The drain pod has failed; another one follows."}
	causeDrainUnproved  = Cause{CauseDrainFailed, "The drain pod has succeeded without proof that it finished; another one follows."}
	causeNoPolicy       = Cause{CauseDrainCancelled, "The set no longer has a drain policy; the claims are kept."}
	causeBackWithData   = Cause{CauseDrainCancelled, "The ordinal is back in the range with its data."}
	causeBackUndrained  = Cause{CauseDrainCancelled, "The ordinal came back into the range before it was drained, and " + policyScaleUp + " is Cancel, so it keeps its data."}
	causeSetGoes        = Cause{CauseDrainCancelled, "The set is deleted without a drain; the claims are kept."}
	causeAsk            = Cause{CauseDrainAsk, "The pod's ordinal is outside the range; the pod gets a drain request before it is deleted."}
	causeTakeBack       = Cause{CauseDrainAsk, "The pod is kept, so its drain request is withdrawn."}
	causeSetDrained     = Cause{CauseDrainFinalizer, "The set is drained and may be deleted."}
	causeSetNotDrained  = Cause{CauseDrainFinalizer, "The set need not be drained before it is deleted."}
	causeProtect        = Cause{CauseRetention, "The drain policy covers the claim, so it must not be deleted with its owner before it is drained."}
)

func causeDrain(ordinal int32) Cause {
	return Cause{CauseDrain, fmt.Sprintf("Ordinal %d is outside the range; its data has to be drained.", ordinal)}
}

func causeFinishDrain(ordinal int32) Cause {
	return Cause{CauseDrain, fmt.Sprintf("The drain of ordinal %d has begun and has to finish before the ordinal comes back.", ordinal)}
}

// causeDrainsOnDelete names the setting that asks for the drain.
func causeDrainsOnDelete(source string) Cause {
	return Cause{CauseDrainFinalizer, source + " is true: a deleted set stays until it is drained."}
}
