package cli_test

import (
	"bytes"
	"context"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/setplan/setplan/clients/cli"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
)

// otherRelease is a planner that takes requests another way than ours.
type otherRelease struct {
	setplanv1.UnimplementedPlannerServiceServer
	inside *server.Service
	take   func(*setplanv1.PlanRequest) error
}

// Forecast implements the service.
func (r *otherRelease) Forecast(request *setplanv1.ForecastRequest, stream grpc.ServerStreamingServer[setplanv1.ForecastResponse]) error {
	request = proto.CloneOf(request)
	if err := r.take(request.GetStart()); err != nil {
		return err
	}
	result, err := r.inside.Foresee(stream.Context(), request, func(step *setplanv1.ForecastStep) error {
		return stream.Send(&setplanv1.ForecastResponse{Part: &setplanv1.ForecastResponse_Step{Step: step}})
	})
	if err != nil {
		return err
	}
	return stream.Send(&setplanv1.ForecastResponse{Part: &setplanv1.ForecastResponse_Result{Result: result}})
}

// GetServerInfo implements the service.
func (r *otherRelease) GetServerInfo(context.Context, *setplanv1.GetServerInfoRequest) (*setplanv1.GetServerInfoResponse, error) {
	return &setplanv1.GetServerInfoResponse{Version: "v0.0.1-other"}, nil
}

// serveOther returns the address of such a planner.
func serveOther(t *testing.T, take func(*setplanv1.PlanRequest) error) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	setplanv1.RegisterPlannerServiceServer(s, &otherRelease{inside: server.NewService(server.ServiceOptions{}), take: take})
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(s.Stop)
	return listener.Addr().String()
}

// asItIs is a release that takes requests as ours does.
func asItIs(*setplanv1.PlanRequest) error { return nil }

// otherImage is a release that takes every set for edited, and reads another image in the template: it would roll them.
func otherImage(request *setplanv1.PlanRequest) error {
	set := request.Snapshot.Set
	set.Generation++
	set.PodTemplate = bytes.ReplaceAll(set.PodTemplate, []byte("web:2"), []byte("web:3"))
	return nil
}

// TestUpgrade: an upgrade that restarts what the old planner leaves has an exit code of its own, and one that restarts less has not.
func TestUpgrade(t *testing.T) {
	rolls, same := serveOther(t, otherImage), serveOther(t, asItIs)
	for line, want := range map[string]struct {
		code  int
		words []string
	}{
		"--old-planner-address embedded --planner-address " + rolls: {5, []string{"default/web: DISRUPTS what the old planner leaves alone\n",
			"  pod web-2: restarts at web-", "; with the old planner: stays as it is. The pod is at revision web-9",
			"v0.0.1-other (", "devel (embedded): 1 compared, 1 with more disruptions, 0 different otherwise, 0 not compared"}},
		"--old-planner-address " + rolls: {0, []string{"default/web: differs\n", "pod web-0: stays as it is; with the old planner: restarts at web-",
			"unavailable at once: at most 0; with the old planner: at most 1", "0 with more disruptions, 1 different otherwise"}},
		"--planner-address embedded --old-planner-address " + same:              {0, []string{"(embedded) in place of v0.0.1-other", "1 compared, 0 with more disruptions, 0 different"}},
		"-o json --planner-address " + rolls + " --old-planner-address " + same: {5, []string{`"disrupted": 1`, `"set": "default/web"`, `"disrupts": true`}},
		"web --old-planner-address " + same:                                     {0, []string{"1 compared"}},
		"-A -l app=web --old-planner-address " + same:                           {0, []string{"1 compared"}},
	} {
		r := runWith("", strings.Fields("forecast "+line+rolled)...)
		if code := cli.ExitCode(r.err); code != want.code {
			t.Errorf("%s: exit code %d, want %d: %v", line, code, want.code, r.err)
		}
		for _, word := range want.words {
			if !strings.Contains(r.out, word) {
				t.Errorf("%s: no %q in\n%s", line, word, r.out)
			}
		}
	}
}

// TestUpgradeOverRecording: each entry of a recording is compared, at its own time.
func TestUpgradeOverRecording(t *testing.T) {
	recording := recorded(t, func(*setplanv1.Plan) {})
	text, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	old := serveOther(t, func(request *setplanv1.PlanRequest) error {
		request.Snapshot.Set.Replicas = proto.Int32(3)
		return nil
	})
	for stdin, line := range map[string]string{"": "--recording " + recording, string(text): "--recording -"} {
		r := runWith(stdin, strings.Fields("forecast --old-planner-address "+old+" "+line)...)
		if r.err != nil || !strings.HasPrefix(r.out, "default/web as of 2026-01-31T12:00:00.000Z: differs\n") || !strings.Contains(r.out, "1 compared") ||
			!strings.Contains(r.out, "pod web-2: stays as it is; with the old planner: is added at web-") {
			t.Errorf("%s: %v\n%s", line, r.err, r.out)
		}
	}
	damaged := runWith(string(text)+"{", "forecast", "--recording", "-", "--old-planner-address", old)
	if cli.ExitCode(damaged.err) != 1 || !strings.Contains(damaged.err.Error(), "line 2 is incomplete") {
		t.Errorf("a damaged recording: %v", damaged.err)
	}
	empty := runWith("", "forecast", "--recording", "-", "--old-planner-address", old)
	if cli.ExitCode(empty.err) != 1 || !strings.Contains(empty.err.Error(), "holds no entries") {
		t.Errorf("an empty recording: %v", empty.err)
	}
}

