package setstatus

import (
	"fmt"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
)

// The sentences of conditions are here, apart from what decides on them; docs/conditions.md explains each condition.

func reconciling(status, reason, message string) model.Condition {
	return model.Condition{Type: state.ConditionReconciling, Status: status, Reason: reason, Message: message}
}

func conditionDeleting() model.Condition {
	return reconciling(state.ConditionTrue, "Deleting", "The set is being deleted.")
}

func conditionScaling() model.Condition {
	return reconciling(state.ConditionTrue, "Scaling", "The number of pods differs from the spec.")
}

func conditionOrdinalsLeave() model.Condition {
	return reconciling(state.ConditionTrue, "Draining", "Ordinals outside the range are being drained.")
}

func conditionUpdating() model.Condition {
	return reconciling(state.ConditionTrue, "Updating", "Some pods are not at their target revision yet.")
}

func conditionWaitingForPods() model.Condition {
	return reconciling(state.ConditionTrue, "WaitingForPods", "Every pod is at its target revision, but some are not available.")
}

func conditionWaiting() model.Condition {
	return reconciling(state.ConditionTrue, "Waiting", "Every pod is available, and something else is still to be done.")
}

func conditionUnplanned() model.Condition {
	return reconciling(state.ConditionTrue, "Invalid", "Nothing is done until the set is corrected; the condition Blocked says what is wrong.")
}

func conditionHeldBySpec() model.Condition {
	return reconciling(state.ConditionFalse, "HeldBySpec", "Every pod is available; the partition or OnDelete keeps some at an older revision.")
}

func conditionPaused(of policy.Asked) model.Condition {
	return reconciling(state.ConditionTrue, "Paused", of.Name+" holds back the remaining changes.")
}

func conditionComplete() model.Condition {
	return reconciling(state.ConditionFalse, "Complete", "Every pod is available at the newest revision.")
}

// conditionBlocked quotes the block that wants somebody to act; nil: none does.
func conditionBlocked(b *model.Block) model.Condition {
	if b == nil {
		return model.Condition{Type: state.ConditionBlocked, Status: state.ConditionFalse, Reason: "NoActionRequired", Message: "No manual action is needed."}
	}
	message := b.Kind + " " + prose.Short(b.Name) + ": " + b.Message
	if b.Remedy != "" {
		message += " " + b.Remedy
	}
	return model.Condition{Type: state.ConditionBlocked, Status: state.ConditionTrue, Reason: camel(b.Code.String()), Message: prose.Cut(message, prose.MaxMessage-len("..."))}
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
		return model.Condition{Type: state.ConditionRepairing, Status: state.ConditionTrue, Reason: "PodNeverReady",
			Message: "A pod that cannot become ready at its revision is being replaced."}
	}
	return model.Condition{Type: state.ConditionRepairing, Status: state.ConditionFalse, Reason: "NothingToRepair", Message: "No pod needs repair."}
}

func conditionDraining(draining bool) model.Condition {
	if draining {
		return model.Condition{Type: state.ConditionDraining, Status: state.ConditionTrue, Reason: "OrdinalsLeave",
			Message: "Ordinals outside the range are drained before their claims are deleted."}
	}
	return model.Condition{Type: state.ConditionDraining, Status: state.ConditionFalse, Reason: "NothingToDrain", Message: "No ordinal needs a drain."}
}

// The words of upstream's condition Progressing, of stateful_set_control.go.
const (
	recreateInProgress = "RecreateInProgress"
	deletesOld         = "Deleting old revision pods"
	createsNew         = "Waiting for new-revision pods to be created"
)

func conditionRecreating(message string) *model.Condition {
	return &model.Condition{Type: state.ConditionProgressing, Status: state.ConditionTrue, Reason: recreateInProgress, Message: message}
}

func conditionRecreated() *model.Condition {
	return &model.Condition{Type: state.ConditionProgressing, Status: state.ConditionFalse, Reason: "RecreateCompleted", Message: "All pods recreated successfully"}
}

// causeConditions says which conditions change.
func causeConditions(changed []model.Condition) model.Cause {
	texts := make([]string, len(changed))
	for i, c := range changed {
		texts[i] = c.Type + " becomes " + c.Status + " (" + c.Reason + ")"
	}
	return model.Cause{Code: model.CauseStatusChanged, Message: strings.Join(texts, ", ") + "."}
}

func causeHistoryLimit(old, limit int) model.Cause {
	return model.Cause{Code: model.CauseHistoryLimit, Message: fmt.Sprintf("%s unused; revisionHistoryLimit is %d.", prose.Are(old, "revision"), limit)}
}

// causeStatus gives the counters.
func causeStatus(st *model.Status) model.Cause {
	return model.Cause{Code: model.CauseStatusChanged, Message: fmt.Sprintf("%s, %d ready, %d available, %d current, %d updated.",
		prose.Plural(int(st.Replicas), "pod"), st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas)}
}
