// Package wasm answers requests in bytes, as a server does and without one: for hosts that have the planner as a module. docs/wasm.md is for their authors.
package wasm

import (
	"encoding/binary"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
	"github.com/setplan/setplan/server/statuses"
	"github.com/setplan/setplan/server/version"
)

// The methods, by number.
const (
	Plan          = 1
	Forecast      = 2
	GetServerInfo = 3
)

// Limits, in bytes. A module has at most 4 GiB, and its host gives it less.
const (
	MaxRequest = 16 << 20
	MaxAnswer  = 64 << 20
)

// The kinds of frames. Each has a byte for its kind, four for its length, big-endian, and the message.
const (
	frameMessage = 0
	frameStatus  = 1
	frameHead    = 5
)

// Answer is what the planner answers: a frame for each response, or, as the last one, a frame with the google.rpc.Status that a server would send. The request is in
// use for as long as this runs.
func Answer(method int32, request []byte) []byte {
	return guarded(func(a *answering) {
		switch method {
		case Plan:
			a.plan(request)
		case Forecast:
			a.forecast(request)
		case GetServerInfo:
			a.info(request)
		default:
			a.fail(statuses.UnknownMethod())
		}
	})
}

// guarded answers a bug with INTERNAL, and says no more of it: a panic may quote a template.
func guarded(answer func(*answering)) (frames []byte) {
	a := &answering{}
	defer func() {
		if recover() != nil {
			a.frames = nil
			a.fail(statuses.InternalAlone())
			frames = a.frames
		}
	}()
	answer(a)
	return a.frames
}

// answering is an answer that grows.
type answering struct{ frames []byte }

func (a *answering) frame(kind byte, message proto.Message) {
	options := proto.MarshalOptions{Deterministic: true}
	a.frames = binary.BigEndian.AppendUint32(append(a.frames, kind), uint32(options.Size(message)))
	var err error
	if a.frames, err = options.MarshalAppend(a.frames, message); err != nil {
		panic(err)
	}
}

func (a *answering) fail(status *spb.Status) { a.frame(frameStatus, status) }

// send sends a response, if there is room for it.
func (a *answering) send(what string, response proto.Message) bool {
	if size := len(a.frames) + frameHead + proto.Size(response); size > MaxAnswer {
		a.fail(statuses.TooLarge(what, size, MaxAnswer))
		return false
	}
	a.frame(frameMessage, response)
	return true
}

func limits() codec.Limits {
	return codec.Limits{MaxPods: model.MaxReplicas, MaxClaims: codec.MaxClaims, MaxElements: codec.MaxElements, Memory: codec.Borrow()}
}

// read reads a request as a server does; place says where in a larger one it stands.
func (a *answering) read(data []byte, limits codec.Limits, place func(error) error) *model.Snapshot {
	request := &setplanv1.PlanRequest{}
	if err := codec.Check(data, limits); err != nil {
		a.fail(statuses.Refused(place(err)))
		return nil
	}
	if err := codec.Read(data, request, limits); err != nil {
		a.fail(statuses.Undecodable(err))
		return nil
	}
	snapshot, err := codec.Decode(request, limits)
	if err != nil {
		a.fail(statuses.Refused(place(err)))
		return nil
	}
	return snapshot
}

func (a *answering) plan(data []byte) {
	if len(data) > MaxRequest {
		a.fail(statuses.TooLarge("request", len(data), MaxRequest))
		return
	}
	limits := limits()
	snapshot := a.read(data, limits, func(err error) error { return err })
	if snapshot == nil {
		return
	}
	plan := engine.Decide(snapshot)
	a.send("plan", &setplanv1.PlanResponse{Plan: codec.Encode(plan, snapshot.Set.Namespace), Version: version.Of()})
	limits.Memory.Return() // after a panic the collector takes it
}

func (a *answering) forecast(data []byte) {
	if len(data) > MaxRequest {
		a.fail(statuses.TooLarge("request", len(data), MaxRequest))
		return
	}
	start, rest, err := codec.SplitForecast(data, codec.Limits{})
	if err != nil {
		a.fail(statuses.Refused(err))
		return
	}
	options, err := codec.DecodeForecast(rest)
	if err != nil {
		a.fail(statuses.Refused(err))
		return
	}
	limits := limits()
	snapshot := a.read(start, limits, codec.InStart)
	if snapshot == nil {
		return
	}
	namespace := snapshot.Set.Namespace
	options.Budget = forecast.Served() // nobody can end a call of a module
	steps, result := forecast.Run(nil, snapshot, options)
	for step := range steps {
		if !a.send("forecast", codec.EncodeStep(&step, namespace)) {
			return
		}
	}
	var worst *forecast.WorstCase
	if rest.GetPessimistic() {
		worst = forecast.Worst(nil, snapshot, forecast.Options{Hosts: options.Hosts, Budget: options.Budget})
	}
	a.send("forecast", codec.EncodeResult(result(), worst, namespace))
	limits.Memory.Return()
}

func (a *answering) info(data []byte) {
	request := &setplanv1.GetServerInfoRequest{}
	if err := proto.Unmarshal(data, request); err != nil {
		a.fail(statuses.Undecodable(err))
		return
	}
	a.send("answer", Info(version.Of(), MaxRequest, model.MaxReplicas))
}

// Info says what a planner can plan, within limits.
func Info(version string, maxMessageBytes, maxPods int) *setplanv1.GetServerInfoResponse {
	return &setplanv1.GetServerInfoResponse{
		Version:         version,
		Behaviors:       codec.Behaviors(),
		Capabilities:    codec.Capabilities(),
		MaxMessageBytes: int64(maxMessageBytes),
		MaxPods:         int64(maxPods),
		Annotations:     policy.Annotations(),
	}
}
