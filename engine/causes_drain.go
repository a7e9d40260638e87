package engine

import "fmt"

// The causes whose sentence is always the same.
var (
	causeCovered        = Cause{CauseDrainMark, "The drain policy covers the claim."}
	causeNotCovered     = Cause{CauseDrainMark, "The set has no drain policy that covers the claim."}
	causeDrainRuns      = Cause{CauseDrain, "The drain pod runs, or will; this is when it was made."}
	causeClaimDrained   = Cause{CauseDrained, "The drain pod has succeeded: the claim's data has been drained."}
	causeDrainSucceeded = Cause{CauseDrained, "The drain pod has succeeded."}
	causeNothingLeft    = Cause{CauseDrained, "The claims of the drain pod are gone: nothing is left to drain."}
	causeDrainFailed    = Cause{CauseDrainFailed, "The drain pod has failed, and another one follows."}
	causeDrainUnproved  = Cause{CauseDrainFailed, "The drain pod has ended, and its success proves nothing: another one follows."}
	causeNoPolicy       = Cause{CauseDrainCancelled, "The set has no drain policy any more; the claims stay."}
	causeBackWithData   = Cause{CauseDrainCancelled, "The ordinal is back in the range with its data."}
	causeBackUndrained  = Cause{CauseDrainCancelled, "The ordinal is back in the range before it was drained, and " + policyScaleUp + " is Cancel: it returns to its data."}
	causeSetGoes        = Cause{CauseDrainCancelled, "The set goes without a drain; the claims stay."}
	causeAsk            = Cause{CauseDrainAsk, "The pod's ordinal is outside the range, and it is asked before it goes."}
	causeTakeBack       = Cause{CauseDrainAsk, "The pod stays, so the question whether it may go is taken back."}
	causeSetDrained     = Cause{CauseDrainFinalizer, "The set is drained and may go."}
	causeSetNotDrained  = Cause{CauseDrainFinalizer, "The set is not drained when it is deleted."}
	causeProtect        = Cause{CauseRetention, "The drain policy covers the claim, and it must not be deleted with its owner before it is drained."}
)

func causeDrain(ordinal int32) Cause {
	return Cause{CauseDrain, fmt.Sprintf("Ordinal %d is outside the range, and its data has to be drained.", ordinal)}
}

func causeFinishDrain(ordinal int32) Cause {
	return Cause{CauseDrain, fmt.Sprintf("The drain of ordinal %d was begun and is finished before the ordinal comes back.", ordinal)}
}

// causeDrainsOnDelete names the setting that asks for it.
func causeDrainsOnDelete(source string) Cause {
	return Cause{CauseDrainFinalizer, source + " is true: when the set is deleted it stays until it is drained."}
}
