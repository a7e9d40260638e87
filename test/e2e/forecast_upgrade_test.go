//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc"
	appsv1 "k8s.io/api/apps/v1"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// rollingRelease is a planner that takes every set for restarted by hand, and asks ours for the rest.
type rollingRelease struct {
	setplanv1.UnimplementedPlannerServiceServer
	ours *setplan.Client
}

// Forecast implements the service.
func (r *rollingRelease) Forecast(request *setplanv1.ForecastRequest, stream grpc.ServerStreamingServer[setplanv1.ForecastResponse]) error {
	set := request.GetStart().GetSnapshot().GetSet()
	set.Generation++
	set.PodTemplate = []byte(strings.Replace(string(set.GetPodTemplate()), image1, image2, 1))
	result, err := r.ours.Forecast(stream.Context(), request, func(step *setplanv1.ForecastStep) error {
		return stream.Send(&setplanv1.ForecastResponse{Part: &setplanv1.ForecastResponse_Step{Step: step}})
	})
	if err != nil {
		return err
	}
	return stream.Send(&setplanv1.ForecastResponse{Part: &setplanv1.ForecastResponse_Result{Result: result}})
}

// GetServerInfo implements the service.
func (r *rollingRelease) GetServerInfo(ctx context.Context, _ *setplanv1.GetServerInfoRequest) (*setplanv1.GetServerInfoResponse, error) {
	return r.ours.ServerInfo(ctx)
}

// TestForecastOfUpgrade: on a cluster, two planners of one build foresee the same, and one that would restart everything is found out. Nothing
// is written.
func TestForecastOfUpgrade(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, labelled("fleet", s.namespace)))
	s.create(webSet("db", 1, withoutClaims))
	for _, name := range []string{"web", "db"} {
		s.atRest(name)
	}
	rolling := servePlanner(t, &rollingRelease{ours: sharedPlanner(t)})

	every, same, rolls := "", "--old-planner-address "+shared.planner.address+" --planner-ca-file "+shared.planner.ca,
		"--old-planner-address embedded --planner-address "+rolling.address
	if isOwn() {
		every = "ssts/"
	}
	recording := s.file("web.rec")
	s.must("setplan record " + every + "web -f " + recording)
	before, story := s.get("web").ResourceVersion, s.pods()
	for line, want := range map[string]struct {
		code  int
		words []string
	}{
		every + " " + same: {0, []string{": 2 compared, 0 with more disruptions, 0 different otherwise, 0 not"}},
		every + " -A -l fleet=" + s.namespace + " " + rolls: {5, []string{s.namespace + "/web: DISRUPTS", "  pod web-1: restarts at ", ": 1 compared, 1 with more disruptions"}},
		every + " " + rolls:                      {5, []string{s.namespace + "/db: DISRUPTS", ": 2 compared, 2 with more disruptions"}},
		"--recording " + recording + " " + same:  {0, []string{": 1 compared, 0 with more disruptions, 0 different otherwise, 0 not"}},
		"--recording " + recording + " " + rolls: {5, []string{s.namespace + "/web as of ", "  pod web-0: restarts at "}},
	} {
		r := s.says("setplan forecast", line)
		for _, word := range want.words {
			if !strings.Contains(r.out, word) {
				t.Errorf("%s: no %q", line, word)
			}
		}
		if r.code != want.code {
			t.Errorf("%s: exit code %d, want %d", line, r.code, want.code)
		}
		if t.Failed() {
			t.Fatal(fmt.Sprint(r))
		}
	}
	if after := s.get("web").ResourceVersion; after != before || s.pods() != story {
		t.Errorf("the set is at %s, was at %s; the pods: %s, were: %s", after, before, s.pods(), story)
	}
}

// labelled puts a label on a set.
func labelled(key, value string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Labels = map[string]string{key: value} }
}
