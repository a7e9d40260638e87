package compare

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/setplan/setplan/clients/cli/printable"
	"github.com/setplan/setplan/clients/cli/show"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// whyNot says what keeps the planner from something: what it says about the object, or else the first wait, or whatever it says.
func whyNot(plan *setplanv1.Plan, name string) string {
	blocks := plan.GetBlocks()
	if len(blocks) == 0 {
		return "The planner would not have done it."
	}
	block := blocks[0]
	if i := slices.IndexFunc(blocks, func(b *setplanv1.Block) bool { return b.GetSeverity() != setplanv1.Severity_SEVERITY_INFO }); i >= 0 {
		block = blocks[i]
	}
	if i := slices.IndexFunc(blocks, func(b *setplanv1.Block) bool { return b.GetSubject().GetName() == name }); i >= 0 {
		block = blocks[i]
	}
	return fmt.Sprintf("The planner waits: %s %s: %s", show.Code(block), block.GetSubject().GetName(), block.GetMessage())
}

// Text writes a report for people. Of each set at most so many differences of a kind are told.
func Text(out io.Writer, style show.Style, r *Report) error {
	b := &strings.Builder{}
	for i := range r.Sets {
		r.Sets[i].text(b, style)
	}
	if r.deletions() {
		b.WriteString("Events and conditions show who deleted a pod. If an event is lost, a deletion by someone else may have been the controller's.\n")
	}
	fmt.Fprintf(b, "%s (%s), watched for %s from %s, nothing before: %d compared, %d different, %d not compared\n", printable.Line(r.Version), printable.Line(r.Planner),
		r.To.Sub(r.From).Round(time.Second), r.From.Format(time.RFC3339), r.Compared(), r.Differ(), len(r.Sets)-r.Compared())
	_, err := io.WriteString(out, b.String())
	return err
}

func (s *SetReport) text(b *strings.Builder, style show.Style) {
	verdict := style.Paint(show.Green, "no difference")
	switch {
	case !s.compared():
		verdict = style.Paint(show.Yellow, "NOT COMPARED")
		if s.Error != "" {
			verdict += ": " + printable.Line(s.Error)
		}
	case s.Differs:
		verdict = style.Paint(show.Red, "DIFFERS")
	}
	fmt.Fprintf(b, "%s: %s\n", style.Paint(show.Bold, printable.Line(s.Set)), verdict)
	if len(s.Both) > 0 {
		var both []string
		for _, operation := range slices.Sorted(maps.Keys(s.Both)) {
			both = append(both, fmt.Sprintf("%s %d", strings.ReplaceAll(operation, "_", " "), s.Both[operation]))
		}
		fmt.Fprintf(b, "  both: %s\n", strings.Join(both, ", "))
	}
	list(b, style, "done, but not planned", s.Theirs, doneText)
	list(b, style, "planned, but not done in time", s.Ours, wantedText)
	list(b, style, "done by someone other than the controller", s.Others, doneText)
	if s.Status > 0 {
		fmt.Fprintf(b, "  statuses that the planner would have written differently: %d\n", s.Status)
	}
	if s.Undecided > 0 {
		fmt.Fprintf(b, "  done too late to be compared: %d\n", s.Undecided)
	}
}

func list(b *strings.Builder, style show.Style, title string, differences []Difference, text func(*Difference) string) {
	if len(differences) == 0 {
		return
	}
	fmt.Fprintf(b, "  %s\n", style.Paint(show.Bold, title))
	for i := range differences {
		if style.Most > 0 && i == style.Most {
			fmt.Fprintf(b, "    ... and %d more; -o json has them all\n", len(differences)-i)
			break
		}
		fmt.Fprintf(b, "    %s %s\n", differences[i].At.Format(time.RFC3339), printable.Line(text(&differences[i])))
	}
}

func doneText(d *Difference) string {
	what := words(d)
	if d.By != "" {
		what += " by " + d.By
	}
	if d.Why != "" {
		what += ". " + d.Why
	}
	return what
}

func wantedText(d *Difference) string {
	what := words(d)
	if d.Until != nil {
		what += fmt.Sprintf(" (%s after %s)", d.End, d.Until.Sub(d.At).Round(time.Second))
	}
	return what + ". " + d.Why
}

// words says what is done to what, such as "delete pod web-1".
func words(d *Difference) string {
	verb, _, _ := strings.Cut(d.Operation, "_")
	if d.Operation == setClaimOwners {
		verb = "set the owners of"
	}
	if d.To != "" {
		return verb + " " + d.Object + " (" + d.To + ")"
	}
	return verb + " " + d.Object
}
