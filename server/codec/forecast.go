package codec

import (
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// EncodeStep turns a step of a forecast into its wire form. Manifests are left out: what is made of a template is known.
func EncodeStep(step *forecast.Step, namespace string) *setplanv1.ForecastResponse {
	e := foreseen{encoder{namespace: namespace, limits: &Limits{}}}
	out := &setplanv1.ForecastStep{Number: int32(step.Number), At: encodeTime(step.At), Events: e.events(step.Events), Unavailable: int32(step.Unavailable)}
	for i := range step.Actions {
		a := &step.Actions[i]
		out.Actions = append(out.Actions, &setplanv1.ForecastAction{Operation: e.operationName(a.Op), Target: e.target(a.Kind, a.Name), Cause: encodeCause(a.Cause)})
	}
	return &setplanv1.ForecastResponse{Part: &setplanv1.ForecastResponse_Step{Step: out}}
}

// EncodeResult turns the result of a forecast into its wire form. worst is nil if nobody asked for it.
func EncodeResult(result *forecast.Result, worst *forecast.WorstCase, namespace string) *setplanv1.ForecastResponse {
	e := foreseen{encoder{namespace: namespace, limits: &Limits{}}}
	out := &setplanv1.ForecastResult{
		Verdict:            setplanv1.ForecastVerdict(result.Verdict),
		Limit:              result.Limit,
		Steps:              int32(result.Steps),
		BeginsAt:           encodeTime(result.From),
		EndsAt:             encodeTime(result.To),
		Blocks:             e.blocks(result.Blocks),
		Events:             e.events(result.Events),
		Restarts:           restarts(result.Restarts),
		Added:              podChanges(result.Added),
		Removed:            podChanges(result.Removed),
		DrainPods:          podChanges(result.DrainPods),
		Updated:            podChanges(result.Updated),
		ContainerRestarts:  podChanges(result.ContainerRestarts),
		PeakUnavailable:    int32(result.PeakUnavailable),
		PeakAt:             encodeTime(result.PeakAt),
		UnavailableAtFirst: int32(result.UnavailableAtFirst),
		MissingAtFirst:     int32(result.MissingAtFirst),
		ClaimsMade:         claimChanges(result.ClaimsMade),
		ClaimsChanged:      claimChanges(result.ClaimsChanged),
		ClaimsDeleted:      claimChanges(result.ClaimsDeleted),
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
		out.WorstCase = &setplanv1.ForecastWorstCase{PeakUnavailable: int32(max(worst.PeakUnavailable, result.PeakUnavailable)), Complete: worst.All}
	}
	for i := range result.Irreversible {
		l := &result.Irreversible[i]
		out.Irreversible = append(out.Irreversible, &setplanv1.ForecastLoss{Subject: e.target(l.Kind, l.Name), Message: l.Message, At: encodeTime(l.At)})
	}
	return &setplanv1.ForecastResponse{Part: &setplanv1.ForecastResponse_Result{Result: out}}
}

// foreseen encodes parts of a forecast.
type foreseen struct{ encoder }

func (e *foreseen) target(kind, name string) *setplanv1.Target {
	return &setplanv1.Target{Kind: kind, Namespace: e.namespace, Name: name}
}

var operationOneof = (&setplanv1.Action{}).ProtoReflect().Descriptor().Oneofs().ByName("operation")

// operationName is the member of Action.operation.
func (e *foreseen) operationName(op model.Operation) string {
	action := &setplanv1.Action{}
	e.operation(op, action)
	return string(action.ProtoReflect().WhichOneof(operationOneof).Name())
}

func (e *foreseen) events(in []forecast.Event) (out []*setplanv1.ForecastEvent) {
	for i := range in {
		out = append(out, &setplanv1.ForecastEvent{At: encodeTime(in[i].At), Kind: setplanv1.ForecastEventKind(in[i].Kind), Subject: e.target(in[i].Subject, in[i].Name)})
	}
	return out
}

func restarts(in []forecast.Restart) (out []*setplanv1.ForecastRestart) {
	for i := range in {
		r := &in[i]
		out = append(out, &setplanv1.ForecastRestart{Pod: r.Pod, FromRevision: r.From, ToRevision: r.To, Cause: encodeCause(r.Why),
			DeletedAt: encodeTime(r.DeletedAt), MadeAt: encodeTime(r.MadeAt)})
	}
	return out
}

func podChanges(in []forecast.PodChange) (out []*setplanv1.ForecastChange) {
	for i := range in {
		out = append(out, &setplanv1.ForecastChange{Name: in[i].Pod, Revision: in[i].Revision, Cause: encodeCause(in[i].Why), At: encodeTime(in[i].At)})
	}
	return out
}

func claimChanges(in []forecast.ClaimChange) (out []*setplanv1.ForecastChange) {
	for i := range in {
		out = append(out, &setplanv1.ForecastChange{Name: in[i].Claim, Cause: encodeCause(in[i].Why), At: encodeTime(in[i].At)})
	}
	return out
}

// encodeCause leaves no cause unset.
func encodeCause(cause model.Cause) *setplanv1.Cause {
	if cause == (model.Cause{}) {
		return nil
	}
	return &setplanv1.Cause{Code: setplanv1.CauseCode(cause.Code), Message: cause.Message}
}
