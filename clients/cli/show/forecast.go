package show

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/setplan/setplan/clients/cli/printable"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What a forecast is worth for a program; 0 is that nothing restarts.
const (
	ForecastRestarts = 2 // pods restart, or containers of pods that stay
	ForecastNoEnd    = 3 // the rollout does not end
	ForecastLoses    = 4 // claims are deleted that nobody has drained
)

// ForecastCode returns the worst of these, or 0.
func ForecastCode(r *setplanv1.ForecastResult) int {
	switch {
	case slices.ContainsFunc(r.GetClaimsDeleted(), lost):
		return ForecastLoses
	case r.GetVerdict() != setplanv1.ForecastVerdict_FORECAST_VERDICT_CONVERGED:
		return ForecastNoEnd
	case len(r.GetRestarts())+len(r.GetContainerRestarts()) > 0:
		return ForecastRestarts
	}
	return 0
}

// ForecastWord says what a code means.
func ForecastWord(code int) string {
	return map[int]string{ForecastRestarts: "pods or containers would restart", ForecastNoEnd: "the rollout would not end", ForecastLoses: "data would be deleted"}[code]
}

// lost reports whether a claim is deleted before its data was drained.
func lost(claim *setplanv1.ForecastChange) bool {
	return claim.GetCause().GetCode() != setplanv1.CauseCode_CAUSE_CODE_DRAINED
}

// Forecast writes what a rollout comes to. Wide adds the steps.
func Forecast(out io.Writer, style Style, name string, steps []*setplanv1.ForecastStep, result *setplanv1.ForecastResult) error {
	result = printable.Message(result)
	f := &forecastText{Builder: &strings.Builder{}, style: style, begins: result.GetBeginsAt().AsTime()}
	fmt.Fprintln(f, style.Paint(Bold, printable.Line(name))+": "+f.summary(result))
	if limit := result.GetLimit(); limit != "" {
		fmt.Fprintln(f, "  "+limit)
	}
	if style.Wide {
		f.steps(steps)
	}
	f.restarts(result.GetRestarts())
	f.changes("container restarts, in this order", "pod", result.GetContainerRestarts())
	f.changes("updated in place", "pod", result.GetUpdated())
	f.changes("added", "pod", result.GetAdded())
	f.changes("removed", "pod", result.GetRemoved())
	f.changes("drain pods", "pod", result.GetDrainPods())
	f.changes("claims created", "claim", result.GetClaimsMade())
	f.changes("claims changed", "claim", result.GetClaimsChanged())
	f.changes("claims deleted", "claim", result.GetClaimsDeleted())
	f.losses(result.GetIrreversible())
	if blocks := result.GetBlocks(); len(blocks) > 0 {
		fmt.Fprintln(f, style.Paint(Bold, "held back at the end"))
		blocks, more := cut(style, blocks)
		for _, block := range blocks {
			blockText(f.Builder, style, block, result.GetEndsAt().AsTime())
		}
		moreText(f.Builder, more, "block")
	}
	f.assumptions(result.GetAssumptions())
	_, err := io.WriteString(out, f.String())
	return err
}

type forecastText struct {
	*strings.Builder
	style  Style
	begins time.Time
}

func (f *forecastText) summary(r *setplanv1.ForecastResult) string {
	var parts []string
	if n := len(r.GetRestarts()); n > 0 {
		parts = append(parts, verb(n, "pod", "restarts", "restart"))
	}
	if n := len(r.GetContainerRestarts()); n > 0 {
		parts = append(parts, "containers of "+verb(n, "pod", "restart", "restart"))
	}
	if len(parts) == 0 {
		parts = append(parts, "no pod restarts")
	}
	if n := r.GetPeakUnavailable(); n > 0 {
		parts = append(parts, fmt.Sprintf("at most %d unavailable at once", n))
	}
	if worst := r.GetWorstCase(); worst != nil {
		bound := "in any order"
		if !worst.GetComplete() {
			bound = "in the orders that were tried"
		}
		parts = append(parts, fmt.Sprintf("%d at worst, %s", worst.GetPeakUnavailable(), bound))
	}
	after := " at once"
	if took := wholeSeconds(r.GetEndsAt().AsTime().Sub(f.begins)); took > 0 {
		after = " after " + took.String()
	}
	switch r.GetVerdict() {
	case setplanv1.ForecastVerdict_FORECAST_VERDICT_CONVERGED:
		end := "ends in the desired state"
		if r.GetSetGone() {
			end = "ends when the set is gone"
		}
		parts = append(parts, f.style.Paint(Green, end)+after)
	case setplanv1.ForecastVerdict_FORECAST_VERDICT_BLOCKED_FOR_EVER:
		parts = append(parts, f.style.Paint(Red, "gets stuck")+after)
	default:
		parts = append(parts, f.style.Paint(Yellow, "does not end")+" within "+Count(int(r.GetSteps()), "step"))
	}
	return strings.Join(parts, ", ")
}

