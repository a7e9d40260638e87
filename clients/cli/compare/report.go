package compare

import (
	"cmp"
	"slices"
	"time"
)

// Report is what was compared, and what came of it.
type Report struct {
	Planner string      `json:"planner"` // embedded, or the address
	Version string      `json:"version"`
	From    time.Time   `json:"from"`
	To      time.Time   `json:"to"`
	Grace   string      `json:"grace"`
	Sets    []SetReport `json:"sets"`
}

// SetReport is what both controllers did, and would have done, with one set.
type SetReport struct {
	Set       string         `json:"set"`
	Seen      bool           `json:"seen"`            // the planner was asked about it
	Error     string         `json:"error,omitempty"` // why it could not be compared at the end
	Differs   bool           `json:"differs"`
	Both      map[string]int `json:"both"`      // how often each operation was done as ours wanted it
	Theirs    []Difference   `json:"theirs"`    // done, and not wanted by ours
	Ours      []Difference   `json:"ours"`      // wanted by ours, and not done in time
	Others    []Difference   `json:"others"`    // done by somebody else than the other controller; no difference
	Status    int            `json:"status"`    // how often ours would have written a status that was not written; no difference
	Undecided int            `json:"undecided"` // what was done so late that the time to compare it was over
}

// Difference is what one did and the other did not.
type Difference struct {
	At        time.Time `json:"at"`           // it was done, or was first wanted
	Operation string    `json:"operation"`    // as the contract spells it, such as delete_pod
	Object    string    `json:"object"`       // such as "pod web-1"
	To        string    `json:"to,omitempty"` // what a claim asks for, or a container gets, such as "storage 2Gi"
	By        string    `json:"by,omitempty"`
	Why       string    `json:"why,omitempty"` // of ours: the cause of the action, or what it waits for

	Until *time.Time `json:"until,omitempty"` // of ours: when it was no longer wanted
	End   string     `json:"end,omitempty"`
}

// How something that ours wanted has ended.
const (
	DoneLater = "done"
	NotWanted = "no longer wanted"
)

// Differ counts the sets with differences.
func (r *Report) Differ() (sets int) {
	for i := range r.Sets {
		if r.Sets[i].Differs {
			sets++
		}
	}
	return sets
}

// Compared counts the sets that were compared to the end.
func (r *Report) Compared() (sets int) {
	for i := range r.Sets {
		if r.Sets[i].compared() {
			sets++
		}
	}
	return sets
}

func (s *SetReport) compared() bool { return s.Seen && s.Error == "" }

// deletions reports whether it is told that somebody has deleted a pod.
func (r *Report) deletions() bool {
	deleted := func(d Difference) bool { return d.Operation == deletePod }
	return slices.ContainsFunc(r.Sets, func(s SetReport) bool { return slices.ContainsFunc(s.Theirs, deleted) || len(s.Others) > 0 })
}

func byTime(a, b Difference) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Object, b.Object))
}
