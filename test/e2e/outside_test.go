//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/setplan/setplan/test/outside"
)

// outsideFlags tell every adapter its cluster and its planner.
const outsideFlags = " --kubeconfig {kubeconfig} --planner-address {planner} --planner-ca-file {ca} "

// TestOutside: adapters in every language keep the rules of proto/SPEC.md that show in their requests.
func TestOutside(t *testing.T) {
	t.Parallel()
	line := program("setplan-adapter") + outsideFlags + "--own apps/v1 --leader-elect=false --kube-api-qps 500 --kube-api-burst 1000"
	if *adapterCommand != "" {
		line = *adapterCommand + outsideFlags + "--leader-elect=false"
	}
	for _, r := range runOutside(t, bareCluster(t, "outside"), line, nil, 0) {
		if !r.Passed() {
			t.Errorf("%s: %v", r.ID(), r.Findings)
		}
	}
}

const (
	refusalTold = "A14/an eviction that a disruption budget refuses is reported in the API server's words"
	refusalKept = "A14/an eviction that a disruption budget has refused is reported while plans leave it out"
	refusedOnce = "A14/an eviction that a disruption budget refuses is sent once, and nothing waits as Retry-After says"
)

// found lists the cases that find each breach of setplan-bad-adapter.
var found = map[string][]string{
	"numbers-as-doubles":     {"A1/templates keep every digit", "A1/revisions keep every digit"},
	"claims-left-out":        {"A2/the snapshot has every object that it has to have"},
	"known-annotations":      {"A18/annotations of the set are sent as they are, and no policy is made of them"},
	"no-pod-annotations":     {"D5/annotations of pods and claims under setplan.io/ are sent, and no others"},
	"no-outcomes":            {"A14/an action that failed is reported with the next snapshot"},
	"no-capabilities":        {"C5/the adapter says what it can do"},
	"no-neighbours":          {"D6/other sets with the same claim names are sent", "D6/a set with the same claim names that has come since"},
	"no-gate":                {"A3/no snapshot is taken before the caches show a created pod", "A3/no snapshot is taken before the caches show a deletion", "A3/no snapshot is taken before the caches show a status"},
	"no-events":              {"A17/a block that asks for attention is an event"},
	"no-fence":               {"A4/another uid", "A4/another generation", "A4/a snapshot that is too old", "A4/no fence", "A4/an annotation under setplan.io/ that has come since", "A4/an edit before a stage that deletes"},
	"set-from-the-cache":     {"A7/a set that is being deleted is read, and not taken from a cache"},
	"stages-together":        {"A5/a stage begins when the one before has ended"},
	"actions-together":       {"A5/the actions of a step come one after another", "A5/the first failure ends a step"},
	"one-after-another":      {"A5/a failed step does not stop the others of its stage"},
	"goes-on":                {"A6/after ABORT nothing more is done", "A6/after an unknown value nothing more is done", "A6/after STOP what always runs is still done", "A6/after SKIP_PHASE other phases are done"},
	"gives-up":               {"A6/after STOP what always runs is still done", "A6/after SKIP_PHASE other phases are done"},
	"no-preconditions":       {"A8/a deletion carries the uid", "A8/a patch of a pod carries uid and resource version", "A8/an adoption carries the uid", "A8/new owners of a claim carry uid and resource version", "A8/a change of a claim carries uid and resource version", "A8/an update of a pod in place carries uid and resource version", "A8/a resize of a pod carries uid and resource version", "A8/an eviction carries uid and resource version"},
	"no-status-precondition": {"A8/a status carries uid or resource version"},
	"absent-is-a-failure":    {"A9/a pod that is gone already is deleted", "A9/a pod that is gone already is evicted"},
	"taken-is-success":       {"A9/a pod that is there already and nobody's is not created"},
	"taken-is-a-failure":     {"A9/a pod that is there already and the set's is created"},
	"retries":                {"A9/an action is not tried again by itself", refusedOnce},
	"parsed-manifests":       {"A12/a manifest is sent as it is"},
	"zeros-left-out":         {"A13/a status writes zeros, and leaves what is not set"},
	"other-counters":         {"A13/a status writes zeros, and leaves what is not set"},
	"other-conditions":       {"A13/conditions are set by type"},
	"other-annotations":      {"A19/annotations of a pod are changed one by one"},
	"other-labels":           {"A19/a claim changes in what PatchClaim names", "A19/a pod changes in what UpdatePod names"},
	"two-writes":             {"A19/an update of a pod in place is one write"},
	"other-images":           {"A23/images change where they are"},
	"no-containers":          {"A23/what runs in a pod is sent where its images change in place, and only there"},
	"other-resources":        {"A24/resources change where they are"},
	"no-resources":           {"A24/what containers may use is sent where it changes in place, and news of it are told"},
	"missing-keys-stay":      {"A19/an update of a pod in place removes what is not there"},
	"budgets-are-errors":     {refusalTold, refusalKept},
	"budgets-for-load":       {"A14/an API server that has too much to do is not a disruption budget"},
	"other-words":            {refusalTold},
	"no-times-of-refusals":   {refusalTold},
	"new-times-of-refusals":  {refusalKept},
	"forgets-refusals":       {refusalKept},
	"waits-as-told":          {refusedOnce},
	"other-finalizers":       {"A19/one finalizer is removed, and the others stay"},
	"sleeps":                 {"A16/the adapter asks again when it was told to", "A16/the adapter asks again at once after a plan that was cut"},
	"storms":                 {"A11/nothing is written after an error, and it is not repeated like a storm"},
	"decides":                {"A11/nothing is written while there is no planner", "A11/nothing is written after an error, and it is not repeated like a storm"},
	"live-set-is-gone":       {"A7/a set that is there is no obstacle"},

	"skips-unknown-operations": {"A10/an unknown operation fails its stage before any write"},
	"skips-unknown-fields":     {"A21/an unknown field in the fence", "A21/an unknown field in a stage", "A21/an unknown field in a step", "A21/an unknown field in a target", "A21/an unknown field in a precondition"},
	"refuses-unknown-codes":    {"C3/unknown values of enums are no obstacle"},
	"refuses-unknown-fields":   {"A21/an unknown field elsewhere is ignored"},
	"believes":                 nil, // the lies
}

