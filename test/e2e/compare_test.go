//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/setplan/setplan/clients/cli/compare"
)

// TestCompare: beside the built-in controller a healthy rollout has no difference, a pod that a user deletes is nobody's, and a corrected
// template whose broken pod the built-in controller leaves alone is what ours would have repaired (kubernetes/kubernetes#67250). It is all
// done with the right to read.
func TestCompare(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "compare", "on")
	s := newScene(t, c)
	s.mustKubectl("create", "rolebinding", "reader", "--clusterrole=view", "--user=reader")
	s.create(webSet("healthy", 3))
	s.create(webSet("trap", 3, withoutClaims))
	s.settled("healthy")
	s.settled("trap")
	p, err := start(s.file("compare.log"), "setplan", "compare", "-n", s.namespace, "--kubeconfig", s.kubeconfig, "--as", "reader", "--for", "20m", "-o", "json")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	if _, err := p.waitForLog("comparing 2 sets", 20*time.Second); err != nil {
		t.Fatal(err)
	}

	s.image("trap", broken)
	eventually(t, 60*time.Second, "trap-2 is at the broken template", func() error { return s.hasImage("trap-2", broken) })
	s.image("healthy", image2)
	s.settled("healthy")
	s.image("trap", image3)
	time.Sleep(5 * time.Second) // the event about the pod before must not be taken for one about this one
	s.deletePod("healthy-1")
	s.settled("healthy")
	s.scale("healthy", 2)
	s.settled("healthy")
	time.Sleep(30 * time.Second) // ours waits before it repairs, and the comparison before it tells
	p.signal(syscall.SIGINT)

	log := s.mustRead(p.log)
	var report compare.Report
	if err := json.NewDecoder(strings.NewReader(log[max(0, strings.Index(log, "{\n")):])).Decode(&report); err != nil || len(report.Sets) != 2 {
		t.Fatalf("%v: %s", err, log)
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	healthy, trap := report.Sets[0], report.Sets[1]
	if healthy.Differs || healthy.Both["delete_pod"] != 4 || healthy.Both["create_pod"] != 4 || healthy.Both["create_revision"] != 1 ||
		toldOf(healthy.Others) != "delete_pod pod healthy-1 by somebody" {
		t.Errorf("of the healthy set: %+v", healthy)
	}
	if !trap.Differs || len(trap.Theirs)+len(trap.Others) > 0 || toldOf(trap.Ours) != "delete_pod pod trap-2 by " || !strings.Contains(trap.Ours[0].Why, "has never been ready at revision") {
		t.Errorf("of the trap: %+v", trap)
	}
	if t.Failed() {
		t.Log(log)
	}
}

// toldOf has what differences are about.
func toldOf(differences []compare.Difference) string {
	var all []string
	for _, d := range differences {
		all = append(all, fmt.Sprintf("%s %s by %s", d.Operation, d.Object, d.By))
	}
	return strings.Join(all, ", ")
}
