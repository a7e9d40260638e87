package upgrade

import (
	"fmt"
	"io"
	"strings"

	"github.com/setplan/setplan/clients/cli/printable"
)

// Planner is where a planner is, and its release.
type Planner struct {
	Address string `json:"address"`
	Version string `json:"version"`
}

func (p Planner) String() string {
	return printable.Line(p.Version) + " (" + printable.Line(p.Address) + ")"
}

// Report is what a comparison of many sets comes to. Text is written as it comes, and nothing of it is kept; for a program, the sets that
// differ are.
type Report struct {
	Old         Planner  `json:"old"`
	New         Planner  `json:"new"`
	Sets        int      `json:"sets"`      // how many were compared
	Disrupted   int      `json:"disrupted"` // in how many the new planner deletes or restarts more
	Differ      []Set    `json:"differ"`
	NotCompared []Failed `json:"notCompared"`

	differ, failed int

	// Out takes the text, and Quiet says that none is wanted. Most is how many differences of a set are told.
	Out   io.Writer `json:"-"`
	Quiet bool      `json:"-"`
	Most  int       `json:"-"`
}

// Set is a set, or an entry of a recording, that the planners see differently.
type Set struct {
	Set         string   `json:"set"`
	Disrupts    bool     `json:"disrupts"`
	Differences []string `json:"differences"`
	More        int      `json:"more,omitempty"` // that are not told
}

// Failed is a set that a planner refuses.
type Failed struct {
	Set   string `json:"set"`
	Error string `json:"error"`
}

// Compared takes what came of a set; nil is no difference.
func (r *Report) Compared(name string, d *Difference) error {
	r.Sets++
	if d == nil {
		return nil
	}
	set := Set{Set: name, Disrupts: d.Disrupts, Differences: d.Words}
	if len(d.Words) > r.Most {
		set.Differences, set.More = d.Words[:r.Most], len(d.Words)-r.Most
	}
	verdict := "differs"
	if d.Disrupts {
		r.Disrupted++
		verdict = "DISRUPTS what the old planner leaves alone"
	}
	r.differ++
	if r.Quiet {
		r.Differ = append(r.Differ, set)
		return nil
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s: %s\n", name, verdict)
	for _, words := range set.Differences {
		fmt.Fprintf(b, "  %s\n", words)
	}
	if set.More > 0 {
		fmt.Fprintf(b, "  and %d more\n", set.More)
	}
	_, err := io.WriteString(r.Out, b.String())
	return err
}

// Failed takes why a set could not be compared.
func (r *Report) Failed(name string, why error) error {
	r.failed++
	if r.Quiet {
		r.NotCompared = append(r.NotCompared, Failed{name, why.Error()})
		return nil
	}
	_, err := fmt.Fprintf(r.Out, "%s: NOT COMPARED: %s\n", name, printable.Line(why.Error()))
	return err
}

// Whole reports whether every set could be compared.
func (r *Report) Whole() bool { return r.failed == 0 }

// End writes the sum.
func (r *Report) End() error {
	_, err := fmt.Fprintf(r.Out, "%s in place of %s: %d compared, %d with more disruptions, %d different otherwise, %d not compared\n",
		r.New, r.Old, r.Sets, r.Disrupted, r.differ-r.Disrupted, r.failed)
	return err
}
