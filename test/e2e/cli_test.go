//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	corev1 "k8s.io/api/core/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// reason is one thing that a set waits for, as the command line prints it.
type reason struct {
	Code, Severity, Subject, Message, Cause, Remedy string
	Evidence, Commands, Waiting                     []string
	NotBefore                                       time.Time
}

func (r *reason) text() string {
	return strings.Join(append([]string{r.Message, r.Cause, r.Remedy}, append(r.Evidence, r.Commands...)...), "\n")
}

type report struct {
	Set       string
	Converged bool
	Reasons   []reason
	Next      []string
}

// setplan runs the command line in the scene's namespace and returns what it prints.
func (s *scene) setplan(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), busy*time.Minute)
	defer cancel()
	return run(ctx, []string{"KUBECONFIG=" + s.kubeconfig}, "setplan", append(args, "-n", s.namespace)...)
}

func (s *scene) mustSetplan(args ...string) string {
	s.Helper()
	out := must(s.setplan(args...))(s)
	return out
}

// why asks about one set.
func (s *scene) why(set string) *report {
	s.Helper()
	var reports []report
	if err := json.Unmarshal([]byte(s.mustSetplan("why", s.named(set), "-o", "json")), &reports); err != nil || len(reports) != 1 {
		s.Fatalf("%d reports, %v", len(reports), err)
	}
	return &reports[0]
}

// planned is the plan for a set.
func (s *scene) planned(set string) *setplanv1.Plan {
	s.Helper()
	plan := &setplanv1.Plan{}
	noError(s, protojson.Unmarshal([]byte(s.mustSetplan("plan", s.named(set), "-o", "json")), plan))
	return plan
}

// named is how commands take a set of the kind under test.
func (s *scene) named(set string) string {
	if isOwn() && !strings.Contains(set, "/") {
		return "ssts/" + set
	}
	return set
}

// firstCause waits until the first reason has this code, subject and words.
func (s *scene) firstCause(set, code, subject string, words ...string) *reason {
	s.Helper()
	var first *reason
	eventually(s, 60*time.Second, "why names "+code+" on "+subject, func() error {
		r := s.why(set)
		if len(r.Reasons) == 0 {
			return fmt.Errorf("it says %+v", r)
		}
		first = &r.Reasons[0]
		if first.Code != code || first.Subject != subject {
			return fmt.Errorf("it says %+v", *first)
		}
		for _, word := range words {
			if !strings.Contains(first.text(), word) {
				return fmt.Errorf("%q is not in\n%s", word, first.text())
			}
		}
		return nil
	})
	s.Logf("%s %s: %s\n%s", first.Code, first.Subject, first.Message, first.text())
	return first
}

// do runs a command of a remedy as a user would who pastes it into a shell. Pairs replace the words in capitals.
func (s *scene) do(command string, fill ...string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), busy*time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "bash", "-c", strings.NewReplacer(fill...).Replace(command))
	shell.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig, "PATH="+binDir()+":"+os.Getenv("PATH"))
	if out, err := shell.CombinedOutput(); err != nil {
		s.Fatalf("%s: %v: %s", command, err, out)
	}
}

// unblocked waits until the set is in the desired state and why says so.
func (s *scene) unblocked(set string) {
	s.Helper()
	s.settled(set)
	eventually(s, 20*time.Second, "why finds nothing", func() error {
		if r := s.why(set); !r.Converged || len(r.Reasons) > 0 {
			return fmt.Errorf("it says %+v", r)
		}
		return nil
	})
	if text := s.mustSetplan("why", set); !strings.Contains(text, set+" is in the desired state") {
		s.Errorf("it says %s", text)
	}
}

// hasPhase returns nil once a pod is in the phase.
func (s *scene) hasPhase(pod string, phase corev1.PodPhase) error {
	if got := s.pod(pod).Status.Phase; got != phase {
		return fmt.Errorf("it is %s", got)
	}
	return nil
}
