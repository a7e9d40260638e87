package kube

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestWritesAreSentOnce: the client library must not resend a write that was carried out and answered with 503. The second
// answer, a conflict, would hide the first write, and the guard would take that for another process's.
func TestWritesAreSentOnce(t *testing.T) {
	sent := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		sent++
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":503,"reason":"ServiceUnavailable"}`))
	}))
	defer server.Close()
	clients, err := NewClients(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	executor := NewExecutor(StatefulSets(), clients.API, storedConditions(nil))
	target := func(kind, name string) *setplanv1.Target {
		return &setplanv1.Target{Kind: kind, Namespace: "ns", Name: name}
	}
	uid := &setplanv1.Precondition{Uid: "u", ResourceVersion: "10"}
	for name, action := range map[string]*setplanv1.Action{
		"patch": {Target: target("StatefulSet", "web"), Precondition: uid,
			Operation: &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: &setplanv1.StatefulSetStatus{Replicas: new(int32(1))}}}},
		"delete": {Target: target("Pod", "web-0"), Precondition: uid, Operation: &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}},
		"create": {Target: target("PersistentVolumeClaim", "www-web-0"), Precondition: &setplanv1.Precondition{MustNotExist: true},
			Operation: &setplanv1.Action_CreateClaim{CreateClaim: &setplanv1.CreateClaim{Manifest: []byte(`{}`)}}},
	} {
		sent = 0
		result := executor.Apply(context.Background(), adapters.Key{Namespace: "ns", Name: "web"}, action)
		if sent != 1 || result.Outcome != setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR {
			t.Errorf("%s: sent %d times, %v: %v", name, sent, result.Outcome, result.Err)
		}
	}
}
