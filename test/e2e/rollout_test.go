//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// mustKubectl runs the real kubectl in the scene's namespace and returns what it prints.
func (s *scene) mustKubectl(args ...string) string {
	s.Helper()
	out := must(s.cluster.kubectl(append([]string{"-n", s.namespace}, args...)...))(s)
	return out
}

func TestKubectl(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.quota(1)
	s.create(webSet("web", 2, minReady(1)))
	status := func() { s.mustKubectl("rollout", "status", "statefulset/web", "--timeout=9m") }
	if out := s.waitsForRollout(func() { s.quota(10) }); !strings.Contains(out, "Waiting for") || !strings.Contains(out, "roll out complete: 2 new pods") {
		t.Errorf("rollout status of a start says %q", out)
	}
	s.settled("web")
	story := []string{born("web-0"), born("web-1")}

	if out := s.mustKubectl("scale", "statefulset/web", "--current-replicas=2", "--replicas=3"); !strings.Contains(out, "scaled") {
		t.Errorf("scale says %q", out)
	}
	s.settled("web")
	story = append(story, born("web-2"))
	s.wantPods(story...)
	if out, err := s.cluster.kubectl("-n", s.namespace, "scale", "statefulset/web", "--current-replicas=9", "--replicas=1"); err == nil {
		t.Errorf("scale with another number of current replicas says %q, want an error", out)
	}

	s.pin("web-2")
	s.mustKubectl("set", "image", "statefulset/web", "nginx="+image2)
	if out := s.waitsForRollout(func() { s.unpin("web-2") }); !strings.Contains(out, "out of 3 new pods") || !strings.Contains(out, "roll out complete: 3 new pods") {
		t.Errorf("rollout status of an update says %q", out)
	}
	s.wantImages("web", "nginx:2", "nginx:2", "nginx:2")
	s.settled("web")
	again := []string{replaced("web-2"), replaced("web-1"), replaced("web-0")}
	story = append(story, again...)
	s.wantPods(story...)

	s.mustKubectl("rollout", "restart", "statefulset/web")
	status()
	s.settled("web")
	story = append(story, again...)
	s.wantPods(story...)
	s.wantImages("web", "nginx:2", "nginx:2", "nginx:2")
	s.wantHistory(1, 2, 3)
	if out := s.mustKubectl("rollout", "history", "statefulset/web", "--revision=1"); !strings.Contains(out, image1) {
		t.Errorf("rollout history of revision 1 says %q, want its template", out)
	}

	s.mustKubectl("rollout", "undo", "statefulset/web", "--to-revision=1")
	status()
	s.settled("web")
	s.wantPods(append(story, again...)...)
	s.wantImages("web", "nginx:1", "nginx:1", "nginx:1")
	s.wantHistory(2, 3, 4)
}

// waitsForRollout runs kubectl rollout status, lets the set finish only after kubectl says that it waits, and returns its
// output.
func (s *scene) waitsForRollout(letGo func()) string {
	s.Helper()
	p := must(start(s.file("rollout.log"), "kubectl", "--kubeconfig", s.kubeconfig, "-n", s.namespace,
		"rollout", "status", "statefulset/web", "--timeout=9m"))(s)
	defer p.kill()
	must(p.waitForLog("Waiting for", time.Minute))(s)
	letGo()
	select {
	case <-p.done:
	case <-time.After(busy * 2 * time.Minute):
		s.Fatalf("it does not end: %s", p.tail())
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		s.Errorf("kubectl rollout status ends with exit code %d", code)
	}
	return s.mustRead(p.log)
}

// wantHistory checks the revisions that kubectl rollout history lists.
func (s *scene) wantHistory(numbers ...int64) {
	s.Helper()
	out := s.mustKubectl("rollout", "history", "statefulset/web")
	var got []int64
	for _, line := range strings.Split(out, "\n") {
		var number int64
		if n, _ := fmt.Sscan(line, &number); n == 1 {
			got = append(got, number)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(numbers) {
		s.Errorf("rollout history lists %v, want %v: %s", got, numbers, out)
	}
}
