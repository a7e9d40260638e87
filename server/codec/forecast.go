package codec

import (
	"strings"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// EncodeStep turns a step of a forecast into its wire form. Manifests are left out: what is made of a template is known.
func EncodeStep(step *forecast.Step, namespace string) *setplanv1.ForecastResponse {
	e := encoder{namespace: namespace}
	out := &setplanv1.ForecastStep{
		Number:      int32(step.Number),
		At:          encodeTime(step.At),
		Actions:     listOf(&e.waiting, step.Actions, e.foreseen),
		Events:      listOf(&e.waiting, step.Events, e.event),
		Unavailable: int32(step.Unavailable),
	}
	return &setplanv1.ForecastResponse{Part: &setplanv1.ForecastResponse_Step{Step: out}}
}

// EncodeResult turns the result of a forecast into its wire form. worst is nil if nobody asked for it.
func EncodeResult(result *forecast.Result, worst *forecast.WorstCase, namespace string) *setplanv1.ForecastResponse {
	e := encoder{namespace: namespace}
	out := &setplanv1.ForecastResult{
		Verdict:            setplanv1.ForecastVerdict(result.Verdict),
		Limit:              result.Limit,
		Steps:              int32(result.Steps),
		BeginsAt:           encodeTime(result.From),
		EndsAt:             encodeTime(result.To),
		Blocks:             listOf(&e.waiting, result.Blocks, e.block),
		Events:             listOf(&e.waiting, result.Events, e.event),
		Restarts:           listOf(&e.waiting, result.Restarts, encodeRestart),
		Added:              listOf(&e.waiting, result.Added, encodePodChange),
		Removed:            listOf(&e.waiting, result.Removed, encodePodChange),
		DrainPods:          listOf(&e.waiting, result.DrainPods, encodePodChange),
		Updated:            listOf(&e.waiting, result.Updated, encodePodChange),
		ContainerRestarts:  listOf(&e.waiting, result.ContainerRestarts, encodePodChange),
		PeakUnavailable:    int32(result.Peak.Unavailable),
		PeakAt:             encodeTime(result.Peak.At),
		UnavailableAtFirst: int32(result.AtFirst.Unavailable),
		MissingAtFirst:     int32(result.AtFirst.Missing),
		ClaimsMade:         listOf(&e.waiting, result.Claims.Made, encodeClaimChange),
		ClaimsChanged:      listOf(&e.waiting, result.Claims.Changed, encodeClaimChange),
		ClaimsDeleted:      listOf(&e.waiting, result.Claims.Deleted, encodeClaimChange),
		Irreversible:       listOf(&e.waiting, result.Irreversible, e.loss),
		SetGone:            result.SetGone,
		Times: &setplanv1.ForecastTimes{
			ReadyAfter:    durationpb.New(result.Hosts.ReadyAfter),
			GoneAfter:     durationpb.New(result.Hosts.GoneAfter),
			DrainedAfter:  durationpb.New(result.Hosts.DrainedAfter),
			AnsweredAfter: durationpb.New(result.Hosts.AnsweredAfter),
		},
		Assumptions: result.Assumptions,
	}
	if worst != nil {
		// What is foreseen is one of the orders, even if it is not among those that were tried.
		out.WorstCase = &setplanv1.ForecastWorstCase{PeakUnavailable: int32(max(worst.PeakUnavailable, result.Peak.Unavailable)), Complete: worst.All}
	}
	return &setplanv1.ForecastResponse{Part: &setplanv1.ForecastResponse_Result{Result: out}}
}

func (e *encoder) foreseen(a model.Action) *setplanv1.ForecastAction {
	return &setplanv1.ForecastAction{Operation: operationName(a.Op), Target: e.target(a.Kind, a.Name), Cause: encodeCause(a.Cause)}
}

// operationName is the member of Action.operation.
func operationName(op model.Operation) string { return strings.ReplaceAll(op.Traits().Name, "-", "_") }

func (e *encoder) event(v forecast.Event) *setplanv1.ForecastEvent {
	return &setplanv1.ForecastEvent{At: encodeTime(v.At), Kind: setplanv1.ForecastEventKind(v.Kind), Subject: e.target(v.Subject, v.Name)}
}

func (e *encoder) loss(l forecast.Irreversible) *setplanv1.ForecastLoss {
	return &setplanv1.ForecastLoss{Subject: e.target(l.Kind, l.Name), Message: l.Message, At: encodeTime(l.At)}
}

func encodeRestart(r forecast.Restart) *setplanv1.ForecastRestart {
	return &setplanv1.ForecastRestart{Pod: r.Pod, FromRevision: r.From, ToRevision: r.To, Cause: encodeCause(r.Why), DeletedAt: encodeTime(r.DeletedAt), MadeAt: encodeTime(r.MadeAt)}
}

func encodePodChange(c forecast.PodChange) *setplanv1.ForecastChange {
	return &setplanv1.ForecastChange{Name: c.Pod, Revision: c.Revision, Cause: encodeCause(c.Why), At: encodeTime(c.At)}
}

func encodeClaimChange(c forecast.ClaimChange) *setplanv1.ForecastChange {
	return &setplanv1.ForecastChange{Name: c.Claim, Cause: encodeCause(c.Why), At: encodeTime(c.At)}
}