func verb(n int, what, one, many string) string {
	if n == 1 {
		return "1 " + what + " " + one
	}
	return fmt.Sprintf("%d %ss %s", n, what, many)
}

// after is a time of the forecast since its beginning.
func (f *forecastText) after(at interface{ AsTime() time.Time }) string {
	return "+" + at.AsTime().Sub(f.begins).Round(time.Second).String()
}

func (f *forecastText) table(title string, rows func(w io.Writer)) {
	fmt.Fprintln(f, f.style.Paint(Bold, title))
	w := tabwriter.NewWriter(f, 0, 0, 2, ' ', 0)
	rows(w)
	_ = w.Flush() // a strings.Builder cannot fail
}

func (f *forecastText) restarts(all []*setplanv1.ForecastRestart) {
	if len(all) == 0 {
		return
	}
	shown, more := cut(f.style, all)
	f.table("restarts, in this order", func(w io.Writer) {
		for _, r := range shown {
			to := r.GetToRevision()
			if to == "" {
				to = "never"
			}
			fmt.Fprintf(w, "  %s\t%s\t%s -> %s\t%s\n", f.after(r.GetDeletedAt()), r.GetPod(), none(r.GetFromRevision()), to, r.GetCause().GetMessage())
		}
	})
	moreText(f.Builder, more, "restart")
}

func none(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func (f *forecastText) changes(title, what string, all []*setplanv1.ForecastChange) {
	if len(all) == 0 {
		return
	}
	shown, more := cut(f.style, all)
	f.table(title, func(w io.Writer) {
		for _, c := range shown {
			why := c.GetCause().GetMessage()
			if why == "" {
				why = "The garbage collector deletes it with its owner."
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", f.after(c.GetAt()), c.GetName(), c.GetRevision(), why)
		}
	})
	moreText(f.Builder, more, what)
}

func (f *forecastText) losses(all []*setplanv1.ForecastLoss) {
	if len(all) == 0 {
		return
	}
	shown, more := cut(f.style, all)
	f.table(f.style.Paint(Red, "cannot be undone"), func(w io.Writer) {
		for _, l := range shown {
			fmt.Fprintf(w, "  %s\t%s %s\t%s\n", f.after(l.GetAt()), l.GetSubject().GetKind(), l.GetSubject().GetName(), l.GetMessage())
		}
	})
	moreText(f.Builder, more, "loss")
}

func (f *forecastText) steps(all []*setplanv1.ForecastStep) {
	if len(all) == 0 {
		return
	}
	f.table("steps", func(w io.Writer) {
		for _, step := range all {
			step = printable.Message(step)
			for _, e := range step.GetEvents() {
				fmt.Fprintf(w, "  %s\t%s\t%s\n", f.after(e.GetAt()), Word(e.GetKind().String(), "FORECAST_EVENT_KIND_"), e.GetSubject().GetName())
			}
			for _, a := range step.GetActions() {
				fmt.Fprintf(w, "  %s\t- %s\t%s\n", f.after(step.GetAt()), strings.ReplaceAll(a.GetOperation(), "_", " "), a.GetTarget().GetName())
			}
		}
	})
}

func (f *forecastText) assumptions(all []string) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(f, f.style.Paint(Bold, "assumed"))
	for _, sentence := range all {
		fmt.Fprintln(f, "  "+sentence)
	}
}
