package adapters

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// maxOutcomeMessage keeps a long API answer from making every snapshot long.
const maxOutcomeMessage = 512

// maxOutcomes is how many failures a snapshot may have by the limits of the contract. What is left out counts as not tried yet.
const maxOutcomes = 10_000

// budgetMemory is for how long a disruption budget's refusal is reported although no plan has the action: a planner that waits before it
// asks again leaves the action out.
const budgetMemory = 5 * time.Minute

// outcomes remembers which actions of a set failed, so that a planner without memory can see that it repeats itself.
type outcomes struct {
	clock Clock

	mu     sync.Mutex
	failed map[Key]map[string]*setplanv1.Outcome
}

func newOutcomes(clock Clock) *outcomes {
	return &outcomes{clock: clock, failed: map[Key]map[string]*setplanv1.Outcome{}}
}

// record notes how an action ended. A success wipes what was known about it.
func (o *outcomes) record(key Key, actionID string, result Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	byID := o.failed[key]
	if result.Err == nil {
		delete(byID, actionID)
		return
	}
	if byID == nil {
		byID = map[string]*setplanv1.Outcome{}
		o.failed[key] = byID
	}
	var before int32
	if last := byID[actionID]; last != nil {
		before = last.Count
	} else if len(byID) == maxOutcomes {
		return // plans that are cut short leave all of them
	}
	byID[actionID] = &setplanv1.Outcome{
		ActionId: actionID,
		Result:   result.Outcome,
		Count:    before + 1,
		Message:  shorten(result.Err.Error()),
		TriedAt:  timestamppb.New(o.clock()),
	}
}

// prune drops failures of actions that nobody wants any more. A truncated plan says nothing about what it left out.
func (o *outcomes) prune(key Key, plan *setplanv1.Plan) {
	if plan.GetTruncated() {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	byID := o.failed[key]
	if len(byID) == 0 {
		delete(o.failed, key)
		return
	}
	wanted := map[string]bool{}
	for action := range actionsOf(plan) {
		wanted[action.GetId()] = true
	}
	for id, outcome := range byID {
		if !wanted[id] && !o.awaitsBudget(outcome) {
			delete(byID, id)
		}
	}
}

func (o *outcomes) awaitsBudget(outcome *setplanv1.Outcome) bool {
	return outcome.GetResult() == setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET && o.clock().Sub(outcome.GetTriedAt().AsTime()) < budgetMemory
}

// report lists the failures, sorted by id: the same memory gives the same snapshot.
func (o *outcomes) report(key Key) []*setplanv1.Outcome {
	o.mu.Lock()
	defer o.mu.Unlock()
	var list []*setplanv1.Outcome
	for _, outcome := range o.failed[key] {
		list = append(list, outcome)
	}
	slices.SortFunc(list, func(a, b *setplanv1.Outcome) int { return cmp.Compare(a.ActionId, b.ActionId) })
	return list[:min(len(list), maxOutcomes)]
}

func (o *outcomes) forget(key Key) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.failed, key)
}

// shorten cuts a message at the limit without leaving half a character, which proto3 strings cannot hold.
func shorten(message string) string {
	if len(message) > maxOutcomeMessage {
		message = message[:maxOutcomeMessage]
	}
	return strings.ToValidUTF8(message, "")
}
