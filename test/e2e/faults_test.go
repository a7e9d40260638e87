//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// requests lists the requests of the scene's adapters, from the audit log.
func (s *scene) requests() []request {
	s.Helper()
	file := must(os.Open(s.auditLog()))(s)
	defer file.Close()
	var requests []request
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return requests // the end, or a half-written line
		}
		if !bytes.Contains(line, []byte(s.user())) {
			continue
		}
		var r struct {
			request
			ImpersonatedUser struct{ Username string }
		}
		if err := json.Unmarshal(line, &r); err != nil {
			s.Fatalf("%v: %s", err, line)
		}
		if r.ImpersonatedUser.Username == s.user() {
			requests = append(requests, r.request)
		}
	}
}

// acts are the requests that change something, except reports and the lease.
func (s *scene) acts() []string {
	s.Helper()
	var acts []string
	for _, r := range s.requests() {
		if !r.reads() && r.ObjectRef.Resource != "events" && r.ObjectRef.Resource != "leases" {
			acts = append(acts, r.what()+" "+r.ObjectRef.Name)
		}
	}
	return acts
}

// noActs checks that no adapter of the scene changes anything for a while.
func (s *scene) noActs(d time.Duration) {
	s.Helper()
	before := s.acts()
	time.Sleep(d)
	if after := s.acts(); len(after) > len(before) {
		s.Errorf("there were new writes: %s", strings.Join(after[len(before):], ", "))
	}
}

// happens waits for a word in the story of the pods. The story may go on meanwhile.
func (s *scene) happens(word string) {
	s.Helper()
	eventually(s, 60*time.Second, word, func() error {
		if s.count("Pod", word) == 0 {
			return fmt.Errorf("the story is %s", s.pods())
		}
		return nil
	})
}

// podsRest waits until no pod is terminating or unready. That needs no adapter.
func (s *scene) podsRest() {
	s.Helper()
	eventually(s, 60*time.Second, "the pods are at rest", func() error {
		list, err := s.source.Resource(corev1.SchemeGroupVersion.WithResource("pods")).Namespace(s.namespace).List(context.Background(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range list.Items {
			if pod := &list.Items[i]; pod.GetDeletionTimestamp() != nil || !isReady(pod) {
				return fmt.Errorf("%s is on its way", pod.GetName())
			}
		}
		return nil
	})
}

// TestServerKilled: without a planner nothing changes in the cluster; with the next planner the rollout goes on.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	s := lab(t)
	server := s.ownPlanner("server", "127.0.0.1:0")
	a := s.ownAdapter("adapter", s.adapterConfig("direct", ""), server, unelected...)
	set := s.create(webSet("web", 3, minReady(1)))
	s.settled("web")
	a.becomes(`setplan_adapter_verification{by="replan"}`, 1) // both programs are of one checkout
	s.image("web", "registry.example/nginx:2")
	s.happens("-web-2")
	server.kill()

	// A plan that arrived earlier is still carried out. Then there is none, and the set is held. The edit makes the adapter
	// want a plan that would do something.
	s.scale("web", 5)
	a.becomes(`setplan_adapter_sets{state="planner unreachable"}`, 1)
	s.podsRest()
	s.quiet(time.Second)
	s.noActs(4 * time.Second)
	if s.count("Pod", "+web-3") > 0 {
		t.Error("web-3 was created without a planner")
	}
	if n := s.warned(set.UID, "PlannerUnreachable", "Nothing is changed"); n != 1 {
		t.Errorf("the event occurred %d times, want once", n)
	}
	if reached := a.metric(`setplan_adapter_planner_errors_total{code="Unavailable"}`); reached == 0 {
		t.Error("the errors of the planner are not counted")
	}

	s.ownPlanner("server-2", server.address)
	s.settled("web")
	if !a.running() {
		t.Error("the adapter ended")
	}
	s.unbroken()
	// The rollout goes on with web-2 first: nothing was forgotten, nothing done twice.
	s.createdTimes(2, "web-0", "web-1", "web-2") // before and after the update
	s.createdTimes(1, "web-3", "web-4")
}

// createdTimes checks how often pods were created.
func (s *scene) createdTimes(want int, pods ...string) {
	s.Helper()
	for _, pod := range pods {
		if n := s.count("Pod", "+"+pod); n != want {
			s.Errorf("%s was created %d times, want %d", pod, n, want)
		}
	}
}

// TestAPIServerRestarted: a rollout goes on after a restart of the API server.
func TestAPIServerRestarted(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "restarted", "off")
	s := newScene(t, c)
	a := s.ownAdapter("adapter", s.adapterConfig("direct", ""), s.ownPlanner("server", "127.0.0.1:0"), unelected...)
	s.create(webSet("web", 3, minReady(1)))
	s.settled("web")
	s.image("web", "registry.example/nginx:2")
	s.happens("-web-1")

	ctx, cancel := context.WithTimeout(context.Background(), busy*2*time.Minute)
	defer cancel()
	// The scheduler is restarted too: one that misses both the end of a pod and the start of the next with its name finds its
	// cache corrupted, and no longer schedules that pod.
	for _, component := range []string{"apiserver", "scheduler"} {
		must(c.local(ctx, "restart", component))(t)
	}
	s.settledDespite("web")
	if !a.running() {
		t.Error("the adapter ended")
	}
	s.unbroken()
	s.createdTimes(2, "web-0", "web-1", "web-2") // before and after the update
}

// settledDespite is settled, for a time in which the API server may not answer yet.
func (s *scene) settledDespite(name string) {
	s.Helper()
	eventually(s, time.Minute, "the API server answers", func() error {
		_, err := s.client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(context.Background())
		return err
	})
	s.settled(name)
}
