// Package upgrade says what two planners foresee differently for one set, and whether the newer one takes away more. It judges two
// forecasts, and decides nothing.
package upgrade

import (
	"fmt"

	"github.com/setplan/setplan/clients/cli/printable"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Foreseen is what a planner foresees.
type Foreseen struct {
	Steps  []*setplanv1.ForecastStep
	Result *setplanv1.ForecastResult
}

// Difference is what the newer planner foresees otherwise.
type Difference struct {
	// Disrupts reports that it deletes pods or claims that the old one leaves or makes again, or deletes them more often, or restarts containers
	// that run on with the old one.
	Disrupts bool
	// Words say each difference: what the newer one does, and what the old one does. Their wording is no part of it: two releases may
	// say the same in other sentences.
	Words []string
}

// Between compares two forecasts of one request; nil if they are the same. Times are not compared.
func Between(old, now Foreseen) *Difference {
	old.Result, now.Result = printable.Message(old.Result), printable.Message(now.Result)
	d := &Difference{}
	d.objects(old.Result, now.Result)
	d.order(old.Result, now.Result)
	d.tell("unavailable at once", peak(old.Result), peak(now.Result))
	d.tell("end", end(old.Result), end(now.Result))
	d.blocks(old.Result.GetBlocks(), now.Result.GetBlocks())
	if len(d.Words) == 0 {
		d.steps(old.Steps, now.Steps)
	}
	if len(d.Words) == 0 {
		return nil
	}
	return d
}

// tell notes what differs.
func (d *Difference) tell(what, old, now string) {
	if old != now {
		d.Words = append(d.Words, fmt.Sprintf("%s: %s; with the old planner: %s", what, now, old))
	}
}

func peak(r *setplanv1.ForecastResult) string {
	return fmt.Sprintf("at most %d", r.GetPeakUnavailable())
}

func end(r *setplanv1.ForecastResult) string {
	switch {
	case r.GetVerdict() == setplanv1.ForecastVerdict_FORECAST_VERDICT_BLOCKED_FOR_EVER:
		return "gets stuck"
	case r.GetVerdict() != setplanv1.ForecastVerdict_FORECAST_VERDICT_CONVERGED:
		return "does not end"
	case r.GetSetGone():
		return "the set is gone"
	default:
		return "in the desired state"
	}
}

// blocks compares what is held back at the end, by code and subject.
func (d *Difference) blocks(old, now []*setplanv1.Block) {
	type key struct {
		code setplanv1.BlockCode
		name string
	}
	in := func(blocks []*setplanv1.Block) map[key]bool {
		all := map[key]bool{}
		for _, block := range blocks {
			all[key{block.GetCode(), block.GetSubject().GetName()}] = true
		}
		return all
	}
	before, after := in(old), in(now)
	for _, block := range now {
		if !before[key{block.GetCode(), block.GetSubject().GetName()}] {
			d.Words = append(d.Words, "held back at the end with the new planner only: "+block.GetSubject().GetName()+": "+block.GetMessage())
		}
	}
	for _, block := range old {
		if !after[key{block.GetCode(), block.GetSubject().GetName()}] {
			d.Words = append(d.Words, "held back at the end with the old planner only: "+block.GetSubject().GetName()+": "+block.GetMessage())
		}
	}
}
