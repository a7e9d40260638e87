package why

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/setplan/setplan/clients/cli/printable"
	"github.com/setplan/setplan/clients/cli/show"
)

// Text writes a report for people.
func Text(out io.Writer, style show.Style, report *Report) error {
	report = report.printable()
	b := &strings.Builder{}
	var waits, onPurpose []*Reason
	for _, r := range report.Reasons {
		if r.Severity == Info {
			onPurpose = append(onPurpose, r)
		} else {
			waits = append(waits, r)
		}
	}
	switch {
	case len(waits) > 0:
		fmt.Fprintf(b, "%s waits (%s):\n", style.Paint(show.Bold, report.Set), show.Count(len(waits), "reason"))
	case report.Converged:
		fmt.Fprintf(b, "%s is %s.\n", style.Paint(show.Bold, report.Set), style.Paint(show.Green, "in the desired state"))
	case len(onPurpose) > 0 && len(report.Next) == 0:
		fmt.Fprintf(b, "%s is not in the desired state, and nothing is planned.\n", style.Paint(show.Bold, report.Set))
	default:
		fmt.Fprintf(b, "%s waits for nothing.\n", style.Paint(show.Bold, report.Set))
	}
	more := 0
	if style.Most > 0 && len(waits) > style.Most {
		waits, more = waits[:style.Most], len(waits)-style.Most
	}
	for i, r := range waits {
		reasonText(b, style, fmt.Sprintf("%d. ", i+1), r, report.At)
	}
	if more > 0 {
		fmt.Fprintf(b, "... and %s; -o json has them all\n", show.Count(more, "more reason"))
	}
	if len(onPurpose) > 0 {
		fmt.Fprintln(b, "Held back on purpose:")
	}
	for _, r := range onPurpose {
		reasonText(b, style, "- ", r, report.At)
	}
	nextText(b, report)
	_, err := io.WriteString(out, b.String())
	return err
}

func reasonText(b *strings.Builder, style show.Style, lead string, r *Reason, now time.Time) {
	indent := strings.Repeat(" ", len(lead))
	color := map[string]string{Attention: show.Red, Wait: show.Yellow, Info: show.Faint}[r.Severity]
	fmt.Fprintf(b, "%s%s %s: %s\n", lead, style.Paint(color, r.Subject), r.Code, r.Message)
	line := func(title, text string) { fmt.Fprintf(b, "%s%s %s\n", indent, style.Paint(show.Faint, title), text) }
	if r.Since != nil {
		line("since:", strings.TrimPrefix(strings.TrimPrefix(show.Since(*r.Since, now, style.Wide), "For "), "Since "))
	}
	if r.NotBefore != nil {
		line("until:", fmt.Sprintf("%s, in %s", r.NotBefore.UTC().Format(time.RFC3339), max(0, r.NotBefore.Sub(now)).Round(time.Second)))
	}
	for _, evidence := range r.Evidence {
		line("seen: ", strings.TrimSpace(evidence))
	}
	if r.Cause != "" {
		line("cause:", r.Cause)
	}
	if len(r.Waiting) > 0 {
		line("holds:", few(r.Waiting))
	}
	if r.Remedy != "" {
		line("help: ", r.Remedy)
	}
	for _, command := range r.Commands {
		line("      ", command)
	}
}

// nextText says what the plan does, so that an idle adapter can be told from a waiting one: the reasons may be about other pods.
func nextText(b *strings.Builder, report *Report) {
	for _, update := range report.Updates {
		fmt.Fprintln(b, "Update "+update)
	}
	if len(report.Next) == 0 {
		return
	}
	fmt.Fprintf(b, "Next: %s.\n", few(report.Next))
	if !slices.ContainsFunc(report.Reasons, func(r *Reason) bool { return explainsIdleness(r.Code) }) {
		fmt.Fprintln(b, "If that does not happen, no adapter acts on the set: check that one runs with --own "+report.own+".")
	}
}

// few returns a list in words, cut to a line.
func few(list []string) string {
	if limit := 5; len(list) > limit {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:limit], ", "), len(list)-limit)
	}
	return strings.Join(list, ", ")
}

// printable returns the report with each text on one line, without characters that a terminal would act on.
func (r *Report) printable() *Report {
	line := printable.Line
	lines := func(list []string) []string {
		safe := make([]string, len(list))
		for i, text := range list {
			safe[i] = line(text)
		}
		return safe
	}
	safe := *r
	safe.Set, safe.Next, safe.Updates, safe.Reasons = line(r.Set), lines(r.Next), lines(r.Updates), nil
	for _, reason := range r.Reasons {
		s := *reason
		s.Code, s.Severity, s.Subject, s.Message = line(s.Code), line(s.Severity), line(s.Subject), line(s.Message)
		s.Cause, s.Remedy = line(s.Cause), line(s.Remedy)
		s.Evidence, s.Commands, s.Waiting = lines(s.Evidence), lines(s.Commands), lines(s.Waiting)
		safe.Reasons = append(safe.Reasons, &s)
	}
	return &safe
}
