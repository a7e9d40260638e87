//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/protobuf/types/known/durationpb"
	appsv1 "k8s.io/api/apps/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
)

// writingLiar is a planner of another build, so that its plans are only checked. It has another status written in every plan.
type writingLiar struct{ *server.Service }

func (l writingLiar) Plan(ctx context.Context, r *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	response, err := l.Service.Plan(ctx, r)
	if err != nil {
		return nil, err
	}
	set, status := r.GetSnapshot().GetSet(), &setplanv1.StatefulSetStatus{}
	for _, name := range []string{"Reconciling", "Blocked", "Repairing", "Draining"} {
		message := strings.Repeat(strconv.FormatInt(time.Now().UnixNano(), 36)+" ", 1024)[:1024]
		status.Conditions = append(status.Conditions, &setplanv1.Condition{Type: name, Status: "True", Reason: "Lie", Message: message})
	}
	lie := &setplanv1.Action{Id: status.Conditions[0].Message[:20], Operation: &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: status}},
		Target:       &setplanv1.Target{Kind: set.GetKind(), Namespace: set.GetNamespace(), Name: set.GetName()},
		Precondition: &setplanv1.Precondition{Uid: set.GetUid(), ResourceVersion: set.GetResourceVersion()}}
	response.Plan.Stages = append(response.Plan.Stages, &setplanv1.Stage{Phase: setplanv1.StagePhase_STAGE_PHASE_STATUS, AlwaysRun: true,
		OnFailure: setplanv1.OnFailure_ON_FAILURE_SKIP_PHASE, Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{lie}}}})
	response.Plan.RequeueAfter, response.Version = durationpb.New(time.Millisecond), "liar"
	return response, nil
}

var putBytes = regexp.MustCompile(`(?m)^etcd_debugging_mvcc_total_put_size_in_bytes (\S+)`)

// TestLiarAndEtcd: a planner that lies has etcd, which keeps each version of an object for minutes, grow by less than 100 kB a second for each set.
func TestLiarAndEtcd(t *testing.T) {
	s := newScene(t, ownCluster(t, "liar", "off"))
	ca, cert, key, err := certificates(s.cluster.dir)
	noError(t, err)
	planning := grpc.NewServer(grpc.Creds(must(credentials.NewServerTLSFromFile(cert, key))(t)))
	setplanv1.RegisterPlannerServiceServer(planning, writingLiar{server.NewService(server.ServiceOptions{})})
	listener := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	go func() { _ = planning.Serve(listener) }()
	t.Cleanup(planning.Stop)
	var instance struct{ Ports struct{ EtcdClient int } }
	noError(t, json.Unmarshal([]byte(s.mustRead(filepath.Join(s.cluster.dir, s.cluster.name, "instance.json"))), &instance))
	put := func() float64 {
		answer := must(http.Get(fmt.Sprintf("http://127.0.0.1:%d/metrics", instance.Ports.EtcdClient)))(t)
		defer answer.Body.Close()
		return must(strconv.ParseFloat(string(putBytes.FindSubmatch(must(io.ReadAll(answer.Body))(t))[1]), 64))(t)
	}
	s.create(webSet("web", 3, func(set *appsv1.StatefulSet) {
		set.Annotations = map[string]string{"example.com/large": strings.Repeat("x", 200<<10)} // each write of the status writes them, too
	}))
	s.ownAdapter("liar", s.adapterConfig("liar", ""), &planner{address: listener.Addr().String(), ca: ca}, unelected...)
	time.Sleep(30 * time.Second) // some writes go at once
	before := put()
	time.Sleep(30 * time.Second)
	rate := (put() - before) / 30
	t.Logf("a liar has %.0f bytes a second written to etcd", rate)
	if rate > 100_000 || rate < 1000 {
		t.Error("more is too much for a set, and less is no lie")
	}
}
