package compare

import (
	"maps"
	"slices"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// wish is what the planner wants to do, again and again until somebody does it.
type wish struct {
	since time.Time // zero: it is not known how long
	last  time.Time // it was in the plan
	told  int       // its place among the differences, from 1; 0 is none
}

// wish notes what the planner wants now, and tells what nobody has done in time.
func (s *Set) wish(at time.Time, plan *setplanv1.Plan) {
	wanted, status := wishes(plan)
	for _, k := range slices.SortedFunc(maps.Keys(wanted), inOrder) {
		w := s.wants[k]
		if w == nil {
			w = &wish{}
			s.wants[k] = w
		}
		if w.since.IsZero() {
			w.since = at
		}
		w.last = at
		if w.told == 0 && at.Sub(w.since) >= s.grace {
			s.report.Ours = append(s.report.Ours, Difference{At: w.since.UTC(), Operation: k.operation, Object: k.object(), To: k.to(), Why: wanted[k].GetCause().GetMessage()})
			w.told = len(s.report.Ours)
		}
	}
	for k, w := range s.wants {
		if wanted[k] == nil {
			s.ended(w, at, NotWanted)
			if w.since = (time.Time{}); at.Sub(w.last) > s.grace {
				delete(s.wants, k)
			}
		}
	}
	s.wishStatus(at, status)
}

// done ends a wish that has come true.
func (s *Set) done(k key) {
	if w := s.wants[k]; w != nil {
		s.ended(w, s.last.GetObservedAt().AsTime(), DoneLater)
		delete(s.wants, k)
	}
}

func (s *Set) ended(w *wish, at time.Time, end string) {
	if w.told > 0 {
		d := &s.report.Ours[w.told-1]
		d.Until, d.End, w.told = new(at.UTC()), end, 0
	}
}

func (s *Set) wishStatus(at time.Time, wanted bool) {
	switch {
	case !wanted:
		s.statusSince, s.statusTold = time.Time{}, false
	case s.statusSince.IsZero():
		s.statusSince = at
	case !s.statusTold && at.Sub(s.statusSince) >= s.grace:
		s.report.Status++
		s.statusTold = true
	}
}
