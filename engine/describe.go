package engine

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Describe writes a plan for people: what is done, in order, and what is waited for. The same plan gives the same text,
// so tests compare it.
func Describe(p *Plan) string {
	var b strings.Builder
	for _, stage := range p.Stages {
		fmt.Fprintf(&b, "%s (on failure: %s%s%s)\n", stage.Phase, stage.OnFailure, when(stage.AlwaysRun, ", always runs"),
			when(stage.RequiresLiveSet, ", reads the set first"))
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, step := range stage.Steps {
			lead := "- "
			for i := range step.Actions {
				a := &step.Actions[i]
				fmt.Fprintf(w, "  %s%s\t%s\t%s%s\n", lead, a.Op.name(), a.Name, a.Cause.Message, a.Op.detail())
				lead = "  "
			}
		}
		w.Flush() // a strings.Builder cannot fail
	}
	for _, block := range p.Blocks {
		fmt.Fprintf(&b, "%s %s %s %s: %s", block.Severity, block.Code, block.Kind, block.Name, block.Message)
		if !block.NotBefore.IsZero() {
			fmt.Fprintf(&b, " Not before %s.", block.NotBefore.UTC().Format("15:04:05.999"))
		}
		b.WriteByte('\n')
	}
	if p.RequeueAfter > 0 {
		fmt.Fprintf(&b, "check again in %s\n", p.RequeueAfter)
	}
	if p.Truncated {
		b.WriteString("the plan is incomplete: ask again after applying it\n")
	}
	if p.Converged {
		b.WriteString("in the desired state\n")
	}
	return b.String()
}

func when(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}
