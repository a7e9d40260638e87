//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestPlannerLost: a holder of the lease whose planner is gone gives the lease back and ends. Restarted, it asks for it again only when its planner
// is back.
func TestPlannerLost(t *testing.T) {
	t.Parallel()
	s := lab(t)
	config := s.adapterConfig("direct", "")
	server := s.ownPlanner("server-1", "127.0.0.1:0")
	first := s.ownAdapter("first", config, server, "--own", underTest)
	first.becomes("setplan_adapter_leader", 1)
	second := s.ownAdapter("second", config, s.ownPlanner("server-2", "127.0.0.1:0"), "--own", underTest)
	s.create(webSet("web", 1))
	s.settled("web")

	server.kill()
	s.scale("web", 2)
	second.becomes("setplan_adapter_leader", 1)
	s.settled("web")
	eventually(t, busy*time.Minute, "the first ends", func() error {
		if first.running() {
			return errors.New("it runs")
		}
		return nil
	})
	first.says("the planner has been unreachable")
	first = s.ownAdapter("first-again", config, server, "--own", underTest)
	first.says("this replica does not ask for the lease")
	second.kill()
	time.Sleep(20 * time.Second) // the lease of the second has expired
	if first.metric("setplan_adapter_leader") != 0 {
		t.Error("the first leads without a planner")
	}
	s.ownPlanner("server-3", server.address)
	first.becomes("setplan_adapter_leader", 1)
	s.scale("web", 3)
	s.settled("web")
	s.unbroken()
}

// TestLeaseLost: an adapter that cannot renew its lease has sent its last write when the next one begins, even with hundreds of
// pods left to create.
func TestLeaseLost(t *testing.T) {
	t.Parallel()
	s := lab(t)
	p := newProxy(t, s.config)
	var mu sync.Mutex
	var wrote []time.Time
	lose := make(chan struct{})
	p.set(func(r *http.Request, c call) outcome {
		if strings.HasPrefix(c.path, "leases") {
			select {
			case <-lose:
				return outcome{status: http.StatusInternalServerError}
			default:
			}
		} else if r.Method != http.MethodGet && !strings.HasPrefix(c.path, "events") {
			mu.Lock()
			wrote = append(wrote, time.Now())
			mu.Unlock()
		}
		return outcome{}
	})
	slow := []string{"--own", underTest, "--kube-api-qps", "5", "--kube-api-burst", "1"}
	first := s.ownAdapter("first", s.adapterConfig("proxied", p.URL), nil, slow...)
	first.becomes("setplan_adapter_leader", 1)
	second := s.ownAdapter("second", s.adapterConfig("direct", ""), nil, slow...)
	s.create(webSet("web", 500, parallel, withoutClaims))
	eventually(t, 90*time.Second, "a stage of 128 pods has begun", func() error {
		mu.Lock()
		defer mu.Unlock()
		if len(wrote) < 136 {
			return fmt.Errorf("%d writes", len(wrote))
		}
		return nil
	})
	lost := time.Now()
	close(lose)
	second.becomes("setplan_adapter_leader", 1)
	lease := must(s.client.CoordinationV1().Leases("kube-system").Get(context.Background(), "setplan-adapter."+s.namespace, metav1.GetOptions{}))(t)
	began := lease.Spec.AcquireTime.Time
	time.Sleep(5 * time.Second)
	mu.Lock()
	defer mu.Unlock()
	late := 0
	for _, at := range wrote {
		if at.After(began) {
			late++
		}
	}
	last := slices.MaxFunc(wrote, time.Time.Compare)
	t.Logf("%d writes, the last %v before the second began", len(wrote), began.Sub(last))
	if late > 0 {
		t.Errorf("%d writes of the first came after the second had begun", late)
	}
	if last.Sub(lost) < 5*time.Second { // its term ends eight seconds after it can renew no more, at the earliest
		t.Error("the first had nothing left to write, so the test shows nothing")
	}
}

// TestTwoLeases: adapters that would run the same sets wait for each other, whatever their flags say; others do not.
func TestTwoLeases(t *testing.T) {
	t.Parallel()
	t.Run("laptop", func(t *testing.T) {
		t.Parallel()
		s := newScene(t, shared.cluster) // an adapter runs all sets there
		s.create(webSet("web", 1))
		s.settled("web") // that adapter has its lease
		config := s.adapterConfig("direct", "")
		everywhere := must(startAdapter(s.dir, s.namespace+"-everywhere", config, nil, "--own", underTest))(t)
		t.Cleanup(everywhere.kill)
		here := s.ownAdapter("here", config, nil, "--own", underTest)
		here.says("does not ask for the lease")
		a := &adapter{everywhere, s}
		a.says("the lease is held")
		s.scale("web", 2)
		s.settled("web")
		if acts := s.acts(); len(acts) > 0 {
			t.Errorf("they acted: %s", strings.Join(acts, ", "))
		}
	})
	t.Run("strangers", func(t *testing.T) {
		t.Parallel()
		for range 2 {
			s := lab(t)
			a := s.ownAdapter("here", s.adapterConfig("direct", ""), nil, "--own", underTest)
			s.create(webSet("web", 1))
			s.settled("web")
			a.becomes("setplan_adapter_leader", 1)
		}
	})
}

// TestOwnKind: two processes of this adapter, both allowed to run without a lease, notice each other, and at least one leaves
// the set alone.
func TestOwnKind(t *testing.T) {
	t.Parallel()
	s := lab(t)
	config := s.adapterConfig("direct", "")
	adapters := []*adapter{s.ownAdapter("first", config, nil, unelected...), s.ownAdapter("second", config, nil, unelected...)}
	s.create(webSet("web", 3, parallel))
	n := 3
	eventually(t, 2*time.Minute, "one sees the other", func() error {
		for _, a := range adapters {
			if a.metric(`setplan_adapter_sets{state="foreign writer"}`) == 1 {
				return nil
			}
		}
		n = 7 - n // 3, 4, 3, ...
		s.scale("web", n)
		time.Sleep(3 * time.Second)
		return errors.New("no")
	})
	if s.warned(s.get("web").UID, "ForeignWriter", "another process of this adapter") == 0 {
		t.Error("no event says so")
	}
}
