package server

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"google.golang.org/grpc/metadata"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/proto/vectors"
)

// statusArea has the vectors of statuses that depend on the server's state, not on the request.
const statusArea = "status/"

var rewriteVectors = flag.Bool("rewrite-vectors", false, "write the vectors of statuses; \"make rewrite WHAT=vectors\" does")

// TestStatusVectors brings a server into each state, and compares the status byte for byte.
func TestStatusVectors(t *testing.T) {
	for _, state := range []struct {
		name, about string
		call        func(t *testing.T) error
	}{
		{"draining", "The server is shutting down: another one, or the next at this address, plans. The call may be sent again after the delay.", callWhileDraining},
		{"overloaded", "The server has too much to do. Nothing is wrong with the request: it may be sent again after the delay.", callWhileFull},
		{"unknown-caller", "The planner serves the clusters of a policy, and the caller is none of them. Sending the request again does not help until somebody changes the policy, or the caller's certificate.", callByAStranger},
		{"limited", "The caller's cluster is at a limit of the planner's policy. To the caller this is an overloaded planner: the call may be sent again after the delay.", callBeyondALimit},
		{"internal", "A bug in the planner, which its log has under the request id. Sending the request again does not help.", callThatPanics},
	} {
		t.Run(state.name, func(t *testing.T) {
			err := state.call(t)
			v := &vectors.Vector{Name: statusArea + state.name, About: state.about}
			if v.Error = vectors.ErrorOf(err); v.Error.AddStatus(err) != nil {
				t.Fatal("the status cannot be encoded")
			}
			if *rewriteVectors {
				if err := v.Write(vectorsFolder); err != nil {
					t.Fatal(err)
				}
			}
			got, err := v.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if want, err := os.ReadFile(v.Path(vectorsFolder)); err != nil || !bytes.Equal(want, got) {
				t.Errorf("%v; the status, which 'make rewrite WHAT=vectors' accepts:\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

func callWhileDraining(t *testing.T) error {
	b := newBlocking()
	r := start(t, Config{}, b.install)
	planner, inFlight := r.planner(t), make(chan error, 1)
	call := func() error {
		_, err := planner.Plan(testContext(t), request())
		return err
	}
	go func() { inFlight <- call() }()
	<-b.asked
	r.stop()
	waitFor(t, func() bool { return !r.ready() })
	err := call()
	close(b.answer)
	if err := <-inFlight; err != nil {
		t.Errorf("the call in flight: %v", err)
	}
	return err
}

func callWhileFull(t *testing.T) error {
	b := newBlocking()
	r := start(t, Config{}, func(s *Server) { b.install(s); s.admission.maxCalls, s.admission.turns = 8, 8 })
	planner, inFlight := r.planner(t), make(chan error, 4)
	call := func() error {
		_, err := planner.Plan(testContext(t), request())
		return err
	}
	for range cap(inFlight) { // a caller's share of the places
		go func() { inFlight <- call() }()
		<-b.asked
	}
	err := call()
	close(b.answer)
	for range cap(inFlight) {
		if err := <-inFlight; err != nil {
			t.Errorf("a call that got in: %v", err)
		}
	}
	return err
}

func callThatPanics(t *testing.T) error {
	r := start(t, Config{}, func(s *Server) {
		s.service.decide = func(*model.Snapshot, func() bool) *model.Plan { panic("a bug") }
	})
	ctx := metadata.AppendToOutgoingContext(testContext(t), requestIDHeader, "request-1")
	_, err := r.planner(t).Plan(ctx, request())
	return err
}

func callByAStranger(t *testing.T) error {
	r, ca, _ := guarded(t, `clusters: [{name: east, identities: [CN=east]}]`)
	return r.planAs(t, ca, commonName("west"))
}

func callBeyondALimit(t *testing.T) error {
	b := newBlocking()
	r, ca, _ := guarded(t, `clusters: [{name: east, identities: [CN=east], limits: {concurrentCalls: 1}}]`)
	b.install(r.Server)
	planner, first := r.as(t, ca, commonName("east")), make(chan error, 1)
	call := func() error {
		_, err := planner.Plan(testContext(t), request())
		return err
	}
	go func() { first <- call() }()
	<-b.asked
	err := call()
	close(b.answer)
	if err := <-first; err != nil {
		t.Errorf("the call within the limit: %v", err)
	}
	return err
}