// TestUpgradeRefused: a set that a planner refuses does not hide the others, and is no success; without a planner there is no answer.
func TestUpgradeRefused(t *testing.T) {
	refuses := serveOther(t, func(request *setplanv1.PlanRequest) error {
		if name := request.Snapshot.Set.Name; name == "bad" || name == "slow" {
			return status.Error(codes.InvalidArgument, "not such a set\n"+name)
		}
		return nil
	})
	line := "forecast --objects " + stuck + " --at " + at + " --old-planner-address "
	r := runWith("", strings.Fields(line+refuses)...)
	if cli.ExitCode(r.err) != 1 || !strings.Contains(r.out, "default/bad: NOT COMPARED: the planner "+refuses+": not such a set bad\n") ||
		!strings.Contains(r.out, "6 compared, 0 with more disruptions, 0 different otherwise, 2 not compared") {
		t.Errorf("of a planner that refuses two sets: %v\n%s", r.err, r.out)
	}
	text, err := os.ReadFile("testdata/forecast/rolled.yaml")
	if err != nil {
		t.Fatal(err)
	}
	odd := "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: odd, namespace: default, uid: u}\nspec: {replicas: many, selector: {}, template: {}}\n"
	r = runWith(string(text)+odd, "forecast", "--objects", "-", "--at", at, "--old-planner-address", serveOther(t, asItIs))
	if cli.ExitCode(r.err) != 1 || !strings.Contains(r.out, "default/odd: NOT COMPARED: ") || !strings.Contains(r.out, " 1 compared, ") {
		t.Errorf("of a set that cannot be read: %v\n%s", r.err, r.out)
	}
	away := serveOther(t, func(*setplanv1.PlanRequest) error { return status.Error(codes.Unavailable, "away") })
	if r := runWith("", strings.Fields(line+away)...); cli.ExitCode(r.err) != 1 || !strings.Contains(r.err.Error(), "cannot be reached") || r.out != "" {
		t.Errorf("of a planner that is away: %v\n%s", r.err, r.out)
	}
	var calls atomic.Int32
	busy := serveOther(t, func(*setplanv1.PlanRequest) error {
		if calls.Add(1) > 1 {
			return nil
		}
		s, err := status.New(codes.ResourceExhausted, "busy").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Millisecond)})
		if err != nil {
			return err
		}
		return s.Err()
	})
	if r := runWith("", strings.Fields(line+busy)...); r.err != nil || !strings.Contains(r.out, "8 compared") || calls.Load() != 9 {
		t.Errorf("of a planner that is busy once, after %d calls: %v\n%s", calls.Load(), r.err, r.out)
	}
}

// TestUpgradeStopped: Ctrl-C ends it between two sets and within one.
func TestUpgradeStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var calls atomic.Int32
	old := serveOther(t, func(*setplanv1.PlanRequest) error {
		if calls.Add(1) == 3 {
			stop()
		}
		return nil
	})
	r := runIn(ctx, "", strings.Fields("forecast --objects "+stuck+" --at "+at+" --old-planner-address "+old)...)
	if cli.ExitCode(r.err) != 1 || calls.Load() != 3 {
		t.Errorf("after %d of 8 sets: %v\n%s", calls.Load(), r.err, r.out)
	}
}

// TestUpgradeMistakes: each mistake says what to do.
func TestUpgradeMistakes(t *testing.T) {
	for line, want := range map[string]string{
		"--old-planner-address embedded":                                           "both planners are the one in this program",
		"--old-planner-address embedded --planner-address embedded":                "both planners are the one in this program",
		"--old-planner-address planner":                                            "must be HOST:PORT",
		"--old-planner-address localhost:1 --planner-address planner":              "must be HOST:PORT",
		"--old-planner-address localhost:1 -f testdata/forecast/image.yaml":        "cannot be used with -f",
		"--old-planner-address localhost:1 --to-revision 1":                        "cannot be used with -f",
		"--old-planner-address localhost:1 --pessimistic":                          "cannot be used with -f",
		"--old-planner-address localhost:1 --exit-code":                            "cannot be used with -f",
		"--old-planner-address localhost:1 --recording x":                          "cannot be used with SET, --objects",
		"--old-planner-address localhost:1 --planner-insecure --planner-ca-file x": "excludes",
		"--old-planner-address localhost:1 -o xml":                                 "--output is",
		"--recording x": "add --old-planner-address",
		"-A web":        "add --old-planner-address",
		"web -l a=b":    "add --old-planner-address",
	} {
		r := runWith("", strings.Fields("forecast "+line+rolled)...)
		if cli.ExitCode(r.err) != 1 || !strings.Contains(r.err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, r.err, want)
		}
	}
}
