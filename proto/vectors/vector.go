// Package vectors reads and writes the test vectors of the contract: Kubernetes objects, the request that they become, and what a
// planner answers. They stand in proto/testdata/vectors as JSON, for clients in any language; README.md there says what a file
// holds.
package vectors

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Vector is one file.
type Vector struct {
	// Name is the file's path in the folder of the vectors, without ".json".
	Name string `json:"-"`
	// About says what the vector shows.
	About string `json:"about"`
	// Limits are those that the planner has to be started with; nil where the defaults will do.
	Limits *Limits `json:"limits,omitempty"`
	// Objects are what an adapter sees; nil where no objects of a cluster become the request.
	Objects *Objects `json:"objects,omitempty"`
	// Request is a PlanRequest in protobuf's JSON.
	Request json.RawMessage `json:"request,omitempty"`
	// RequestBytes stands in place of Request where JSON cannot say it: fields that the contract does not have, and bytes that
	// are no message.
	RequestBytes []byte `json:"requestBytes,omitempty"`
	// Plan is the answer in protobuf's JSON. It is set, or Error is.
	Plan json.RawMessage `json:"plan,omitempty"`
	// Error is the status in place of a plan. Without a request it depends on the state of the server.
	Error *Error `json:"error,omitempty"`
}

// Limits are those of GetServerInfoResponse. A zero field is the default.
type Limits struct {
	MaxPods         int64 `json:"maxPods,omitempty"`
	MaxMessageBytes int64 `json:"maxMessageBytes,omitempty"`
}

// Objects are what an API server serves of one namespace, each as it stands.
type Objects struct {
	Set       json.RawMessage   `json:"set"`                 // which the request is about
	Others    []json.RawMessage `json:"otherSets,omitempty"` // the other sets of the namespace
	Pods      []json.RawMessage `json:"pods,omitempty"`
	Claims    []json.RawMessage `json:"claims,omitempty"`
	Revisions []json.RawMessage `json:"revisions,omitempty"`
}

// Bytes is the request as a client sends it; nil where the vector has none.
func (v *Vector) Bytes() ([]byte, error) {
	if v.Request == nil {
		return v.RequestBytes, nil
	}
	request, err := v.PlanRequest()
	if err != nil {
		return nil, err
	}
	return proto.Marshal(request)
}

// PlanRequest reads Request.
func (v *Vector) PlanRequest() (*setplanv1.PlanRequest, error) {
	return read(v, v.Request, &setplanv1.PlanRequest{})
}

// WantedPlan reads Plan.
func (v *Vector) WantedPlan() (*setplanv1.Plan, error) {
	return read(v, v.Plan, &setplanv1.Plan{})
}

func read[M proto.Message](v *Vector, text json.RawMessage, message M) (M, error) {
	if err := protojson.Unmarshal(text, message); err != nil {
		return message, fmt.Errorf("%s: %w", v.Name, err)
	}
	return message, nil
}

// JSON writes a message as vectors have it.
func JSON(message proto.Message) (json.RawMessage, error) { return protojson.Marshal(message) }
