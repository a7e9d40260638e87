package kube

import (
	"context"
	"log/slog"
	"strings"
	"sync"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Logs logs what the loop does: at info what was done and what changed, at debug the rest. It never logs manifests.
type Logs struct {
	log     *slog.Logger
	observe bool

	mu   sync.Mutex
	held map[adapters.Key]string
}

var _ adapters.Observer = (*Logs)(nil)

// NewLogs makes the observer. In observe mode it logs each plan that would do something as not applied.
func NewLogs(log *slog.Logger, observe bool) *Logs {
	return &Logs{log: log, observe: observe, held: map[adapters.Key]string{}}
}

// Planned implements adapters.Observer.
func (l *Logs) Planned(key adapters.Key, _ *setplanv1.Snapshot, plan *setplanv1.Plan) {
	if l.nowHeld(key, "") {
		l.log.Info("planning resumes", "set", key.String())
	}
	counts := adapters.CountOperations(plan)
	if l.observe && len(counts) > 0 {
		next, more := nextOf(plan)
		l.log.Info("planned, not applied: observe mode", "set", key.String(), "actions", counts, "next", brief(strings.Join(next, ", ")),
			"more", more, "blocks", len(plan.GetBlocks()))
		return
	}
	l.log.Debug("planned", "set", key.String(), "actions", counts, "blocks", len(plan.GetBlocks()),
		"converged", plan.GetConverged(), "requeue_after", plan.GetRequeueAfter().AsDuration())
}

// Applied implements adapters.Observer.
func (l *Logs) Applied(key adapters.Key, _ *setplanv1.Snapshot, action *setplanv1.Action, result adapters.Result) {
	log := l.log.With("set", key.String(), "operation", adapters.OperationName(action),
		"target", brief(action.GetTarget().GetKind()+"/"+action.GetTarget().GetName()), "action", brief(action.GetId()),
		"cause", brief(action.GetCause().GetMessage()))
	switch {
	case result.Err == nil:
		log.Info("action done")
	case result.Outcome == setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT:
		log.Info("action not done: the object has changed", "error", briefly(result.Err))
	case result.Outcome == setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET:
		log.Info("action not done: a disruption budget does not allow it now", "error", briefly(result.Err))
	default:
		log.Warn("action failed", "result", outcomeName(result), "error", briefly(result.Err))
	}
}

// Held implements adapters.Observer: the same hold is logged once.
func (l *Logs) Held(key adapters.Key, reason string, err error) {
	if _, lasting := heldEvents[reason]; lasting {
		if l.nowHeld(key, reason) {
			l.log.Warn("held: nothing is changed", "set", key.String(), "reason", reason, "error", briefly(err))
		}
		return
	}
	level := slog.LevelDebug
	if reason == adapters.ReasonSnapshot || reason == adapters.ReasonGateTimeout {
		level = slog.LevelWarn // neither is normal
	}
	l.log.Log(context.Background(), level, "held", "set", key.String(), "reason", reason, "error", briefly(err))
}

// Forgotten implements adapters.Observer.
func (l *Logs) Forgotten(key adapters.Key) {
	l.nowHeld(key, "")
	l.log.Info("the set is gone", "set", key.String())
}

// nowHeld notes why a set is held ("" if it is not), and reports whether that is news.
func (l *Logs) nowHeld(key adapters.Key, reason string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[key] == reason {
		return false
	}
	if reason == "" {
		delete(l.held, key)
	} else {
		l.held[key] = reason
	}
	return true
}
