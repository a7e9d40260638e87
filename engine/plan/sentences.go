package plan

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

func blockCapabilityMissing(a *model.Action) model.Block {
	return model.Block{Code: model.BlockCapabilityMissing, Severity: model.Attention, Kind: a.Kind, Name: a.Name,
		Message: "The adapter does not support the operation " + a.Op.Traits().Name + ", which is needed here: " + a.Cause.Message,
		Remedy:  "Use an adapter that supports it."}
}

func blockActionFailedBefore(a *model.Action, o *model.Outcome) model.Block {
	b := model.Block{Code: model.BlockActionFailedBefore, Severity: model.Wait, Kind: a.Kind, Name: a.Name,
		Message: "The last attempt to " + prose.ToDo(a.Op) + " failed and will be repeated. The API server said: " + prose.Answer(o.Message)}
	if o.Result == model.OutcomeRejected {
		b.Severity = model.Attention
		b.Remedy = "Fix what makes the API server refuse it: a quota, an admission policy, a missing permission or an invalid field."
	}
	return b
}

// BlockDisruptionBudget is about a pod whose budget has not allowed its eviction; the API server names the budget.
func BlockDisruptionBudget(a *model.Action, o *model.Outcome) model.Block {
	return model.Block{Code: model.BlockDisruptionBudget, Severity: model.Wait, Kind: a.Kind, Name: a.Name,
		Message: "A disruption budget does not allow the pod to be evicted now. The API server said: " + prose.Answer(o.Message),
		Remedy: "The eviction is retried. If the budget never allows it, check the pods that the budget covers, or let it allow more disruptions: " +
			prose.Kubectl("get", "poddisruptionbudgets")}
}
