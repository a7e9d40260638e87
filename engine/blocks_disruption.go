package engine

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// The blocks about disruption budgets.

func blockInvalidBudgets(s *model.Set, of asked) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, mustBe(subject(of), of.text, aBudgetPolicy)+" Until this is fixed, Respect applies.",
		"Set it to "+aBudgetPolicy+", or remove it.")
}

// blockDisruptionBudget is about a pod whose budget has not allowed its eviction; the API server names the budget.
func blockDisruptionBudget(a *model.Action, o *model.Outcome) model.Block {
	return model.Block{Code: model.BlockDisruptionBudget, Severity: model.Wait, Kind: a.Kind, Name: a.Name,
		Message: "A disruption budget does not allow the pod to be evicted now. The API server said: " + prose.Answer(o.Message),
		Remedy: "The eviction is retried. If the budget never allows it, check the pods that the budget covers, or let it allow more disruptions: " +
			prose.Kubectl("get", "poddisruptionbudgets")}
}
