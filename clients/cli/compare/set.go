package compare

import (
	"context"
	"slices"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Witness answers what a snapshot does not say.
type Witness interface {
	// Plan asks the planner about a snapshot that was never seen like that.
	Plan(ctx context.Context, snapshot *setplanv1.Snapshot) (*setplanv1.Plan, error)
	// Trace is what the newest version of a pod said about its end.
	Trace(uid string) Trace
	// Deleted says who deleted a pod of the set, and when, if it was seen to be done at a time.
	Deleted(ctx context.Context, pod, uid string, seen time.Time) Deletion
}

// Set is one set, as long as it is watched.
type Set struct {
	grace time.Duration
	last  *setplanv1.Snapshot // the one before; nil at first, and while nothing is compared
	open  []*moment           // what the planner has not wanted so far, the oldest first
	wants map[key]*wish

	statusSince time.Time // the planner has wanted to write the status since then; zero: it does not
	statusTold  bool

	report SetReport
}

// moment has what was seen to be done at one time.
type moment struct {
	at     time.Time
	writes []*write
}

// NewSet is for a set by its name. Both controllers may act on the same thing as far apart as grace.
func NewSet(name string, grace time.Duration) *Set {
	return &Set{grace: grace, wants: map[key]*wish{}, report: SetReport{Set: name, Both: map[string]int{}, Theirs: []Difference{}, Ours: []Difference{}, Others: []Difference{}}}
}

// Saw takes the set as it is and what the planner says of it.
func (s *Set) Saw(ctx context.Context, now *setplanv1.Snapshot, plan *setplanv1.Plan, witness Witness) error {
	at := now.GetObservedAt().AsTime()
	if now.GetSet().GetDeletionUnixMs() != 0 || s.last.GetSet().GetUid() != now.GetSet().GetUid() {
		s.Gone()
	}
	if now.GetSet().GetDeletionUnixMs() != 0 {
		return nil
	}
	s.report.Seen = true
	if s.last != nil {
		if writes := between(s.last, now, witness.Trace); len(writes) > 0 {
			s.open = append(s.open, &moment{at, writes})
		}
	}
	s.last = now
	s.wantedBefore(at)
	if err := s.wantedInstead(ctx, now, witness); err != nil {
		return err
	}
	s.decide(ctx, at, witness)
	s.wish(at, plan)
	return nil
}

// Gone forgets a set that is deleted: its pods and claims go with it, whoever would have wanted them.
func (s *Set) Gone() {
	s.last, s.open = nil, nil
	s.Blind()
	clear(s.wants)
}

// Blind is called while nobody knows what is done: nothing that the planner wants counts as not done.
func (s *Set) Blind() {
	for _, w := range s.wants {
		w.since = time.Time{}
	}
	s.statusSince, s.statusTold = time.Time{}, false
}

// Failed notes why the set cannot be compared now; nil if it can. It reports whether that is news.
func (s *Set) Failed(why error) bool {
	before := s.report.Error
	s.report.Error = ""
	if why != nil {
		s.report.Error = why.Error()
	}
	return s.report.Error != before
}

// Restless reports whether time alone may bring something new.
func (s *Set) Restless() bool {
	for _, w := range s.wants {
		if w.told == 0 && !w.since.IsZero() {
			return true
		}
	}
	return len(s.open) > 0 || !s.statusTold && !s.statusSince.IsZero()
}

// wantedBefore drops what the planner has wanted shortly before it was done.
func (s *Set) wantedBefore(at time.Time) {
	s.agree(func(w *write) bool {
		wish := s.wants[w.key]
		return wish != nil && at.Sub(wish.last) <= s.grace
	})
}

// wantedInstead asks the planner about the set as it would be without what was done: does it want that, then? What was done before is
// there, and what was done later is not.
func (s *Set) wantedInstead(ctx context.Context, now *setplanv1.Snapshot, witness Witness) error {
	open := slices.Clone(s.open)
	for i, m := range open {
		var later []*write
		for _, l := range open[i+1:] {
			later = append(later, l.writes...)
		}
		for left := m.writes; len(left) > 0; {
			plan, err := witness.Plan(ctx, undone(now, slices.Concat(left, later)))
			if err != nil {
				return err
			}
			wanted, _ := wishes(plan)
			agreed := map[*write]bool{}
			for _, w := range left {
				if agreed[w] = wanted[w.key] != nil; !agreed[w] && w.why == "" {
					w.why = whyNot(plan, w.name)
				}
			}
			before := len(left)
			s.agree(func(w *write) bool { return agreed[w] })
			left = slices.DeleteFunc(slices.Clone(left), func(w *write) bool { return agreed[w] })
			if len(left) == before {
				left = afterDeletions(left)
			}
		}
	}
	return nil
}

// afterDeletions is what is left to ask once the deletions among some writes count as done: they make room for the rest. None is left
// if there are no deletions, or nothing else.
func afterDeletions(writes []*write) []*write {
	rest := slices.DeleteFunc(slices.Clone(writes), func(w *write) bool { return w.operation == deletePod })
	if len(rest) == len(writes) {
		return nil
	}
	return rest
}

// agree counts and drops what both want.
func (s *Set) agree(both func(*write) bool) {
	for _, m := range s.open {
		m.writes = slices.DeleteFunc(slices.Clone(m.writes), func(w *write) bool {
			if !both(w) {
				return false
			}
			s.report.Both[w.operation]++
			s.done(w.key)
			return true
		})
	}
	s.open = slices.DeleteFunc(s.open, func(m *moment) bool { return len(m.writes) == 0 })
}

// decide tells what the planner has not come to want in time.
func (s *Set) decide(ctx context.Context, at time.Time, witness Witness) {
	for len(s.open) > 0 && at.Sub(s.open[0].at) >= s.grace {
		for _, w := range s.open[0].writes {
			s.theirs(ctx, w, s.open[0].at, witness)
		}
		s.open = s.open[1:]
	}
}

func (s *Set) theirs(ctx context.Context, w *write, at time.Time, witness Witness) {
	d := Difference{At: at.UTC(), Operation: w.operation, Object: w.object(), To: w.to(), Why: w.why}
	switch {
	case w.operation == patchClaim: // users grow claims, too
		d.By = ByUnknown
	case w.operation == deletePod:
		deletion := witness.Deleted(ctx, w.name, w.uid, at)
		d.At, d.By = deletion.At.UTC(), deletion.By
		if deletion.By != ByController && deletion.By != ByUnknown {
			d.Why = ""
			s.report.Others = append(s.report.Others, d)
			return
		}
	}
	s.report.Theirs = append(s.report.Theirs, d)
}

// Report is what has come of it so far.
func (s *Set) Report() SetReport {
	report := s.report
	for _, m := range s.open {
		report.Undecided += len(m.writes)
	}
	report.Differs = len(report.Theirs)+len(report.Ours) > 0
	for _, list := range []*[]Difference{&report.Theirs, &report.Ours, &report.Others} {
		*list = slices.Clone(*list)
		slices.SortStableFunc(*list, byTime)
	}
	return report
}
