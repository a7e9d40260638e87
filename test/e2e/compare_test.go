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

// TestCompare: beside another controller a healthy rollout has no difference, nor have claims that are made to grow and pods that are updated in
// place, and a pod that a user deletes is nobody's. A corrected template whose broken pod the built-in controller leaves alone is what ours would
// have repaired (kubernetes/kubernetes#67250). Of our own kind our adapter is the other controller, and the planner goes by the rules of Kubernetes:
// it would have left that pod alone. It is all done with the right to read.
func TestCompare(t *testing.T) {
	t.Parallel()
	s, ours := besideAnother(t)
	newProvider(s)
	s.mustKubectl("create", "rolebinding", "reader", "--clusterrole=view", "--user=reader")
	s.create(webSet("healthy", 3))
	s.create(webSet("trap", 3, withoutClaims))
	sets := []string{"healthy", "trap"}
	if isOwn() { // the built-in controller updates nothing in place
		newHosts(s).ignore("trap-2", true)
		s.create(webSet("placed", 2, withoutClaims, annotated("setplan.io/in-place", "InPlaceOnly")))
		sets = append(sets, "placed")
	}
	for _, set := range sets {
		s.settled(set)
	}
	p := must(start(s.file("compare.log"), "setplan", append(ours, "-n", s.namespace, "--kubeconfig", s.kubeconfig, "--as", "reader", "--for", "20m", "-o", "json")...))(t)
	t.Cleanup(p.kill)
	must(p.waitForLog(fmt.Sprintf("comparing %d sets", len(sets)), 20*time.Second))(t)

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
	s.claimsGrow("healthy", 2)
	if isOwn() {
		s.image("placed", image2)
		s.settled("placed")
	}
	time.Sleep(30 * time.Second) // ours waits before it repairs, and the comparison before it tells
	p.signal(syscall.SIGINT)

	log := s.mustRead(p.log)
	var report compare.Report
	if err := json.NewDecoder(strings.NewReader(log[max(0, strings.Index(log, "{\n")):])).Decode(&report); err != nil || len(report.Sets) != len(sets) {
		t.Fatalf("%v: %s", err, log)
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	healthy, trap := report.Sets[0], report.Sets[len(sets)-1]
	if placed := report.Sets[1]; isOwn() && (placed.Differs || len(placed.Others) > 0 || placed.Both["update_pod"] != 4) {
		t.Errorf("of the set that is updated in place: %+v", placed)
	}
	if healthy.Differs || healthy.Both["delete_pod"] != 4 || healthy.Both["create_pod"] != 4 || healthy.Both["create_revision"] != 1 || healthy.Both["patch_claim"] != 2 ||
		toldOf(healthy.Others) != "delete_pod pod healthy-1 by somebody" {
		t.Errorf("of the healthy set: %+v", healthy)
	}
	wanted, done, why := trap.Ours, trap.Theirs, "has never been ready at revision"
	told := "delete_pod pod trap-2 by "
	if isOwn() {
		wanted, done, told, why = trap.Theirs, trap.Ours, told+compare.ByController, "POD_NOT_READY"
	}
	if !trap.Differs || len(done)+len(trap.Others) > 0 || toldOf(wanted) != told || !strings.Contains(wanted[0].Why, why) {
		t.Errorf("of the trap: %+v", trap)
	}
	if t.Failed() {
		t.Log(log)
	}
}

// besideAnother is a scene whose sets another controller runs, and the command that compares.
func besideAnother(t *testing.T) (*scene, []string) {
	t.Helper()
	if !isOwn() {
		return newScene(t, ownCluster(t, "compare", "on")), []string{"compare"}
	}
	s := newScene(t, shared.cluster)
	s.mustKubectl("create", "role", "own-reader", "--verb=get,list,watch", "--resource=statefulsets.apps.setplan.io")
	s.mustKubectl("create", "rolebinding", "own-reader", "--role=own-reader", "--user=reader")
	return s, []string{"compare", "ssts/", "--behavior", "KUBERNETES_1_36"}
}

// claimsGrow has the claims of a set grow, the highest ordinal first: by an adapter or, beside the built-in controller, by hand.
func (s *scene) claimsGrow(set string, pods int) {
	s.Helper()
	s.annotateSet(set, claimTemplates, asksFor("2Gi"))
	for ordinal := pods - 1; ordinal >= 0; ordinal-- {
		claim := fmt.Sprintf("www-%s-%d", set, ordinal)
		if !isOwn() {
			s.mustKubectl("patch", "pvc", claim, "-p", `{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}`)
		}
		eventually(s, 30*time.Second, claim+" has grown", func() error {
			if has := s.claim(claim).Status.Capacity.Storage().String(); has != "2Gi" {
				return fmt.Errorf("it has %s", has)
			}
			return nil
		})
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
