package kube

import (
	"context"
	"errors"
	"strings"
	"testing"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestNothingWithoutUID: an operation on an existing object must name its uid, because names are reused.
func TestNothingWithoutUID(t *testing.T) {
	operations := (&setplanv1.Action{}).ProtoReflect().Descriptor().Oneofs().ByName("operation").Fields()
	for i := range operations.Len() {
		operation := operations.Get(i)
		if strings.HasPrefix(string(operation.Name()), "create_") {
			continue
		}
		a := action(kindPod, "web-0", is("", "7"))
		a.ProtoReflect().Mutable(operation)
		server, api := newAPIServer(t, nil)
		result := NewExecutor(StatefulSets(), api, storedConditions(nil)).Apply(context.Background(), webKey, a)
		if !errors.Is(result.Err, errNoUID) || result.Outcome != errored || len(server.requests) > 0 {
			t.Errorf("%s: %s, %v; requests %v", operation.Name(), result.Outcome, result.Err, server.lines())
		}
	}
}

// TestNoStatus: a status that is missing or empty is not sent. Above all it is not sent as zeros, which would tell users that
// all pods are gone.
func TestNoStatus(t *testing.T) {
	for name, status := range map[string]*setplanv1.StatefulSetStatus{"missing": nil, "empty": {}} {
		a := action("StatefulSet", "web", is("set", "7"))
		a.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: status}}
		server, api := newAPIServer(t, nil)
		result := NewExecutor(StatefulSets(), api, storedConditions(nil)).Apply(context.Background(), webKey, a)
		if !errors.Is(result.Err, errNoStatus) || len(server.requests) > 0 {
			t.Errorf("%s: %v; requests %v", name, result.Err, server.lines())
		}
	}
}

// TestPodWithoutController: a drain pod has no controller, so an existing pod of its name without one may be anybody's.
func TestPodWithoutController(t *testing.T) {
	a := createPod()
	a.GetCreatePod().Manifest = []byte(`{"metadata":{"name":"web-0"}}`)
	_, api := newAPIServer(t, map[string]answer{
		"POST " + podsPath:           statusAnswer(409, "AlreadyExists", "exists"),
		"GET " + podsPath + "/web-0": objectAnswer("web-0", "p", "8"),
	})
	result := NewExecutor(StatefulSets(), api, storedConditions(nil)).Apply(context.Background(), webKey, a)
	if result.Outcome != conflicts || result.Write != nil {
		t.Errorf("got %s, %v, and the gate waits for %v; want a conflict", result.Outcome, result.Err, result.Write)
	}
}
