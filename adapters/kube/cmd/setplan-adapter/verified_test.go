package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/adapters"
	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/server"
)

// liar is a planner behind a socket that changes its answers.
type liar struct {
	*server.Service
	change func(*setplanv1.PlanResponse)
}

func (l *liar) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	response, err := l.Service.Plan(ctx, request)
	if err == nil {
		l.change(response)
	}
	return response, err
}

// TestVerified asks planners over a socket with each request of the vectors: what this build answers is taken, and anything else only of another build, which is
// said once.
func TestVerified(t *testing.T) {
	all, err := vectors.Read("../../../../proto/testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	version := server.Version()
	lie := func(r *setplanv1.PlanResponse) { r.Plan.Truncated = !r.Plan.Truncated }
	for name, test := range map[string]struct {
		verify  string
		change  func(*setplanv1.PlanResponse)
		refused bool
		by, log string
	}{
		"the same build":              {adapters.VerifyReplan, func(*setplanv1.PlanResponse) {}, false, adapters.VerifyReplan, "level=INFO"},
		"a liar":                      {adapters.VerifyReplan, lie, true, adapters.VerifyReplan, "level=INFO"},
		"an older planner":            {adapters.VerifyReplan, func(r *setplanv1.PlanResponse) { lie(r); r.Version = "" }, false, adapters.VerifyChecks, `adapter=` + version},
		"another build":               {adapters.VerifyReplan, func(r *setplanv1.PlanResponse) { lie(r); r.Version = "\x1b" + strings.Repeat("9", 10_000) }, false, adapters.VerifyChecks, "level=WARN"},
		"a liar, and only the checks": {adapters.VerifyChecks, lie, false, adapters.VerifyChecks, ""},
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			s := grpc.NewServer()
			setplanv1.RegisterPlannerServiceServer(s, &liar{server.NewService(server.ServiceOptions{}), test.change})
			go func() { _ = s.Serve(listener) }()
			t.Cleanup(s.Stop)
			client, err := setplan.Dial(listener.Addr().String(), setplan.WithInsecure())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = client.Close() })
			var said bytes.Buffer
			registry, checked := prometheus.NewRegistry(), []string(nil)
			planner := verified(test.verify, client, registry, slog.New(slog.NewTextHandler(&said, nil)), func(why string) { checked = append(checked, why) })
			plans := 0
			for _, v := range all {
				if v.Plan == nil || v.Request == nil {
					continue
				}
				request, err := v.PlanRequest()
				if err != nil {
					t.Fatal(err)
				}
				want := proto.CloneOf(request)
				plans++
				if _, err := planner.Plan(t.Context(), request); errors.Is(err, adapters.ErrPlanDiffers) != test.refused || (err != nil) != test.refused {
					t.Errorf("%s: %v", v.Name, err)
				}
				if !proto.Equal(want, request) {
					t.Errorf("%s: the request was changed, which the checks read after it", v.Name)
				}
			}
			if plans < 60 {
				t.Errorf("%d plans", plans)
			}
			if n := strings.Count(said.String(), "\n"); !strings.Contains(said.String(), test.log) || (n == 1) != (test.log != "") || said.Len() > 400 {
				t.Errorf("the log says %q", said.String())
			}
			if told := len(checked) == 1; told != (test.verify == adapters.VerifyReplan && test.by == adapters.VerifyChecks) || told && (len(checked[0]) > 400 || !strings.Contains(checked[0], version)) {
				t.Errorf("events: %q", checked)
			}
			families, err := registry.Gather()
			if err != nil || len(families) != 1 || len(families[0].Metric) != 2 {
				t.Fatalf("metrics %v, %v", families, err)
			}
			for _, m := range families[0].Metric {
				if by := m.Label[0].GetValue(); (m.Gauge.GetValue() == 1) != (by == test.by) {
					t.Errorf("%s is %v", by, m.Gauge.GetValue())
				}
			}
		})
	}
}

// BenchmarkReplan compares a remote call without and with the plan being made again, for a set with so many pods.
func BenchmarkReplan(b *testing.B) {
	all, err := vectors.Read("../../../../proto/testdata/vectors/stories")
	if err != nil {
		b.Fatal(err)
	}
	i := slices.IndexFunc(all, func(v *vectors.Vector) bool {
		r, err := v.PlanRequest()
		return err == nil && bytes.Contains(v.Plan, []byte(`"converged"`)) && len(r.Snapshot.Pods) > 0 && len(r.Snapshot.Claims) == 0 && r.Snapshot.Set.DeletionUnixMs == 0
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	s := grpc.NewServer(grpc.MaxRecvMsgSize(64 << 20))
	setplanv1.RegisterPlannerServiceServer(s, server.NewService(server.ServiceOptions{}))
	go func() { _ = s.Serve(listener) }()
	b.Cleanup(s.Stop)
	client, err := setplan.Dial(listener.Addr().String(), setplan.WithInsecure())
	if err != nil {
		b.Fatal(err)
	}
	for _, pods := range []int{3, 100, 10_000} {
		request, err := all[i].PlanRequest()
		if err != nil {
			b.Fatal(err)
		}
		snapshot, pod := request.Snapshot, request.Snapshot.Pods[0]
		snapshot.Set.Replicas, snapshot.Pods = new(int32(pods)), nil
		for ordinal := range pods {
			next := proto.CloneOf(pod)
			next.Name = fmt.Sprintf("%s-%d", snapshot.Set.Name, ordinal)
			next.Uid = "uid-" + next.Name
			snapshot.Pods = append(snapshot.Pods, next)
		}
		for _, way := range []string{adapters.VerifyChecks, adapters.VerifyReplan} {
			planner := verified(way, client, prometheus.NewRegistry(), slog.New(slog.DiscardHandler), func(string) {})
			b.Run(fmt.Sprintf("%d/%s", pods, way), func(b *testing.B) {
				for b.Loop() {
					if _, err := planner.Plan(b.Context(), request); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
