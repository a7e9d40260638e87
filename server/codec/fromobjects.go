package codec

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/objects"
)

// decodeObjects turns a request with objects into the engine's snapshot: it makes the request with a snapshot that the caller would have sent, and treats it in no
// other way. Errors name the place in the documents.
func decodeObjects(request *setplanv1.PlanRequest, limits Limits) (*model.Snapshot, error) {
	if request.Snapshot != nil {
		return nil, &InvalidError{Violations: []Violation{{Field: "objects", Description: "cannot be combined with snapshot"}}}
	}
	made, err := objects.Read(request.GetObjects(), objects.Limits{MaxElements: limits.MaxElements, Stop: limits.Stop})
	if wrong := new(objects.Error); errors.As(err, &wrong) {
		return nil, &InvalidError{Violations: []Violation{{Field: wrong.Field, Description: wrong.Description}}}
	} else if errors.Is(err, rawjson.ErrStopped) {
		return nil, ErrStopped
	} else if err != nil {
		return nil, err
	}
	asked := &setplanv1.PlanRequest{Snapshot: made.Snapshot, Capabilities: request.GetCapabilities()}
	if len(asked.Capabilities) == 0 {
		asked.Capabilities = Capabilities()
	}
	if err := checkMade(made.Snapshot, limits); err != nil {
		return nil, placed(err, made)
	}
	snapshot, err := decodeSnapshot(asked, limits)
	return snapshot, placed(err, made)
}

// checkMade looks at a snapshot as Check looks at one that was sent, so that it is within the same bounds.
func checkMade(s *setplanv1.Snapshot, limits Limits) error {
	if pods := len(s.GetPods()); limits.MaxPods > 0 && pods > limits.MaxPods {
		return &TooManyPodsError{Pods: pods, Limit: limits.MaxPods}
	}
	rest := &setplanv1.Snapshot{ObservedAt: s.ObservedAt, Coverage: s.Coverage, Set: s.Set, Policy: s.Policy, Tables: s.Tables,
		ClaimNeighbours: s.ClaimNeighbours, FixedStorageClasses: s.FixedStorageClasses}
	data, err := appendMessage(nil, rest)
	w := waiting{stop: limits.Stop}
	appendTo := func(field protowire.Number, m proto.Message) {
		if err == nil && w.over() {
			err = ErrStopped
		}
		if err == nil {
			data = protowire.AppendVarint(protowire.AppendTag(data, field, protowire.BytesType), uint64(sizeOf(m)))
			data, err = appendMessage(data, m)
		}
	}
	for _, p := range s.Pods {
		appendTo(podsNumber, p)
	}
	for _, c := range s.Claims {
		appendTo(claimsField.Number(), c)
	}
	for _, r := range s.Revisions {
		appendTo(revisionsNumber, r)
	}
	if err != nil {
		return err
	}
	c := check{limits: limits, depth: 1}
	c.way[0] = place{requestShape.fields[snapshotNumber], -1}
	return c.message(data, requestShape.fields[snapshotNumber].message)
}

// generatedWriter is what the generated code can write, where it is built: see proto/tools/generate.sh.
type generatedWriter interface {
	SizeVT() int
	MarshalToSizedBufferVT(data []byte) (int, error)
}

func sizeOf(m proto.Message) int {
	if fast, ok := m.(generatedWriter); ok {
		return fast.SizeVT()
	}
	return proto.Size(m)
}

func appendMessage(data []byte, m proto.Message) ([]byte, error) {
	fast, ok := m.(generatedWriter)
	if !ok {
		return proto.MarshalOptions{}.MarshalAppend(data, m)
	}
	from := len(data)
	data = append(data, make([]byte, fast.SizeVT())...)
	_, err := fast.MarshalToSizedBufferVT(data[from:])
	return data, err
}

var revisionsNumber = snapshotField.Message().Fields().ByName("revisions").Number()

// placed gives the paths of an error about a snapshot that was made the places that it was made from.
func placed(err error, made *objects.Snapshot) error {
	var invalid *InvalidError
	var policy *UnsupportedPolicyError
	switch {
	case errors.As(err, &policy):
		return &UnsupportedPolicyError{Field: made.Place(policy.Field), Reason: policy.Reason}
	case errors.As(err, &invalid):
		for i := range invalid.Violations {
			invalid.Violations[i].Field = made.Place(invalid.Violations[i].Field)
		}
	}
	return err
}
