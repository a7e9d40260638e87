package engine

// The blocks about disruption budgets.

func blockInvalidBudgets(s *Set, of asked) Block {
	return about(s, BlockInvalidPolicy, Attention, mustBe(subject(of), of.text, aBudgetPolicy)+" Until this is fixed it is taken for Respect.",
		"Set it to "+aBudgetPolicy+", or remove it.")
}

// blockDisruptionBudget is about a pod whose budget has not allowed its eviction; the API server names the budget.
func blockDisruptionBudget(a *Action, o *Outcome) Block {
	return Block{Code: BlockDisruptionBudget, Severity: Wait, Kind: a.Kind, Name: a.Name,
		Message: "A disruption budget does not allow the pod to be evicted now. The API server said: " + shortMessage(o.Message),
		Remedy: "It is asked again. If it never allows it: make the pods ready that the budget counts, or let it allow more: " +
			kubectl("get", "poddisruptionbudgets")}
}
