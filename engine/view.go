package engine

import (
	"math"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
)

// view is all that a pass knows.
type view struct {
	claims.Claims
	oddNames  int                // members without a canonical name; none under CanonicalOrdinalsOnly
	anyChosen bool               // a replica has the annotation by which somebody wants it recreated
	taken     map[int]*model.Pod // by slot: strangers with that name
	repairs   repairPolicy
	noPods    bool // the API server would refuse every pod; see readLimits
	longNames bool // it would refuse those of the highest ordinals
	remembered
}

// remembered is what was computed from the rest, on first use.
type remembered struct {
	onWay     []*model.Pod // see podsOnTheWay
	onWayRead bool
}

// open fills in what the snapshot says by itself. It fills a view in place, because a view is large.
func (v *view) open(s *model.Snapshot, c *plan.Caller) {
	v.Begin(s, c)
	v.ScaleUpLimit = math.MaxInt
}
