package explore

import (
	"fmt"
	"strings"

	"github.com/setplan/setplan/test/invariants/law"
)

// describe writes a cluster in one line: the spec and the state.
func describe(c *cluster) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%d replicas at %s, partition %d", c.replicas, c.template, c.partition)
	note(&b, c.reserved != 0, fmt.Sprintf(", reserved %04b", c.reserved))
	note(&b, c.pause != law.PauseNothing, ", paused "+pauses[c.pause])
	note(&b, c.wants > 0, fmt.Sprintf(", the budget wants %d", c.wants))
	note(&b, c.size > 0, fmt.Sprintf(", volumes of %d", c.size))
	note(&b, c.drains, ", drained")
	note(&b, c.finalizer, ", kept until drained")
	note(&b, c.deleting, ", being deleted")
	note(&b, c.foreground, " in the foreground")
	note(&b, c.promised, ", when it might be")
	for i := range c.pods {
		if p := c.pods[i]; p.exists() {
			at := "at " + p.rev.String()
			if p.drain {
				at = "drains"
			}
			fmt.Fprintf(&b, "; pod %d %s %s%s%s", i, p.phase, at, [...]string{"", ", going", ", stuck"}[p.mode], p.refused)
			b.WriteString(p.inside.String())
			note(&b, p.leads, ", leads")
			note(&b, p.lasts, ", for long")
			note(&b, p.mayLeave > 0, ", may go to "+p.mayLeave.String())
			note(&b, p.confirmed > 0, ", confirmed at "+p.confirmed.String())
		}
		if k := c.claims[i]; k.exists {
			fmt.Fprintf(&b, "; claim %d of %s", i, k.owner)
			note(&b, c.notes == ofGrowth, k.volume.String())
			note(&b, k.marked, ", marked")
			note(&b, k.attempted, ", drain begun")
			note(&b, k.listed, ", on the drain pod")
			note(&b, k.empty, ", empty")
			note(&b, k.going, ", going")
		}
	}
	fmt.Fprintf(&b, "; status current %s, update %s", c.statusCurrent, c.statusNew)
	note(&b, !c.told, ", not up to date")
	note(&b, c.unnoticed, " and not seen to be")
	b.WriteString("]")
	return b.String()
}

func note(b *strings.Builder, is bool, text string) {
	if is {
		b.WriteString(text)
	}
}

// trace returns the shortest path to a node, and where it begins.
func (s *search) trace(n node) []string {
	var steps []string
	for {
		o, ok := s.origin[n]
		if !ok {
			break
		}
		c := n.truth.unpack()
		steps = append(steps, fmt.Sprintf("%-58s %s", o.step, describe(&c)))
		n = o.from
	}
	c := n.truth.unpack()
	steps = append(steps, "begin with "+describe(&c))
	for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
		steps[i], steps[j] = steps[j], steps[i]
	}
	return steps
}
