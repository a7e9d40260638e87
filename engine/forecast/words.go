package forecast

import "fmt"

// The assumptions, the warnings and the limits, as sentences.

func overBudget(budget string) string {
	return "The planner ended the forecast early: a forecast has a budget of " + budget + ". " +
		"Forecast fewer changes at once, or with setplan without --planner-address: the planner in that program has no budget."
}

func overSteps(steps int, asked bool) string {
	if asked {
		return fmt.Sprintf("The forecast ended after %d plans, as many as were asked for. Ask for more (max_steps).", steps)
	}
	return fmt.Sprintf("The forecast ended after %d plans, the most for a set of this size. If the last steps repeat, something undoes what the plans do.", steps)
}

// %s is how long hosts take, or a name.
const (
	readyLater    = "A new pod becomes ready %s after it starts: its images can be pulled, and everything that it mounts exists."
	restartsLater = "A container whose image changes in place restarts at once, its image can be pulled, and its pod becomes ready %s later."
	goesLater     = "A deleted pod is gone after %s."
	drainsLater   = "A drain pod succeeds %s after it starts."
	answersLater  = "A pod that gets a drain request answers it after %s."
	agreesLater   = "A pod whose update needs approval is approved after %s."

	hasRoom              = "Nodes have room: a pod gets new resources in place as soon as it requests them."
	budgetsAllow         = "Disruption budgets allow every eviction at once."
	budgetsStay          = "A disruption budget that does not allow an eviction now does not allow it until a pod becomes ready."
	bindsAtOnce          = "A new claim gets its volume as soon as a pod needs it."
	growsAtOnce          = "A volume gets the size and the class that its claim requests at once: the storage provider has them, and the file system grows while it is mounted."
	collectsAtOnce       = "The garbage collector is faster than the planner: what is about to be deleted with its owner is deleted before it can be released."
	othersAreNotForecast = "Another controller runs the set. The forecast does not include what that controller does."

	terminatingGoes = "Pod %s is being deleted and is gone after %s."
	staysUnready    = "Pod %s is not ready and never becomes ready."
	gatesStay       = "Nobody removes a scheduling gate: %s. When the controllers that set gates remove them cannot be known, so pods that have one stay pending."
	brokenRevision  = "No pod at revision %s has ever been ready, so no new pod at this revision becomes ready."
	brokenLike      = "Revision %s differs from %s at most in labels and a restart time, so none of its pods becomes ready either."

	claimGoesWith     = "The claim is deleted with %s %s, which owns it. Its data is deleted too, unless the volume is retained."
	claimGoesAlready  = "The claim is being deleted already. Its data is deleted too, unless the volume is retained."
	claimIsDeleted    = "The claim is deleted. Its data is deleted too, unless the volume is retained."
	revisionIsDeleted = "The revision is deleted, so the set cannot be rolled back to it."
)
