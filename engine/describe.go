package engine

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// Describe writes a plan for people: what is done, in order, and what is waited for. The same plan gives the same text,
// so tests compare it.
func Describe(p *model.Plan) string {
	var b strings.Builder
	for _, stage := range p.Stages {
		fmt.Fprintf(&b, "%s (on failure: %s%s%s)\n", stage.Phase, stage.OnFailure, when(stage.AlwaysRun, ", always runs"),
			when(stage.RequiresLiveSet, ", reads the set first"))
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, step := range stage.Steps {
			lead := "- "
			for i := range step.Actions {
				a := &step.Actions[i]
				fmt.Fprintf(w, "  %s%s\t%s\t%s%s\n", lead, a.Op.Traits().Name, a.Name, a.Cause.Message, detailOf(a.Op))
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

// detailOf is what Describe adds to the target of an operation.
func detailOf(op model.Operation) string {
	var parts []string
	add := func(list []model.KeyValue, between string) {
		for _, e := range list {
			parts = append(parts, e.Key+between+e.Value)
		}
	}
	remove := func(keys []string, end string) {
		for _, key := range keys {
			parts = append(parts, key+end)
		}
	}
	switch op := op.(type) {
	case model.RenumberRevision:
		parts = append(parts, fmt.Sprintf("number %d", op.Number))
	case model.PatchPod:
		add(op.Labels, "=")
		for _, c := range op.Claims {
			parts = append(parts, c.Volume+":"+c.Claim)
		}
	case model.UpdatePod:
		add(op.Labels, "=")
		remove(op.RemoveLabels, "-")
		add(op.Annotations, ":")
		remove(op.RemoveAnnotations, ":-")
		for _, c := range slices.Concat(op.InitContainers, op.Containers) {
			parts = append(parts, c.Name+"="+c.Image)
		}
	case model.ResizePod:
		for _, c := range slices.Concat(op.InitContainers, op.Containers) {
			for _, key := range model.Resizable {
				if value := *key.Of(&c.Resources); value != "" {
					parts = append(parts, c.Name+"."+key.List+"."+key.Resource+"="+value)
				}
			}
		}
	case model.PatchClaim:
		if op.Request != "" {
			parts = append(parts, "storage="+op.Request)
		}
		if op.AttributesClass != "" {
			parts = append(parts, "attributes-class="+op.AttributesClass)
		}
		add(op.Labels, "=")
	case model.SetClaimOwners:
		for _, o := range op.Owners {
			parts = append(parts, o.Kind+"/"+o.Name)
		}
		return " [" + strings.Join(parts, " ") + "]"
	case model.UpdateStatus:
		for _, c := range op.Status.Conditions {
			if c.Type == state.ConditionBlocked && c.Status == state.ConditionTrue {
				return " [Blocked: " + c.Reason + "]"
			}
		}
	case model.PatchAnnotations:
		add(op.Set, "=")
		remove(op.Remove, "-")
	case model.SetFinalizer:
		if op.Present {
			return " [" + op.Finalizer + "]"
		}
		return " [" + op.Finalizer + "-]"
	}
	if len(parts) == 0 {
		return ""
	}
	return " [" + strings.Join(parts, " ") + "]"
}
