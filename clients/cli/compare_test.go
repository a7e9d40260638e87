package cli_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/clients/cli"
	"github.com/setplan/setplan/clients/cli/compare"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
)

// TestCompare: of a set whose image was changed while nobody acts, what ours would do is told, in an exit code, too. Nothing is written.
func TestCompare(t *testing.T) {
	t.Parallel()
	s := serveObjects(t, unattended)
	r := runWith("", strings.Fields("compare db -n default --for 4s --grace 1s --server "+s.URL)...)
	for _, want := range []string{"default/db: DIFFERS\n", "  planned, but not done in time\n", "Z delete pod db-", " (embedded), watched for ", "Z, nothing before: 1 compared, 1 different, 0 not compared\n"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("it does not say %q:\n%s%s", want, r.out, r.errors)
		}
	}
	if cli.ExitCode(r.err) != 2 || len(s.writes) > 0 {
		t.Errorf("exit code %d: %v; writes %v", cli.ExitCode(r.err), r.err, s.writes)
	}
}

// TestCompareInterrupted: Ctrl-C prints what was seen so far, here as JSON: nothing has lasted for the grace time.
func TestCompareInterrupted(t *testing.T) {
	t.Parallel()
	s := serveObjects(t, unattended)
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
	defer stop()
	r := runIn(ctx, "", strings.Fields("compare -A -l tier=data -o json --server "+s.URL)...)
	var report compare.Report
	if err := json.Unmarshal([]byte(r.out), &report); err != nil || r.err != nil {
		t.Fatalf("%v, %v: %s%s", err, r.err, r.out, r.errors)
	}
	if len(report.Sets) != 1 || !report.Sets[0].Seen || report.Sets[0].Differs || report.To.Sub(report.From) > 30*time.Second || report.Planner != "embedded" {
		t.Errorf("%+v", report)
	}
}

// TestCompareRefusals: what cannot be compared is an error, and never "no difference".
func TestCompareRefusals(t *testing.T) {
	t.Parallel()
	s := serveObjects(t, unattended)
	for line, want := range map[string]string{
		"compare db --for 0s":                              "--for and --grace must be positive",
		"compare db --grace -1s":                           "--for and --grace must be positive",
		"compare db -o wide":                               "--output is \"wide\", must be json or yaml",
		"compare nobody -n default":                        `StatefulSet "nobody" not found in namespace default`,
		"compare -A -l tier=cache":                         "no StatefulSet in any namespace has labels that match tier=cache",
		"compare db -l tier=data":                          "name sets, or give a selector, but not both",
		"compare -n default --planner-address 127.0.0.1:1": "the planner 127.0.0.1:1 cannot be reached: ",
	} {
		r := runWith("", strings.Fields(line+" --server "+s.URL)...)
		if cli.ExitCode(r.err) != 1 || !strings.Contains(r.err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, r.err, want)
		}
	}
}

// TestCompareSeesNothing: an API server that refuses is an error at once. One that fails may recover until the time is over; then it is an
// error, and not "no difference".
func TestCompareSeesNothing(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]string{http.StatusForbidden: "watch pods: ", http.StatusInternalServerError: "nothing could be compared: watch pods: "} {
		s := serveObjects(t, unattended)
		s.fails = map[string]int{"pods": code}
		begun := time.Now()
		r := runWith("", strings.Fields("compare -n default --for 6s --server "+s.URL)...)
		if cli.ExitCode(r.err) != 1 || !strings.HasPrefix(r.err.Error(), want) || r.out != "" {
			t.Errorf("%d: %v, want %q; it says %s", code, r.err, want, r.out)
		}
		if early := time.Since(begun) < 5*time.Second; early != (code == http.StatusForbidden) {
			t.Errorf("%d: it gave up after %s", code, time.Since(begun))
		}
	}
}

// TestCompareRecovers: an API server that fails at first and answers later is told, and what is compared then counts.
func TestCompareRecovers(t *testing.T) {
	t.Parallel()
	s := serveObjects(t, unattended)
	s.fails = map[string]int{"pods": http.StatusInternalServerError}
	time.AfterFunc(2*time.Second, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.fails = nil
	})
	r := runWith("", strings.Fields("compare -n default --for 12s --grace 1s --server "+s.URL)...)
	if cli.ExitCode(r.err) != 2 || !strings.Contains(r.errors, "note: nothing is compared now: watch pods: ") || !strings.Contains(r.errors, "note: comparing 1 set;") {
		t.Errorf("%v\n%s%s", r.err, r.errors, r.out)
	}
}

// choosy is a planner that refuses the sets of one namespace.
type choosy struct {
	setplanv1.UnimplementedPlannerServiceServer
	inside *server.Service
}

// Plan implements the service.
func (c *choosy) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	if request.GetSnapshot().GetSet().GetNamespace() == "a" {
		return nil, status.Error(codes.InvalidArgument, "not this one")
	}
	return c.inside.Plan(ctx, request)
}

// GetServerInfo implements the service.
func (c *choosy) GetServerInfo(ctx context.Context, request *setplanv1.GetServerInfoRequest) (*setplanv1.GetServerInfoResponse, error) {
	return c.inside.GetServerInfo(ctx, request)
}

// TestCompareRefusedSet: a set that the planner refuses keeps no other one from being compared, and is never "no difference".
func TestCompareRefusedSet(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	planner := grpc.NewServer()
	setplanv1.RegisterPlannerServiceServer(planner, &choosy{inside: server.NewService(server.ServiceOptions{})})
	go func() { _ = planner.Serve(listener) }()
	t.Cleanup(planner.Stop)
	s := serveObjects(t, unattended, "a", "z")
	r := runWith("", strings.Fields("compare -A --for 4s --grace 1s --planner-address "+listener.Addr().String()+" --server "+s.URL)...)
	for _, want := range []string{"a/db: NOT COMPARED: ", "not this one\n", "default/db: DIFFERS\n", "z/db: DIFFERS\n", " 2 compared, 2 different, 1 not compared\n"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("it does not say %q:\n%s%s", want, r.out, r.errors)
		}
	}
	if cli.ExitCode(r.err) != 1 || strings.Count(r.errors, "a/db is not compared: ") != 1 {
		t.Errorf("exit code %d: %v; %s", cli.ExitCode(r.err), r.err, r.errors)
	}
}
