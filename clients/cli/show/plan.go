package show

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/printable"
	"github.com/setplan/setplan/clients/cli/shell"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Plan writes a plan: what is done, stage by stage and in order, and what is held back. Ages count from now. updates are the lines of Updates.
func Plan(out io.Writer, style Style, name string, plan *setplanv1.Plan, updates []string, now time.Time) error {
	plan = printable.Message(plan)
	b := &strings.Builder{}
	fmt.Fprintln(b, style.Paint(Bold, printable.Line(name))+": "+summary(style, plan))
	updatesText(b, style, updates)
	stagesText(b, style, plan)
	if len(plan.GetBlocks()) > 0 {
		fmt.Fprintln(b, style.Paint(Bold, "held back"))
	}
	blocks, more := cut(style, plan.GetBlocks())
	for _, block := range blocks {
		blockText(b, style, block, now)
	}
	moreText(b, more, "block")
	if plan.GetTruncated() {
		fmt.Fprintln(b, "The plan is incomplete: there is more to do after it.")
	}
	if after := plan.GetRequeueAfter().AsDuration(); after > 0 {
		fmt.Fprintf(b, "Check again in %s.\n", wholeSeconds(after))
	}
	if style.Wide {
		fence := plan.GetFence()
		fmt.Fprintf(b, "Fence: uid %s, generation %d, not older than %s.\n", fence.GetSetUid(), fence.GetGeneration(),
			fence.GetMaxAge().AsDuration())
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// wholeSeconds rounds up, so that a later look is not too early.
func wholeSeconds(d time.Duration) time.Duration {
	return (d + time.Second - 1).Truncate(time.Second)
}

func summary(style Style, plan *setplanv1.Plan) string {
	actions := 0
	for _, n := range adapters.CountOperations(plan) {
		actions += n
	}
	switch {
	case plan.GetConverged():
		return style.Paint(Green, "in the desired state")
	case actions == 0:
		return style.Paint(Yellow, "nothing to do now")
	default:
		return Count(actions, "action")
	}
}

// Count returns "1 action", "2 actions".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// cut returns the part of a list that is shown, and how many items are not.
func cut[T any](style Style, list []T) (shown []T, more int) {
	if style.Most == 0 || len(list) <= style.Most {
		return list, 0
	}
	return list[:style.Most], len(list) - style.Most
}

func moreText(b *strings.Builder, more int, what string) {
	if more > 0 {
		fmt.Fprintf(b, "... and %s; -o json has them all\n", Count(more, "more "+what))
	}
}

// stagesText shows stages while there is room for their actions.
func stagesText(b *strings.Builder, style Style, plan *setplanv1.Plan) {
	more, left := 0, style.Most
	for _, stage := range plan.GetStages() {
		size := 0
		for _, step := range stage.GetSteps() {
			size += len(step.GetActions())
		}
		if style.Most == 0 {
			left = size
		}
		if left > 0 {
			stageText(b, style, stage, left)
		}
		more += max(0, size-left)
		left = max(0, left-size)
	}
	moreText(b, more, "action")
}

func stageText(b *strings.Builder, style Style, stage *setplanv1.Stage, most int) {
	title := style.Paint(Bold, Word(stage.GetPhase().String(), "STAGE_PHASE_"))
	if style.Wide {
		title += " (on failure: " + Word(stage.GetOnFailure().String(), "ON_FAILURE_")
		if stage.GetAlwaysRun() {
			title += ", always runs"
		}
		if stage.GetRequiresLiveSet() {
			title += ", reads the set first"
		}
		title += ")"
	}
	fmt.Fprintln(b, title)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, step := range stage.GetSteps() {
		lead := "- " // actions of a step are done in order, steps side by side
		for _, action := range step.GetActions() {
			if most--; most < 0 {
				break
			}
			fmt.Fprintf(w, "  %s%s\t%s\t", lead, Operation(action), action.GetTarget().GetName())
			if style.Wide {
				fmt.Fprintf(w, "%s\t%s\t", action.GetId(), precondition(action.GetPrecondition()))
			}
			fmt.Fprintf(w, "%s%s\n", action.GetCause().GetMessage(), detail(style, action))
			lead = "  "
		}
	}
	_ = w.Flush() // a strings.Builder cannot fail
}

// Operation returns what an action does, in words: "create pod".
func Operation(action *setplanv1.Action) string {
	return strings.ReplaceAll(adapters.OperationName(action), "_", " ")
}

// Word returns the name of an enum's value in words: "scale down" for STAGE_PHASE_SCALE_DOWN.
func Word(value, prefix string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(value, prefix), "_", " "))
}

func precondition(p *setplanv1.Precondition) string {
	var parts []string
	if p.GetMustNotExist() {
		parts = append(parts, "must not exist")
	}
	if p.GetUid() != "" {
		parts = append(parts, "uid "+p.GetUid())
	}
	if p.GetResourceVersion() != "" {
		parts = append(parts, "version "+p.GetResourceVersion())
	}
	return cmp.Or(strings.Join(parts, ", "), "-")
}

func blockText(b *strings.Builder, style Style, block *setplanv1.Block, now time.Time) {
	subject := block.GetSubject()
	fmt.Fprintf(b, "  %s %s/%s %s: %s", style.Severity(block.GetSeverity()), subject.GetKind(), subject.GetName(),
		Code(block), block.GetMessage())
	if since := block.GetSince(); since != nil && !since.AsTime().After(now) {
		fmt.Fprintf(b, " %s.", Since(since.AsTime(), now, style.Wide))
	}
	if until := block.GetNotBefore(); until != nil {
		fmt.Fprintf(b, " Not before %s.", until.AsTime().UTC().Format(time.RFC3339))
	}
	b.WriteByte('\n')
	if block.GetRemedy() != "" {
		fmt.Fprintf(b, "    %s\n", style.Paint(Faint, shell.Lead(block.GetRemedy(), style.Flags)))
	}
}

// Code returns the code of a block without its prefix.
func Code(block *setplanv1.Block) string {
	return strings.TrimPrefix(block.GetCode().String(), "BLOCK_CODE_")
}

// Ago says how long ago something was: "5m ago". What is to come, by another clock, was just now.
func Ago(at, now time.Time) string {
	if now.Sub(at) < time.Second { // by another clock it may be to come
		return "just now"
	}
	return duration.HumanDuration(now.Sub(at)) + " ago"
}

// Since says how long something has held: "For 5m", or the exact time.
func Since(since, now time.Time, exact bool) string {
	if exact {
		return "Since " + since.UTC().Format(time.RFC3339)
	}
	if now.Sub(since) < time.Second {
		return "For less than a second"
	}
	return "For " + duration.HumanDuration(now.Sub(since))
}
