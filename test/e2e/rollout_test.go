//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// mustKubectl runs the real kubectl in the scene's namespace and returns what it prints.
func (s *scene) mustKubectl(args ...string) string {
	s.Helper()
	out, err := s.cluster.kubectl(append([]string{"-n", s.namespace}, args...)...)
	if err != nil {
		s.Fatal(err)
	}
	return out
}

// wantRenumbered checks that an undo created no revision: of two, the old one got the next number, and nothing else changed.
func (s *scene) wantRenumbered(before []appsv1.ControllerRevision) {
	s.Helper()
	after := s.revisions()
	if len(before) != 2 || len(after) != 2 {
		s.Fatalf("%d revisions, then %d, want two", len(before), len(after))
	}
	stays, renumbered := after[0], after[1]
	if stays.Name != before[1].Name || stays.Revision != 2 || stays.ResourceVersion != before[1].ResourceVersion {
		s.Errorf("revision 2 was written: %s %d, want %s as it was", stays.Name, stays.Revision, before[1].Name)
	}
	if renumbered.UID != before[0].UID || renumbered.Revision != 3 || !bytes.Equal(renumbered.Data.Raw, before[0].Data.Raw) {
		s.Errorf("revision 3 is %s, want %s with the same data", renumbered.Name, before[0].Name)
	}
	if made := words(s.events("ControllerRevision"), "+"); len(made) != 2 {
		s.Errorf("revisions made: %v, want two", made)
	}
}

func TestRolloutUndo(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3))
	first := s.settled("web").Status.CurrentRevision
	s.image("web", image2)
	s.settled("web")
	revisions, story := s.revisions(), s.pods()
	if out := s.mustKubectl("rollout", "undo", "statefulset/web"); !strings.Contains(out, "rolled back") {
		t.Errorf("kubectl rollout undo says %q", out)
	}
	last := s.settled("web")
	s.wantPods(story, replaced("web-2"), replaced("web-1"), replaced("web-0"))
	s.wantImages("web", "nginx:1", "nginx:1", "nginx:1")
	s.wantRenumbered(revisions)
	if last.Status.CurrentRevision != first {
		t.Errorf("current revision %s, want %s as before the update", last.Status.CurrentRevision, first)
	}
}

// An update that is undone half way reverts the pods that it replaced, and leaves the others alone.
func TestRolloutUndoHalfWay(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, partition(1)))
	first := s.settled("web").Status.CurrentRevision
	s.image("web", image2)
	s.steady("web", 2)
	revisions, story := s.revisions(), s.pods()
	untouched := s.pod("web-0")
	s.mustKubectl("rollout", "undo", "statefulset/web")
	last := s.settled("web")
	s.wantPods(story, replaced("web-2"), replaced("web-1"))
	s.wantImages("web", "nginx:1", "nginx:1", "nginx:1")
	s.wantRenumbered(revisions)
	if s.pod("web-0").ResourceVersion != untouched.ResourceVersion {
		t.Errorf("web-0 was written")
	}
	if st := last.Status; st.CurrentRevision != first || st.UpdateRevision != first {
		t.Errorf("status is %+v, want the revision %s", st, first)
	}
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
	p, err := start(s.file("rollout.log"), "kubectl", "--kubeconfig", s.kubeconfig, "-n", s.namespace,
		"rollout", "status", "statefulset/web", "--timeout=9m")
	if err != nil {
		s.Fatal(err)
	}
	defer p.kill()
	if _, err := p.waitForLog("Waiting for", time.Minute); err != nil {
		s.Fatal(err)
	}
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
