package forecast

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// outcome is what a rollout comes to, as text, so that two of them can be compared and shown. One is made of a forecast, and one of what has
// happened.
type outcome struct {
	writes       []write
	restarts     []string // of pods that are made again: name, revisions, by the time of the deletion
	made         []string // pods that are made and were not deleted before
	left         []string // pods that are deleted and not made again
	drainPods    []string
	claimsMade   []string
	claimsGone   []string
	irreversible []string
	peak         int
	verdict      string
	blocks       []string // of the last plan

	containerRestarts []string // pods whose images change in place
}

// write is one pod or claim that is made or deleted, a pod that is updated in place or whose images change, or a revision that is deleted.
type write struct {
	at        time.Duration // since the forecast
	collected bool          // by the garbage collector, in an order of its own
	text      string
}

// lines is the outcome in a form in which two that are equal have equal lines.
func (o *outcome) lines() (lines []string) {
	writes := slices.Clone(o.writes)
	slices.SortStableFunc(writes, func(a, b write) int {
		switch {
		case a.at != b.at:
			return int(a.at - b.at)
		case !a.collected && !b.collected:
			return 0
		case a.collected && b.collected:
			return strings.Compare(a.text, b.text)
		case b.collected:
			return -1
		}
		return 1
	})
	for _, w := range writes {
		line := fmt.Sprintf("%6s %s", w.at, w.text)
		if w.collected {
			line += " (collected)"
		}
		lines = append(lines, line)
	}
	sorted := func(name string, list []string) {
		list = slices.Clone(list)
		slices.Sort(list)
		lines = append(lines, name+": "+strings.Join(list, ", "))
	}
	lines = append(lines, "restarts: "+strings.Join(o.restarts, ", "))
	lines = append(lines, "made: "+strings.Join(o.made, ", "))
	sorted("left", o.left)
	lines = append(lines, "container restarts: "+strings.Join(o.containerRestarts, ", "))
	lines = append(lines, "drain pods: "+strings.Join(o.drainPods, ", "))
	sorted("claims made", o.claimsMade)
	sorted("claims gone", o.claimsGone)
	sorted("irreversible", o.irreversible)
	return append(lines, fmt.Sprintf("peak unavailable: %d", o.peak), "verdict: "+o.verdict, "blocks: "+strings.Join(o.blocks, ", "))
}

// restarts pairs the pods that are deleted with those that are made under the same name afterwards.
type restarts struct {
	outcome *outcome
	open    map[string]int // place in the list, by name
	list    []restart
}

type restart struct {
	pod, from, to string
	again         bool
}

func (r *restarts) deleted(pod, from string) {
	if r.open == nil {
		r.open = map[string]int{}
	}
	r.open[pod] = len(r.list)
	r.list = append(r.list, restart{pod: pod, from: from})
}

func (r *restarts) made(pod, to string) {
	if i, open := r.open[pod]; open {
		r.list[i].to, r.list[i].again = to, true
		delete(r.open, pod)
		return
	}
	r.outcome.made = append(r.outcome.made, pod+"@"+to)
}

// end writes the lists.
func (r *restarts) end() {
	for _, one := range r.list {
		if one.again {
			r.outcome.restarts = append(r.outcome.restarts, one.pod+" "+one.from+"->"+one.to)
		} else {
			r.outcome.left = append(r.outcome.left, one.pod+"@"+one.from)
		}
	}
}