// TestOutsideFinds: each case finds an adapter that breaks its rule on purpose.
func TestOutsideFinds(t *testing.T) {
	t.Parallel()
	bad := filepath.Join(t.TempDir(), "setplan-bad-adapter")
	if out, err := exec.Command("go", "build", "-o", bad, "../cmd/setplan-bad-adapter").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := bareCluster(t, "outside-bad")
	left := outside.Cases()
	for _, id := range left {
		if id[:2] == "D1" || id[:3] == "A20" {
			found["believes"] = append(found["believes"], id)
		}
	}
	for breach, ids := range found {
		only := regexp.MustCompile("^(" + joined(ids) + ")$")
		for _, r := range runOutside(t, c, bad+outsideFlags+"--breach "+breach, only, 6*time.Second) {
			if r.Passed() {
				t.Errorf("%s passes %s", breach, r.ID())
			}
			left = slices.DeleteFunc(left, func(id string) bool { return id == r.ID() })
		}
	}
	for _, id := range left {
		t.Errorf("no breach shows that %s can fail", id)
	}
	excepted(t, c, bad)
}

// excepted: an exception excuses a case that the adapter does not pass, and fails a case that it passes.
func excepted(t *testing.T, c *cluster, bad string) {
	t.Helper()
	events := outside.Exception{Case: "A17", Reason: "it writes no events"}
	only := regexp.MustCompile("^A17/")
	for breach, passes := range map[string]bool{"no-events": true, "no-outcomes": false} {
		for _, r := range runOutside(t, c, bad+outsideFlags+"--breach "+breach, only, 6*time.Second, events) {
			if r.Passed() != passes {
				t.Errorf("with an exception and the breach %s: %+v", breach, r)
			}
		}
	}
}

func joined(ids []string) (expression string) {
	for i, id := range ids {
		if i > 0 {
			expression += "|"
		}
		expression += regexp.QuoteMeta(id)
	}
	return expression
}

// runOutside runs cases against an adapter.
func runOutside(t *testing.T, c *cluster, line string, only *regexp.Regexp, patience time.Duration, exceptions ...outside.Exception) []outside.Result {
	t.Helper()
	folder, err := os.MkdirTemp(shared.dir, "outside-")
	if err != nil {
		t.Fatal(err)
	}
	results, err := outside.Run(context.Background(), outside.Options{Config: c.config, Command: line, Folder: folder, Only: only, Patience: patience, Exceptions: exceptions})
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", line, err))
	}
	if len(results) == 0 {
		t.Fatalf("%s: no case is %s", line, only)
	}
	return results
}

// bareCluster is a control plane without any controller.
func bareCluster(t *testing.T, name string) *cluster {
	t.Helper()
	c := ownCluster(t, name, "off")
	for _, component := range []string{"kwok", "scheduler", "controller-manager"} {
		if _, err := c.local(context.Background(), "stop", component); err != nil {
			t.Fatal(err)
		}
	}
	return c
}
