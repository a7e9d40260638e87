package kube

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// reported is what people were already told about a set, so that an event appears when something changes and not in each
// pass.
type reported struct {
	blocks map[string]bool // with their messages
	held   string          // reason of the current hold
	lie    string          // what was refused last, until the set has converged
}

// The reasons of events about sets that the adapter leaves alone.
const (
	EventForeignWriter      = "ForeignWriter"
	EventPlannerUnreachable = "PlannerUnreachable"
	EventPlannerRefused     = "PlannerRefused"
	EventPlanRefused        = "PlanRefused"
)

// EventPlansChecked is the reason of an event on the adapter's lease: the planner is another build, so that plans are not made again.
const EventPlansChecked = "PlansChecked"

// heldEvents are the holds that people should know about, with the reasons of their events. Other holds end by themselves.
var heldEvents = map[string]string{
	adapters.ReasonForeignWriter:      EventForeignWriter,
	adapters.ReasonPlannerUnreachable: EventPlannerUnreachable,
	adapters.ReasonPlannerRefused:     EventPlannerRefused,
	adapters.ReasonReplan:             EventPlanRefused,
}

// Planned implements adapters.Observer: it reports new blocks that need somebody to act.
func (e *Events) Planned(key adapters.Key, snapshot *setplanv1.Snapshot, plan *setplanv1.Plan) {
	blocks := map[string]bool{}
	var changed []*setplanv1.Block
	e.mu.Lock()
	before := e.reported[key].blocks
	for _, block := range plan.GetBlocks() {
		if block.GetSeverity() != setplanv1.Severity_SEVERITY_ATTENTION {
			continue
		}
		if len(blocks) == mostBlocks {
			break // the rest is reported when some of these are resolved
		}
		// One object may have several blocks of a code, each with a message of its own.
		id := block.GetCode().String() + " " + brief(block.GetSubject().GetKind()+"/"+block.GetSubject().GetName()) + ": " + brief(messageOf(block))
		if !before[id] && !blocks[id] {
			changed = append(changed, block)
		}
		blocks[id] = true
	}
	lie := e.reported[key].lie
	if plan.GetConverged() {
		lie = ""
	}
	if len(blocks) == 0 && lie == "" {
		delete(e.reported, key)
	} else {
		e.reported[key] = reported{blocks: blocks, lie: lie}
	}
	e.mu.Unlock()
	for _, block := range changed {
		e.warn(snapshot.GetSet(), eventReason(block.GetCode()), messageOf(block))
	}
}

// Held implements adapters.Observer.
func (e *Events) Held(key adapters.Key, reason string, err error) {
	if reason == adapters.ReasonVerification {
		e.refused(key, err)
		return
	}
	event, known := heldEvents[reason]
	if !known {
		return
	}
	e.mu.Lock()
	told := e.reported[key]
	again := told.held == reason
	told.held = reason
	e.reported[key] = told
	e.mu.Unlock()
	if again {
		return
	}
	if set := e.reference(key); set != nil {
		e.recorder.Event(set, corev1.EventTypeWarning, event, brief("Nothing is changed: "+err.Error()))
	}
}

// Forgotten implements adapters.Observer.
func (e *Events) Forgotten(key adapters.Key) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.reported, key)
}

func messageOf(block *setplanv1.Block) string {
	if block.GetRemedy() == "" {
		return block.GetMessage()
	}
	return block.GetMessage() + " " + block.GetRemedy()
}

// eventReason is the reason of a block's event. If the built-in controller has a reason that users and alerts know, it is that one.
func eventReason(code setplanv1.BlockCode) string {
	if code == setplanv1.BlockCode_BLOCK_CODE_CLAIM_FOREIGN_CONTROLLER {
		return "ConflictingController"
	}
	return camel(code)
}

// camel turns BLOCK_CODE_POD_NAME_TAKEN into PodNameTaken, the form of event reasons.
func camel(code setplanv1.BlockCode) string {
	var out strings.Builder
	for word := range strings.SplitSeq(strings.TrimPrefix(code.String(), "BLOCK_CODE_"), "_") {
		if word != "" {
			out.WriteString(word[:1] + strings.ToLower(word[1:]))
		}
	}
	return out.String()
}
