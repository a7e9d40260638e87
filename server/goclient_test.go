package server

import (
	"crypto/tls"
	"slices"
	"testing"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
)

// The Go client is a module of its own and knows nothing of the planner. These tests run both from one commit.

func goClient(t *testing.T) *setplan.Client {
	t.Helper()
	r := start(t, Config{}, nil)
	client, err := setplan.Dial(r.Addr().String(), setplan.WithTLSConfig(&tls.Config{RootCAs: r.ca.pool()}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// TestGoClientCapabilities: the client knows no more of the contract than the planner of the same build, and no less.
func TestGoClientCapabilities(t *testing.T) {
	if got, want := setplan.Capabilities(), codec.Capabilities(); !slices.Equal(got, want) {
		t.Errorf("the client lists %v, the planner %v", got, want)
	}
}

// TestGoClientLimits: by default the client sends whatever the planner accepts by default.
func TestGoClientLimits(t *testing.T) {
	info, err := goClient(t).ServerInfo(testContext(t))
	if err != nil || info.GetMaxMessageBytes() != setplan.DefaultMaxMessageBytes {
		t.Errorf("info %v, %v; the default limits of both sides must agree", info, err)
	}
}

// TestGoClientReadsRefusals: the example of the client shows what the planner says.
func TestGoClientReadsRefusals(t *testing.T) {
	invalid := request()
	invalid.Snapshot.Set.Uid, invalid.Snapshot.Set.PodTemplate = "", nil
	_, err := goClient(t).Plan(testContext(t), invalid)
	if got := setplan.ErrorReason(err); got != setplanv1.ErrorReason_ERROR_REASON_INVALID_SNAPSHOT {
		t.Errorf("reason %v of %v", got, err)
	}
	want := []setplan.Violation{
		{Field: "snapshot.set.uid", Description: "required"},
		{Field: "snapshot.set.pod_template", Description: "required"},
	}
	if got := setplan.Violations(err); !slices.Equal(got, want) {
		t.Errorf("violations %v, want %v", got, want)
	}
}
