package engine

import (
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// The sentences of conditions are here, apart from what decides on them; docs/conditions.md explains each condition.

func reconciling(status, reason, message string) model.Condition {
	return model.Condition{Type: ConditionReconciling, Status: status, Reason: reason, Message: message}
}

func conditionDeleting() model.Condition {
	return reconciling(conditionTrue, "Deleting", "The set is being deleted.")
}

func conditionScaling() model.Condition {
	return reconciling(conditionTrue, "Scaling", "The number of pods differs from the spec.")
}

func conditionOrdinalsLeave() model.Condition {
	return reconciling(conditionTrue, "Draining", "Ordinals outside the range are being drained.")
}

func conditionUpdating() model.Condition {
	return reconciling(conditionTrue, "Updating", "Some pods are not at their target revision yet.")
}

func conditionWaitingForPods() model.Condition {
	return reconciling(conditionTrue, "WaitingForPods", "Every pod is at its target revision, but some are not available.")
}

func conditionWaiting() model.Condition {
	return reconciling(conditionTrue, "Waiting", "Every pod is available, and something else is still to be done.")
}

func conditionUnplanned() model.Condition {
	return reconciling(conditionTrue, "Invalid", "Nothing is done until the set is corrected; the condition Blocked says what is wrong.")
}

func conditionHeldBySpec() model.Condition {
	return reconciling(conditionFalse, "HeldBySpec", "Every pod is available; the partition or OnDelete keeps some at an older revision.")
}

func conditionPaused(of asked) model.Condition {
	return reconciling(conditionTrue, "Paused", of.name+" holds back the remaining changes.")
}

func conditionComplete() model.Condition {
	return reconciling(conditionFalse, "Complete", "Every pod is available at the newest revision.")
}

// conditionBlocked quotes the block that wants somebody to act; nil: none does.
func conditionBlocked(b *model.Block) model.Condition {
	if b == nil {
		return model.Condition{Type: ConditionBlocked, Status: conditionFalse, Reason: "NoActionRequired", Message: "No manual action is needed."}
	}
	message := b.Kind + " " + prose.Short(b.Name) + ": " + b.Message
	if b.Remedy != "" {
		message += " " + b.Remedy
	}
	return model.Condition{Type: ConditionBlocked, Status: conditionTrue, Reason: camel(b.Code.String()), Message: prose.Cut(message, prose.MaxMessage-len("..."))}
}

// camel turns POD_NAME_TAKEN into PodNameTaken, the form that Kubernetes wants for reasons.
func camel(code string) string {
	var out strings.Builder
	for word := range strings.SplitSeq(code, "_") {
		out.WriteString(word[:1] + strings.ToLower(word[1:]))
	}
	return out.String()
}

func conditionRepairing(repairing bool) model.Condition {
	if repairing {
		return model.Condition{Type: ConditionRepairing, Status: conditionTrue, Reason: "PodNeverReady",
			Message: "A pod that cannot become ready at its revision is being replaced."}
	}
	return model.Condition{Type: ConditionRepairing, Status: conditionFalse, Reason: "NothingToRepair", Message: "No pod needs repair."}
}

func conditionDraining(draining bool) model.Condition {
	if draining {
		return model.Condition{Type: ConditionDraining, Status: conditionTrue, Reason: "OrdinalsLeave",
			Message: "Ordinals outside the range are drained before their claims are deleted."}
	}
	return model.Condition{Type: ConditionDraining, Status: conditionFalse, Reason: "NothingToDrain", Message: "No ordinal needs a drain."}
}

// causeConditions says which conditions change.
func causeConditions(changed []model.Condition) model.Cause {
	texts := make([]string, len(changed))
	for i, c := range changed {
		texts[i] = c.Type + " becomes " + c.Status + " (" + c.Reason + ")"
	}
	return model.Cause{Code: model.CauseStatusChanged, Message: strings.Join(texts, ", ") + "."}
}
