//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestObserve: a set is planned continually, and the API server gets nothing but reads: no action, no event, no lease.
func TestObserve(t *testing.T) {
	t.Parallel()
	s := lab(t)
	a := s.ownAdapter("observer", s.adapterConfig("direct", ""), nil, "--mode", "observe", "--own", underTest)
	set := s.create(webSet("web", 3))
	a.says(`msg="planned, not applied: observe mode" set=` + s.namespace + `/web`)
	s.scale("web", 5)
	eventually(t, 30*time.Second, "the plan for the new spec", func() error {
		if a.metric(`setplan_adapter_plans_total{kind="actions"}`) < 2 {
			return errors.New("there was no second plan")
		}
		return nil
	})
	if n := a.metric(`setplan_adapter_planned_actions_total{operation="create_pod"}`); n == 0 {
		t.Errorf("no plan wanted to create a pod: %s", a.fetch("/metrics"))
	}
	var plans []struct {
		Set     string
		Actions map[string]int
		Next    []string
	}
	noError(t, json.Unmarshal([]byte(a.fetch("/plans")), &plans))
	if len(plans) != 1 || plans[0].Set != s.namespace+"/web" || !slices.Contains(plans[0].Next, "create pod web-0") {
		t.Errorf("the plans are %+v, want one for web, that creates web-0", plans)
	}
	// Long enough for reports of blocks and holds, if they were allowed.
	time.Sleep(2 * time.Second)
	a.stop()

	requests := s.requests()
	if len(requests) == 0 {
		t.Fatal("the audit log has nothing from the adapter")
	}
	for _, r := range requests {
		if !r.reads() {
			t.Errorf("%s %s was sent", r.what(), r.ObjectRef.Name)
		}
	}
	if now := s.get("web"); now.Status.ObservedGeneration != 0 || now.Generation != set.Generation+1 {
		t.Errorf("the set was written: generation %d, observed %d", now.Generation, now.Status.ObservedGeneration)
	}
	if story := s.pods(); story != "" {
		t.Errorf("there were pods: %s", story)
	}
}

// TestLease: of two adapters one acts. When it is killed the other does, once the lease has expired.
func TestLease(t *testing.T) {
	t.Parallel()
	s := lab(t)
	config := s.adapterConfig("direct", "")
	elected := []string{"--own", underTest, "--leader-elect"}
	first := s.ownAdapter("first", config, nil, elected...)
	first.becomes("setplan_adapter_leader", 1)
	second := s.ownAdapter("second", config, nil, elected...)
	s.create(webSet("web", 2))
	s.settled("web")
	second.says(`msg="the lease is held"`)
	if n := second.metric("setplan_adapter_leader"); n != 0 {
		t.Error("both hold the lease")
	}
	if log := s.mustRead(second.log); strings.Contains(log, `msg="action done"`) || second.metric(`setplan_adapter_plans_total{kind="actions"}`) > 0 {
		t.Errorf("the waiting adapter has planned or acted: %s", log)
	}

	first.kill()
	s.image("web", "registry.example/nginx:2")
	second.becomes("setplan_adapter_leader", 1)
	s.settled("web")
	s.unbroken()
	s.wantPods(born("web-0"), born("web-1"), replaced("web-1"), replaced("web-0"))
	if log := s.mustRead(second.log); !strings.Contains(log, "operation=delete_pod target=Pod/web-1") {
		t.Error("the second did not go on")
	}
	second.stop()
	lease := must(s.client.CoordinationV1().Leases("kube-system").Get(context.Background(), "setplan-adapter."+s.namespace, metav1.GetOptions{}))(t)
	if holder := lease.Spec.HolderIdentity; holder != nil && *holder != "" {
		t.Errorf("the lease is held by %s after its holder has shut down properly", *holder)
	}
}
