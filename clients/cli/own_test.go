package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ownStuck is the file with the sets of our own kind in the place of those of apps/v1.
func ownStuck(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(stuck)
	if err != nil {
		t.Fatal(err)
	}
	const was, is = "apiVersion: apps/v1\n  kind: StatefulSet", "apiVersion: apps.setplan.io/v1beta1\n  kind: StatefulSet"
	if !strings.Contains(string(text), was) {
		t.Fatalf("%s has no sets", stuck)
	}
	return strings.ReplaceAll(string(text), was, is)
}

// TestOwnKind: of sets of our own kind the same is said, whatever way their kind is spelled, and the commands are those that work for it.
func TestOwnKind(t *testing.T) {
	file := ownStuck(t)
	usual := run(t, "why -f "+stuck+" --at "+at)
	asks := func(args ...string) string {
		t.Helper()
		r := runWith(file, append(args, "-f", "-", "--at", at)...)
		if r.err != nil {
			t.Fatalf("%v: %v", args, r.err)
		}
		return r.out
	}
	own := asks("why", "ssts/")
	for was, is := range map[string]string{
		"set image statefulset/bad nginx=IMAGE":        "edit statefulsets.apps.setplan.io bad",
		"edit statefulset ":                            "edit statefulsets.apps.setplan.io ",
		"patch statefulset ":                           "patch statefulsets.apps.setplan.io ",
		"annotate statefulset ":                        "annotate statefulsets.apps.setplan.io ",
		"kubectl -n default rollout undo statefulset/": "setplan -n default rollout undo statefulsets.apps.setplan.io/",
		"--own apps/v1":                                "--own apps.setplan.io/v1beta1",
		"--own=apps/v1":                                "--own=apps.setplan.io/v1beta1",
	} {
		usual = strings.ReplaceAll(usual, was, is)
	}
	if diff := cmp.Diff(usual, own); diff != "" {
		t.Errorf("of our own kind (-want +got):\n%s", diff)
	}
	web := asks("why", "ssts/web", "-o", "wide")
	for _, word := range []string{"statefulsets.apps.setplan.io/web", "statefulset.v1beta1.apps.setplan.io/web", "SSTS/web"} {
		if got := asks("why", word, "-o", "wide"); got != web {
			t.Errorf("%s: %s", word, got)
		}
	}
	if got := asks("plan", "ssts/", "-o", "name"); !strings.Contains(got, "statefulset.apps.setplan.io/bad\n") {
		t.Errorf("names: %s", got)
	}
	if got := asks("plan", "ssts/bad", "--context", "far away"); !strings.Contains(got, "`kubectl --context='far away' -n default describe pod bad-0`") {
		t.Errorf("plan says\n%s", got)
	}
	if got := asks("why", "ssts/bad", "--context", "far away", "--as", "me"); !strings.Contains(got, "kubectl --context='far away' --as=me -n default edit statefulsets.apps.setplan.io bad") {
		t.Errorf("the cluster is not named: %s", got)
	}
	if r := runWith(file, "why", "web", "-f", "-"); r.err == nil || !strings.Contains(r.err.Error(), `StatefulSet "web" not found in any namespace`) {
		t.Errorf("a bare name: %v", r.err)
	}
}
