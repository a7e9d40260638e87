//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
)

// said is a program's output and exit code.
type said struct {
	out, errors string
	code        int
}

// says runs a command line in the scene's namespace.
func (s *scene) says(program, line string) said {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), busy*time.Minute)
	defer cancel()
	var out, errors strings.Builder
	run := exec.CommandContext(ctx, "bash", "-c", program+" -n "+s.namespace+" "+line)
	run.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig, "PATH="+binDir()+":"+os.Getenv("PATH"))
	run.Stdout, run.Stderr = &out, &errors
	_ = run.Run() // the test checks the exit code
	return said{out.String(), errors.String(), run.ProcessState.ExitCode()}
}

// sameAsKubectl runs a subcommand of rollout with both programs. Both must print the same on standard output and have the same
// exit code.
func (s *scene) sameAsKubectl(line string) said {
	s.Helper()
	theirs, ours := s.says("kubectl rollout", line), s.says("setplan rollout", line)
	if ours.out != theirs.out || ours.code != theirs.code {
		s.Errorf("rollout %s: kubectl ends with %d and says\n%s%ssetplan ends with %d and says\n%s%s", line, theirs.code, theirs.out, theirs.errors, ours.code, ours.out, ours.errors)
	}
	return ours
}

// TestRolloutCommands: for sets of apps/v1 our rollout prints what kubectl's does, and has the same effect.
func TestRolloutCommands(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, withoutClaims))
	s.create(webSet("byhand", 1, withoutClaims, func(set *appsv1.StatefulSet) {
		set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType}
	}))
	s.create(webSet("bare", 1, withoutClaims, func(set *appsv1.StatefulSet) {
		set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType}
	}))
	for _, name := range []string{"web", "byhand", "bare"} {
		s.settled(name)
	}
	first := s.template("web")
	s.must("kubectl annotate sts web kubernetes.io/change-cause='a second image'")
	s.image("web", image2)
	s.settled("web")
	second := s.template("web")

	for _, line := range []string{
		"status sts/web", "status sts/web --watch=false", "status sts/web --timeout 5s", "status sts/bare", "status sts/byhand", "status sts/nobody", "status sts/web --revision=-1",
		"history sts/web", "history sts/web --revision=9", "history statefulset/byhand",
		"undo sts/byhand", "undo sts/web --to-revision=9", "undo sts/web --to-revision=2", "undo sts/web --dry-run=server", "undo sts/web --dry-run=some",
		"restart sts/nobody", "status", "undo", "status flowers/web",
	} {
		s.sameAsKubectl(line)
	}
	if detail := s.says("setplan rollout", "history sts/web --revision=1"); !strings.HasPrefix(detail.out, "statefulset.apps/web with revision #1\nPod Template:\n") || detail.code != 0 {
		t.Errorf("history --revision: %+v", detail)
	}
	s.undoes(first, second)
	s.pauses()

	// If a rollout does not end the wait exits with 1, and neither program writes to the set.
	s.patch("web", `{"spec":{"template":{"metadata":{"annotations":{"setplan.io/test-hold":"x"}}}}}`)
	s.happens("-web-2")
	eventually(t, 30*time.Second, "a pod is not ready", func() error {
		if s.get("web").Status.ReadyReplicas != 2 {
			return fmt.Errorf("all are")
		}
		return nil
	})
	for _, program := range []string{"kubectl rollout", "setplan rollout"} {
		stuck := s.says(program, "status sts/web --timeout 5s") // one line for each event, and their number varies
		lines := slices.Compact(strings.Split(stuck.out, "\n"))
		if diff := cmp.Diff([]string{"Waiting for 1 pods to be ready...", ""}, lines); diff != "" || stuck.code != 1 || !strings.Contains(stuck.errors, "timed out waiting for the condition") {
			t.Errorf("%s, after a timeout: %+v", program, stuck)
		}
	}
}

// must runs a command that has to succeed.
func (s *scene) must(line string) string {
	s.Helper()
	program, rest, _ := strings.Cut(line, " ")
	r := s.says(program, rest)
	if r.code != 0 {
		s.Fatalf("%s: %s", line, r.errors)
	}
	return r.out
}

// undoes goes back and forth: the set gets exactly its earlier template, and no revision is created.
func (s *scene) undoes(first, second string) {
	s.Helper()
	known := len(s.revisionData())
	for _, step := range []struct{ line, template string }{
		{"undo sts/web", first}, {"undo sts/web", second}, {"undo sts/web --to-revision=3", first}, // each undo makes its revision the highest
	} {
		if dry := s.must("setplan rollout " + step.line + " --dry-run=server"); dry != "statefulset.apps/web rolled back (server dry run)\n" {
			s.Errorf("%s --dry-run=server: %s", step.line, dry)
		}
		before := s.template("web")
		if out := s.must("setplan rollout " + step.line); out != "statefulset.apps/web rolled back\n" || before == step.template {
			s.Errorf("%s: %s; a dry run has changed the template: %v", step.line, out, before == step.template)
		}
		if got := s.template("web"); got != step.template {
			s.Errorf("%s leaves\n%s\nwant\n%s", step.line, got, step.template)
		}
		s.settled("web")
		s.sameAsKubectl("history sts/web")
	}
	if now := len(s.revisionData()); now != known {
		s.Errorf("there are %d revisions, were %d", now, known)
	}
}

// template is a set's pod template as the API server stores it.
func (s *scene) template(name string) string {
	s.Helper()
	return s.must("kubectl get sts " + name + " -o jsonpath='{.spec.template}'")
}

// pauses holds a restart back and resumes it.
func (s *scene) pauses() {
	s.Helper()
	for _, step := range []struct{ line, says string }{
		{"pause sts/web", "paused"}, {"pause sts/web", "already paused"}, {"pause web --mode All", "paused"}, {"pause web", "paused"}, {"restart sts/web", "restarted"},
	} {
		if out := s.must("setplan rollout " + step.line); out != "statefulset.apps/web "+step.says+"\n" {
			s.Errorf("%s: %s", step.line, out)
		}
	}
	eventually(s, 30*time.Second, "the restart is seen", func() error {
		if st := s.get("web").Status; st.UpdateRevision == st.CurrentRevision {
			return fmt.Errorf("status is %+v", st)
		}
		return nil
	})
	held := s.says("setplan rollout", "status sts/web --watch=false")
	if !strings.Contains(held.out, "0 out of 3 new pods") || !strings.Contains(held.errors, "setplan.io/pause=Updates holds the rollout back") {
		s.Errorf("of a paused set: %+v", held)
	}
	for _, says := range []string{"resumed", "already resumed"} {
		if out := s.must("setplan rollout resume sts/web"); out != "statefulset.apps/web "+says+"\n" {
			s.Errorf("resume: %s", out)
		}
	}
	if out := s.must("setplan rollout status sts/web"); !strings.HasSuffix(out, "partitioned roll out complete: 3 new pods have been updated...\n") {
		s.Errorf("status says %s", out)
	}
	s.settled("web")
}
