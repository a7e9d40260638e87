package live

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/setplan/setplan/clients/cli/show"
)

// barWidth is the width of the progress bar, in characters.
const barWidth = 30

// Text returns the picture. rows is how many lines the terminal has; the rest is counted. 0 is no limit.
func (v *View) Text(style show.Style, pace *Pace, now time.Time, rows int) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s  %s\n", style.Paint(show.Bold, v.Set), v.progress(style, pace, now))
	lines := v.table(style)
	keep := len(lines)
	waits := v.Waits[:min(len(v.Waits), mostRows)]
	fixed := 4 + len(waits)
	if v.Undone > 0 {
		fmt.Fprintln(b, style.Paint(show.Yellow, "the plan has not been carried out for "+v.Undone.Round(time.Second).String()+"; run setplan why"))
		fixed++
	}
	if rows > 0 && keep > rows-fixed {
		keep = max(1, rows-fixed)
	}
	for _, line := range lines[:keep] {
		b.WriteString(line + "\n")
	}
	if more := len(lines) - keep + v.More; more > 0 {
		fmt.Fprintf(b, "... and %s\n", show.Count(more, "more pod"))
	}
	for _, block := range waits {
		fmt.Fprintf(b, "%s %s: %s\n", style.Severity(block.GetSeverity()), block.GetSubject().GetName(), block.GetMessage())
	}
	if more := len(v.Waits) - len(waits); more > 0 {
		fmt.Fprintf(b, "... and %s\n", show.Count(more, "more block"))
	}
	return b.String()
}

func (v *View) progress(style show.Style, pace *Pace, now time.Time) string {
	filled := barWidth
	if v.Total > 0 {
		filled = barWidth * v.Done / v.Total
	}
	text := fmt.Sprintf("[%s%s] %d/%d updated, %d available", style.Paint(show.Green, strings.Repeat("#", filled)),
		strings.Repeat(".", barWidth-filled), v.Done, v.Total, v.Available)
	if v.Leaving > 0 {
		text += fmt.Sprintf(", %d to go", v.Leaving)
	}
	switch left, known := pace.Left(now); {
	case v.Converged:
		return text + "  in the desired state"
	case v.Done == v.Total:
		return text
	case !known:
		return text + "  no pod done yet, so no estimate"
	case left == 0:
		return text + "  the next pod takes longer than those before"
	default:
		return text + "  about " + left.Round(time.Second).String() + " left at this pace"
	}
}

func (v *View) table(style show.Style) []string {
	b := &strings.Builder{}
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "POD\tREVISION\tAGE\tRESTARTS\tSTATE\tACTION\tIMAGE")
	for _, row := range v.Rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.Pod, row.Revision, row.Age, v.restarts(row.uid), row.State, row.Action, row.Image)
	}
	_ = w.Flush() // a strings.Builder cannot fail
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for i, row := range v.Rows {
		if row.Done {
			lines[i+1] = style.Paint(show.Faint, lines[i+1])
		}
	}
	return lines
}

// restarts returns how often the containers of a pod were restarted; empty without a pod or a count.
func (v *View) restarts(uid string) string {
	if uid == "" || v.Restarts == nil {
		return ""
	}
	return strconv.Itoa(int(v.Restarts(uid)))
}
