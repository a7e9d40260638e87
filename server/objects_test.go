package server

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// asked are the objects of a set with so many pods, and the pods as kubectl prints them.
func asked(pods int) *setplanv1.PlanRequest {
	r := request()
	document := func(kind, name, more string) string {
		return `{"apiVersion":"` + map[string]string{"Pod": "v1", "StatefulSet": "apps/v1"}[kind] + `","kind":"` + kind +
			`","metadata":{"name":"` + name + `","namespace":"shop","uid":"u-` + name + `","generation":1}` + more + `}`
	}
	var list []string
	for i := range pods {
		list = append(list, document("Pod", fmt.Sprintf("web-%d", i), `,"spec":{"containers":[{"name":"c","image":"`+secret+`"}]},"status":{"phase":"Running"}`))
	}
	set := document("StatefulSet", "web", `,"spec":{"replicas":2,"serviceName":"web","selector":{"matchLabels":{"app":"web"}},"template":`+string(r.Snapshot.Set.PodTemplate)+`}`)
	return &setplanv1.PlanRequest{Objects: &setplanv1.Objects{Name: "web", ObservedAt: r.Snapshot.ObservedAt, Coverage: r.Snapshot.Coverage,
		Documents: [][]byte{[]byte(set), []byte(`{"apiVersion":"v1","kind":"List","items":[` + strings.Join(list, ",") + `]}`)}}}
}

// TestObjects: a caller that asks with objects gets a plan with all that the planner can emit, and the log says what it was about.
func TestObjects(t *testing.T) {
	r := start(t, Config{}, nil)
	response, err := r.planner(t).Plan(testContext(t), asked(0))
	if err != nil || countActions(response.GetPlan()) == 0 {
		t.Fatalf("%v, %v", response, err)
	}
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "namespace=shop set=web uid=u-web pods=0") })
}

// TestForecastByObjects: the edited set takes the place of the set.
func TestForecastByObjects(t *testing.T) {
	ask := asked(0)
	ask.Objects.EditedSet = []byte(strings.Replace(string(ask.Objects.Documents[0]), `"replicas":2`, `"replicas":3`, 1))
	r := start(t, Config{}, nil)
	_, result, err := foreseen(testContext(t), r.planner(t), &setplanv1.ForecastRequest{Start: ask})
	if err != nil || len(result.GetAdded()) != 3 {
		t.Fatalf("%v, %v", result, err)
	}
	ask.Objects.EditedSet = []byte("{")
	_, _, err = foreseen(testContext(t), r.planner(t), &setplanv1.ForecastRequest{Start: ask})
	wantField(t, err, "start.objects.edited_set")
}

