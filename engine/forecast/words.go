package forecast

import (
	"fmt"
	"time"
)

// The assumptions and the warnings, as sentences.

func readyLater(after time.Duration) string {
	return fmt.Sprintf("A new pod is ready %s after it starts: its images can be pulled, and what it mounts is there.", after)
}

func restartsLater(after time.Duration) string {
	return fmt.Sprintf("A container whose image changes starts anew at once, as the image can be pulled, and its pod is ready %s later.", after)
}

func goesLater(after time.Duration) string {
	return fmt.Sprintf("A deleted pod is gone after %s.", after)
}

func drainsLater(after time.Duration) string {
	return fmt.Sprintf("A drain pod succeeds %s after it starts.", after)
}

func answersLater(after time.Duration) string {
	return fmt.Sprintf("A pod that is asked whether it may go says yes after %s.", after)
}

func agreesLater(after time.Duration) string {
	return fmt.Sprintf("Whoever is asked to agree to the update of a pod does so after %s.", after)
}

const hasRoom = "Nodes have room for what pods ask for: a pod gets other resources as soon as it asks for them."

const budgetsAllow = "Disruption budgets allow every eviction as soon as it is asked for."

const budgetsStay = "A disruption budget that does not allow an eviction goes on so until a pod becomes ready."

const bindsAtOnce = "A new claim gets its volume as soon as a pod needs it."

const growsAtOnce = "The volume of a claim gets the size and the class that the claim asks for as soon as it asks: its provider has them, and its file system grows while it is mounted."

const collectsAtOnce = "The garbage collector is faster than the planner: what is about to be deleted with its owner is deleted before anybody releases it."

const othersAreNotForecast = "Another controller runs the set. What it does is not in the forecast."

func terminatingGoes(pod string, after time.Duration) string {
	return fmt.Sprintf("Pod %s is being deleted, and is gone after %s.", pod, after)
}

func staysUnready(pod string) string {
	return "Pod " + pod + " is not ready, and stays so as long as it exists."
}

func brokenRevision(name string) string {
	return "No pod at revision " + name + " has ever been ready, so none that is made at it becomes ready."
}

func brokenLike(name, other string) string {
	return "Pods at revision " + name + " differ from those at " + other + " in labels and in the time of a restart at most, so none of them becomes ready either."
}

func claimGoesWith(kind, owner string) string {
	return "The claim is deleted with " + kind + " " + owner + ", which owns it, and its data with it unless the volume is retained."
}

const (
	claimIsDeleted    = "The claim is deleted, and its data with it unless the volume is retained."
	revisionIsDeleted = "The revision is deleted, so the set cannot go back to it."
)
