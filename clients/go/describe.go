package setplan

import (
	"fmt"
	"strings"
	"unicode"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Describe returns a plan as text: the actions stage by stage and in order, each with its cause, and what is held back. Actions
// behind one dash are done one after another, dashes side by side. The text is for people and logs and may change with a release.
// It contains no control characters from objects.
func Describe(plan *setplanv1.Plan) string {
	b := &strings.Builder{}
	if plan.GetConverged() {
		b.WriteString("in the desired state\n")
	}
	for _, stage := range plan.GetStages() {
		fmt.Fprintf(b, "%s (on failure: %s)\n", word(stage.GetPhase().String(), "STAGE_PHASE_"), word(stage.GetOnFailure().String(), "ON_FAILURE_"))
		for _, step := range stage.GetSteps() {
			for i, action := range step.GetActions() {
				lead := "  - "
				if i > 0 {
					lead = "    "
				}
				fmt.Fprintf(b, "%s%s %s: %s\n", lead, operation(action), printable(action.GetTarget().GetName()), printable(action.GetCause().GetMessage()))
			}
		}
	}
	for _, block := range plan.GetBlocks() {
		fmt.Fprintf(b, "%s %s %s: %s\n", word(block.GetSeverity().String(), "SEVERITY_"), strings.TrimPrefix(block.GetCode().String(), "BLOCK_CODE_"),
			printable(block.GetSubject().GetName()), printable(block.GetMessage()))
	}
	if after := plan.GetRequeueAfter(); after != nil {
		fmt.Fprintf(b, "check again in %s\n", after.AsDuration())
	}
	return b.String()
}

// word returns the value of an enum in words.
func word(value, prefix string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(value, prefix)), "_", " ")
}

// operation returns the contract's name of an operation, so that operations of later releases have names, too.
func operation(action *setplanv1.Action) string {
	m := action.ProtoReflect()
	field := m.WhichOneof(m.Descriptor().Oneofs().ByName("operation"))
	if field == nil {
		return "unknown operation"
	}
	return strings.ReplaceAll(string(field.Name()), "_", " ")
}

func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