// TestEditIsSeen: an edited manifest counts as edited although its generation is the one that the planner has planned, and a template of another kind than apps/v1 has
// the defaults that its revision has.
func TestEditIsSeen(t *testing.T) {
	const owner = `"ownerReferences":[{"apiVersion":"%s","kind":"%s","name":"web","uid":"u","controller":true}]`
	for name, test := range map[string]struct {
		apiVersion, kind string
		old, edited      string // of the set
		restarts         int
	}{
		"nothing":                      {"apps/v1", "StatefulSet", "", "", 0},
		"an annotation":                {"apps/v1", "StatefulSet", `"annotations":{}`, `"annotations":{"a":"b"}`, 0},
		"blanks":                       {"apps/v1", "StatefulSet", `"replicas":1`, `"replicas" : 1`, 0},
		"an image":                     {"apps/v1", "StatefulSet", `"image":"a"`, `"image":"b"`, 1},
		"a new generation":             {"apps/v1", "StatefulSet", `"generation":3`, `"generation":4`, 1}, // the template is of apps/v1: it has no default that its revision has
		"a replica, own kind":          {"x.example/v1", "Database", `"replicas":1`, `"replicas":2`, 0},
		"a new generation, own kind":   {"x.example/v1", "Database", `"generation":3`, `"generation":4`, 0},
		"an image, own kind":           {"x.example/v1", "Database", `"image":"a"`, `"image":"b"`, 1},
		"a default, own kind":          {"x.example/v1", "Database", `"name":"c"`, `"name":"c","imagePullPolicy":"Always"`, 0},
		"against a default, own kind":  {"x.example/v1", "Database", `"name":"c"`, `"name":"c","imagePullPolicy":"Never"`, 1},
		"a field goes, own kind":       {"x.example/v1", "Database", `,"hostname":"h"`, ``, 1},
		"another container, own kind":  {"x.example/v1", "Database", `"containers":[`, `"containers":[{"name":"d","image":"d"},`, 1},
		"a default before, own kind":   {"x.example/v1", "Database", `"image":"a"`, `"imagePullPolicy":"Always","image":"a"`, 0},
		"status is not edited":         {"apps/v1", "StatefulSet", `"observedGeneration":3`, `"observedGeneration":1`, 0},
		"the spec's order, own kind":   {"x.example/v1", "Database", `"image":"a","name":"c"`, `"name":"c","image":"a"`, 0},
		"a label of pods, own kind":    {"x.example/v1", "Database", `{"app":"web"}},"spec"`, `{"app":"web","b":"c"}},"spec"`, 1},
		"a claim's policy, own kind":   {"x.example/v1", "Database", `"replicas":1`, `"replicas":1,"claimUpdatePolicy":"Grow"`, 0},
		"an image, and no more status": {"apps/v1", "StatefulSet", `"image":"a"`, `"image":"b"`, 1},
	} {
		set := `{"apiVersion":"` + test.apiVersion + `","kind":"` + test.kind + `","metadata":{"name":"web","namespace":"n","uid":"u","generation":3,"annotations":{}},"spec":{"replicas":1,` +
			`"serviceName":"web","selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"a","name":"c"}],"hostname":"h"}}},` +
			`"status":{"observedGeneration":3,"replicas":1,"currentRevision":"web-1","updateRevision":"web-1"}}`
		owned := fmt.Sprintf(owner, test.apiVersion, test.kind)
		ask := &setplanv1.PlanRequest{Objects: &setplanv1.Objects{Name: "web", ApiVersion: test.apiVersion, Kind: test.kind, ObservedAt: request().Snapshot.ObservedAt,
			Coverage: &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true}, EditedSet: []byte(strings.Replace(set, test.old, test.edited, 1)),
			Documents: [][]byte{[]byte(set),
				[]byte(`{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"web-1","namespace":"n","uid":"r","labels":{"app":"web"},` + owned + `},"revision":1,` +
					`"data":{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"a","imagePullPolicy":"Always","name":"c"}],"hostname":"h"}}}}}`),
				[]byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"n","uid":"p","creationTimestamp":"2020-01-01T00:00:00Z","labels":{"app":"web",` +
					`"controller-revision-hash":"web-1","statefulset.kubernetes.io/pod-name":"web-0","apps.kubernetes.io/pod-index":"0"},` + owned + `},` +
					`"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2020-01-01T00:00:00Z"}]}}`)}}}
		if name == "an image, and no more status" {
			ask.Objects.EditedSet = append(ask.Objects.EditedSet[:strings.Index(string(ask.Objects.EditedSet), `,"status"`)], '}')
		}
		result, err := NewService(ServiceOptions{}).Foresee(t.Context(), &setplanv1.ForecastRequest{Start: ask}, func(*setplanv1.ForecastStep) error { return nil })
		if err != nil || len(result.GetRestarts()) != test.restarts {
			t.Errorf("%s: %v, %v, want %d restarts", name, err, result, test.restarts)
		}
	}
}

// TestObjectsAreRefused: each refusal names the document and the path, and quotes nothing of it.
func TestObjectsAreRefused(t *testing.T) {
	r := start(t, Config{Limits: Limits{MaxPods: 3, MaxMessageBytes: 64 << 10}}, nil)
	for field, change := range map[string]func(*setplanv1.PlanRequest){
		"snapshot":            func(r *setplanv1.PlanRequest) { r.Objects = nil },
		"objects":             func(r *setplanv1.PlanRequest) { r.Snapshot = request().Snapshot },
		"objects.observed_at": func(r *setplanv1.PlanRequest) { r.Objects.ObservedAt = nil },
		"objects.name":        func(r *setplanv1.PlanRequest) { r.Objects.Name = "other" },
		"capabilities[0]":     func(r *setplanv1.PlanRequest) { r.Capabilities = make([]setplanv1.Capability, 1) },
		"objects.documents[1].items[1].metadata.name": func(r *setplanv1.PlanRequest) {
			r.Objects.Documents[1] = []byte(strings.Replace(string(r.Objects.Documents[1]), `"web-1"`, "7", 1))
		},
		"objects.documents[1].items[1]": func(r *setplanv1.PlanRequest) {
			r.Objects.Documents[1] = []byte(strings.Replace(string(r.Objects.Documents[1]), `"web-1"`, `"web-0"`, 1))
		},
		"objects.documents[1].items[1].metadata.uid": func(r *setplanv1.PlanRequest) {
			r.Objects.Documents[1] = []byte(strings.Replace(string(r.Objects.Documents[1]), `"u-web-1"`, `"`+strings.Repeat("u", 254)+`"`, 1))
		},
		"objects.documents[0].spec.replicas": func(r *setplanv1.PlanRequest) {
			r.Objects.Documents[0] = []byte(strings.Replace(string(r.Objects.Documents[0]), `"replicas":2`, `"replicas":-2`, 1))
		},
		"objects.documents[0].metadata.annotations": func(r *setplanv1.PlanRequest) {
			r.Objects.Documents[0] = []byte(strings.Replace(string(r.Objects.Documents[0]), `"generation"`, `"annotations":{"`+strings.Repeat("k", 400)+`":1},"generation"`, 1))
		},
		"objects.documents[0].spec": func(r *setplanv1.PlanRequest) {
			r.Objects.Documents[0] = []byte(strings.Replace(string(r.Objects.Documents[0]), `"`+secret, secret, 1))
		},
	} {
		bad := asked(2)
		change(bad)
		_, err := r.planner(t).Plan(testContext(t), bad)
		wantField(t, err, field)
	}
	_, err := r.planner(t).Plan(testContext(t), asked(4))
	want(t, err, codes.ResourceExhausted, "TOO_MANY_PODS")
	_, err = r.planner(t).Plan(testContext(t), asked(1000))
	want(t, err, codes.ResourceExhausted, "MESSAGE_TOO_LARGE")
	policy := asked(1)
	policy.Objects.Policy = &setplanv1.Policy{Behavior: 99}
	_, err = r.planner(t).Plan(testContext(t), policy)
	if metadata := want(t, err, codes.FailedPrecondition, "UNSUPPORTED_POLICY"); metadata["field"] != "objects.policy.behavior" {
		t.Error(metadata)
	}
}

func wantField(t *testing.T, err error, field string) {
	t.Helper()
	want(t, err, codes.InvalidArgument, "INVALID_SNAPSHOT")
	violations := detail[*errdetails.BadRequest](err).GetFieldViolations()
	for _, v := range violations {
		if v.GetField() == field && !strings.Contains(err.Error()+v.GetDescription(), secret) {
			return
		}
	}
	t.Errorf("%v, want the field %s", violations, field)
}

// TestObjectsAreAbandoned: who no longer waits is noticed while documents are read.
func TestObjectsAreAbandoned(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ask := asked(2000)
	before := proto.CloneOf(ask)
	if _, err := NewService(ServiceOptions{}).Plan(ctx, ask); err == nil || !strings.Contains(err.Error(), "Canceled") {
		t.Error(err)
	}
	if !proto.Equal(ask, before) {
		t.Error("the request was changed")
	}
}
