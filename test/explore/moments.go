package explore

import (
	"slices"
	"time"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/invariants/law"
)

// A pod that is not ready may be so again in a moment, or has not been for long: the time that passes in between is an event. Where a majority has to
// run, a pod that another one misses is not ready because of that, and is in a moment.

// MomentConfigs are sets of which a majority has to run, which only Parallel ones can be started with, also by ranks, within a larger budget, and with other images in place;
// and the repair of pods that were ready.
func MomentConfigs(bounds Bounds) []Config {
	configs := []Config{
		{Parallel: true, MaxUnavailable: 1, Quorum: true},
		{Parallel: true, MaxUnavailable: 2, Quorum: true, Repair: model.RepairUnready},
		{Parallel: true, MaxUnavailable: 1, Quorum: true, Ranked: true},
		{Parallel: true, MaxUnavailable: 1, InPlace: "InPlaceIfPossible", Inside: ofImages},
		{MaxUnavailable: 1, Repair: model.RepairUnready},
	}
	for i := range configs {
		config := &configs[i]
		config.Moments, config.HistoryLimit, config.Bounds, config.Decide = true, 10, bounds, engine.Decide
	}
	return configs
}

// blinks is how long a pod has not been ready, or has been there, of which nothing is shown yet. It is old enough for a repair.
const blinks = 15 * time.Second

// date gives a pod the times of one that lasts, or not.
func (s *scribe) date(to *model.Pod, p pod) {
	if !s.config.Moments || p.lasts {
		return
	}
	switch p.phase {
	case pending:
		to.CreatedAt = noon.Add(-blinks)
	case running:
		to.CreatedAt = noon.Add(-blinks)
		to.StartedAt, to.ReadyChangedAt = to.CreatedAt, to.CreatedAt
	case recovering:
		to.ReadyChangedAt = noon.Add(-blinks)
	}
}

// showMoment shows the invariants what may be otherwise in a moment.
func (v *viewer) showMoment(to *law.Pod, p pod) {
	blinks := v.config.Moments && !p.lasts && !to.Ready
	to.Lately = blinks && p.phase == recovering
	to.Starting = blinks && (p.phase == pending || p.phase == running) || v.config.Inside == ofImages && p.inside.to != 0
}

// runs reports whether the process of a pod is there, ready or not.
func (c *cluster) runs(i int) bool {
	p := c.pods[i]
	return c.inRange(i) && p.replica() && p.mounts() && p.mode == staying && c.image(p) != badRevision
}

// hasQuorum reports whether a majority of the members runs.
func (c *cluster) hasQuorum() bool {
	n := 0
	for i := range c.pods {
		n += bit(c.runs(i))
	}
	return n > int(c.replicas)/2
}

// momentSteps: time passes for everybody, and readiness follows from the others.
func (w *world) momentSteps(c *cluster) {
	if !w.config.Moments {
		return
	}
	awaited := func(p pod) bool {
		return p.replica() && p.mode == staying && !p.lasts && (p.phase == pending || p.phase == running || p.phase == recovering)
	}
	if slices.ContainsFunc(c.pods[:], awaited) {
		e := event{name: "time passes", ordinal: -1, cost: benign, after: *c}
		for i := range e.after.pods {
			if p := &e.after.pods[i]; awaited(*p) {
				p.lasts = true
			}
		}
		w.add(c, e)
	}
	for i, p := range c.pods {
		if w.config.Quorum && p.replica() && p.phase == ready && p.mode == staying && !c.hasQuorum() {
			e := event{name: "unready, for want of others: pod", ordinal: i, cost: benign, after: *c, changed: podKept(i)}
			e.after.pods[i] = p.in(recovering, p.mode)
			w.add(c, e)
		}
	}
}
