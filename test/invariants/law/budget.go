package law

import "fmt"

// budgetsHold: where disruption budgets are respected, no pod that is ready goes by another way than an eviction, and none that leaves fewer
// healthy than a budget wants. No container of one starts again: nobody asks a budget about that. Nobody knows the budgets but the API server; so the
// truth decides, and not what the writer has seen.
func budgetsHold(c *Check) error {
	s := c.Seen
	if !s.Budgets || s.emptied() || c.Truth == nil || c.place() == nil || c.Write.Op == ChangePod && !c.Write.Restarts {
		return nil
	}
	p := c.Truth.at(c.Write.Ordinal)
	if p == nil || !p.Pod.replica() || !p.Pod.Ready || p.Pod.ended() || p.Pod.Going {
		return nil
	}
	if c.Write.Op == ChangePod {
		return fmt.Errorf("pod %d is ready, and its images change", p.Ordinal)
	}
	if !c.Write.Evicted {
		return fmt.Errorf("pod %d is ready, and is deleted without an eviction", p.Ordinal)
	}
	if c.Write.BelowWant {
		return fmt.Errorf("pod %d is evicted, and fewer are left healthy than its budget wants", p.Ordinal)
	}
	return nil
}
