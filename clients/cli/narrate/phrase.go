package narrate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Summary says how much was done: one line per kind of action, and what failed.
func (n *Narrator) Summary() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var text strings.Builder
	total := 0
	for _, operation := range slices.Sorted(maps.Keys(n.counts)) {
		fmt.Fprintf(&text, "  %-20s %4d\n", strings.ReplaceAll(operation, "_", " "), n.counts[operation])
		total += n.counts[operation]
	}
	fmt.Fprintf(&text, "  %-20s %4d  (from %d plans; %d met a conflict, %d failed)\n", "actions in all", total, n.plans, n.conflicts, n.failed)
	return text.String()
}

// Failed is the number of actions that failed.
func (n *Narrator) Failed() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.failed
}
