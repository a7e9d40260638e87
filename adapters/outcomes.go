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

// maxOutcomes is how many failures a snapshot may have by the limits of the contract. maxOutcomeBytes bounds what is kept for one set, and
// maxAllOutcomes for all: a planner chooses the ids. What is left out counts as not tried yet.
const (
	maxOutcomes       = 10_000
	maxOutcomeBytes   = 4 << 20
	maxAllOutcomes    = 64 << 20
	maxOutcomeMessage = 512 // a long answer must not make every snapshot long
)

// refusalMemory is for how long a refusal is reported although no plan has the action: a planner that waits before it asks again leaves it out.
const refusalMemory = 5 * time.Minute

// outcomes remembers which actions of a set failed, so that a planner without memory can see that it repeats itself.
type outcomes struct {
	clock  Clock
	mu     sync.Mutex
	failed map[Key]map[string]*setplanv1.Outcome
	bytes  map[Key]int
	all    int // of bytes
}

func newOutcomes(clock Clock) *outcomes {
	return &outcomes{clock: clock, failed: map[Key]map[string]*setplanv1.Outcome{}, bytes: map[Key]int{}}
}

// record notes how an action ended. A success wipes what was known about it.
func (o *outcomes) record(key Key, actionID string, result Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	before := o.failed[key][actionID].GetCount()
	o.drop(key, actionID)
	if result.Err == nil {
		return
	}
	outcome := &setplanv1.Outcome{
		ActionId: actionID,
		Result:   result.Outcome,
		Count:    before + 1,
		Message:  shorten(result.Err.Error()),
		TriedAt:  timestamppb.New(o.clock()),
	}
	n := sizeOf(outcome)
	if len(o.failed[key]) == maxOutcomes || o.bytes[key]+n > maxOutcomeBytes || o.all+n > maxAllOutcomes {
		return // plans that are cut short leave all of them
	}
	if o.failed[key] == nil {
		o.failed[key] = map[string]*setplanv1.Outcome{}
	}
	o.failed[key][actionID] = outcome
	o.bytes[key] += n
	o.all += n
}

func sizeOf(outcome *setplanv1.Outcome) int {
	return 256 + len(outcome.GetActionId()) + len(outcome.GetMessage())
}

func (o *outcomes) drop(key Key, id string) {
	if outcome := o.failed[key][id]; outcome != nil {
		o.bytes[key] -= sizeOf(outcome)
		o.all -= sizeOf(outcome)
		if delete(o.failed[key], id); len(o.failed[key]) == 0 {
			delete(o.failed, key)
			delete(o.bytes, key)
		}
	}
}

// prune drops failures of actions that nobody wants any more. A truncated plan says nothing about what it left out.
func (o *outcomes) prune(key Key, plan *setplanv1.Plan) {
	if plan.GetTruncated() {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.failed[key]) == 0 {
		return
	}
	wanted := map[string]bool{}
	for action := range actionsOf(plan) {
		wanted[action.GetId()] = true
	}
	for id, outcome := range o.failed[key] {
		if !wanted[id] && !o.isAwaited(outcome) {
			o.drop(key, id)
		}
	}
}

func (o *outcomes) isAwaited(outcome *setplanv1.Outcome) bool {
	return outcome.GetResult() >= setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET && o.clock().Sub(outcome.GetTriedAt().AsTime()) < refusalMemory
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
	return list
}

func (o *outcomes) forget(key Key) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all -= o.bytes[key]
	delete(o.failed, key)
	delete(o.bytes, key)
}

// shorten cuts a message at the limit without leaving half a character, which proto3 strings cannot hold.
func shorten(message string) string {
	if len(message) > maxOutcomeMessage {
		message = message[:maxOutcomeMessage]
	}
	return strings.ToValidUTF8(message, "")
}
