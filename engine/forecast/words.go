package forecast

import (
	"fmt"
	"strings"
	"time"
)

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

func readyLater(after time.Duration) string {
	return fmt.Sprintf("A new pod becomes ready %s after it starts: its images can be pulled, and everything that it mounts exists.", after)
}

func restartsLater(after time.Duration) string {
	return fmt.Sprintf("A container whose image changes in place restarts at once, its image can be pulled, and its pod becomes ready %s later.", after)
}

func goesLater(after time.Duration) string {
	return fmt.Sprintf("A deleted pod is gone after %s.", after)
}

func drainsLater(after time.Duration) string {
	return fmt.Sprintf("A drain pod succeeds %s after it starts.", after)
}

func answersLater(after time.Duration) string {
	return fmt.Sprintf("A pod that gets a drain request answers it after %s.", after)
}

func agreesLater(after time.Duration) string {
	return fmt.Sprintf("A pod whose update needs approval is approved after %s.", after)
}

const hasRoom = "Nodes have room: a pod gets new resources in place as soon as it requests them."

const budgetsAllow = "Disruption budgets allow every eviction at once."

const budgetsStay = "A disruption budget that does not allow an eviction now does not allow it until a pod becomes ready."

const bindsAtOnce = "A new claim gets its volume as soon as a pod needs it."

const growsAtOnce = "A volume gets the size and the class that its claim requests at once: the storage provider has them, and the file system grows while it is mounted."

const collectsAtOnce = "The garbage collector is faster than the planner: what is about to be deleted with its owner is deleted before it can be released."

const othersAreNotForecast = "Another controller runs the set. The forecast does not include what that controller does."

func terminatingGoes(pod string, after time.Duration) string {
	return fmt.Sprintf("Pod %s is being deleted and is gone after %s.", pod, after)
}

func staysUnready(pod string) string {
	return "Pod " + pod + " is not ready and never becomes ready."
}

func gatesStay(gates []string) string {
	return "Nobody removes a scheduling gate: " + strings.Join(gates, ", ") + ". When the controllers that set gates remove them cannot be known, so pods that have one stay pending."
}

func brokenRevision(name string) string {
	return "No pod at revision " + name + " has ever been ready, so no new pod at this revision becomes ready."
}

func brokenLike(name, other string) string {
	return "Revision " + name + " differs from " + other + " at most in labels and a restart time, so none of its pods becomes ready either."
}

func claimGoesWith(kind, owner string) string {
	return "The claim is deleted with " + kind + " " + owner + ", which owns it. Its data is deleted too, unless the volume is retained."
}

const (
	claimGoesAlready  = "The claim is being deleted already. Its data is deleted too, unless the volume is retained."
	claimIsDeleted    = "The claim is deleted. Its data is deleted too, unless the volume is retained."
	revisionIsDeleted = "The revision is deleted, so the set cannot be rolled back to it."
)
