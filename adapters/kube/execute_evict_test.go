package kube

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// TestSpentBudgetIsAskedOnce: the API server says when to come again, and the client would wait for that and ask ten times. One worker would
// be held for minutes, and the planner would not learn which budget it is.
func TestSpentBudgetIsAskedOnce(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "10")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"TooManyRequests","code":429,` +
			`"message":"Cannot evict pod as it would violate the pod's disruption budget.","details":{"retryAfterSeconds":10,` +
			`"causes":[{"reason":"DisruptionBudget","message":"The disruption budget guard is still being processed by the server."}]}}`))
	}))
	defer server.Close()
	api, err := NewAPI(&rest.Config{Host: server.URL, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	result := NewExecutor(StatefulSets(), api, storedConditions(nil)).Apply(ctx, webKey, evictPod(is("p", "")))
	if asked != 1 || result.Outcome != spentBudget {
		t.Errorf("asked %d times, and the result is %s: %v", asked, result.Outcome, result.Err)
	}
	if !strings.Contains(result.Err.Error(), "disruption budget guard ") {
		t.Errorf("nobody learns which budget it is: %v", result.Err)
	}
}
