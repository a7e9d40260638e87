package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/setplan/setplan/clients/cli"
)

// TestForecastExitCodes: what CI asks for.
func TestForecastExitCodes(t *testing.T) {
	const objects = "testdata/forecast/now.yaml"
	for manifest, code := range map[string]int{"same": 0, "label": 0, "image": 2, "image-in-place": 2, "held": 3, "fewer": 4} {
		r := runWith("", "forecast", "-f", filepath.Join("testdata/forecast", manifest+".yaml"), "--objects", objects, "--at", at, "--exit-code")
		if got := cli.ExitCode(r.err); got != code {
			t.Errorf("%s: exit code %d, want %d: %v\n%s", manifest, got, code, r.err, r.out)
		}
	}
}

// TestForecastText checks what people see of each.
func TestForecastText(t *testing.T) {
	for name, line := range map[string]string{
		"image": "-f testdata/forecast/image.yaml", "image-wide": "-f testdata/forecast/image.yaml -o wide", "image-json": "-f testdata/forecast/image.yaml -o json",
		"pessimistic": "-f testdata/forecast/image.yaml --pessimistic", "image-in-place": "-f testdata/forecast/image-in-place.yaml -o wide",
		"held": "-f testdata/forecast/held.yaml", "label": "-f testdata/forecast/label.yaml", "fewer": "-f testdata/forecast/fewer.yaml", "live": "web",
	} {
		got := run(t, "forecast "+line+" --objects testdata/forecast/now.yaml --at "+at)
		path := filepath.Join("testdata/forecast", name+".txt")
		if *rewrite {
			if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("setplan forecast %s; go test ./clients/cli -args -rewrite accepts it:\n%s", line, diff)
		}
	}
}

// TestForecastKnowsClassesOfFiles: a file that has the storage classes shows that one of them lets no volume grow.
func TestForecastKnowsClassesOfFiles(t *testing.T) {
	now, err := os.ReadFile("testdata/forecast/now.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const request = "    resources:\n      requests:\n        storage: 1Gi\n  status"
	objects := strings.ReplaceAll(string(now), request, "    storageClassName: fixed\n"+request)
	same, err := os.ReadFile("testdata/forecast/same.yaml")
	if err != nil {
		t.Fatal(err)
	}
	bigger := filepath.Join(t.TempDir(), "bigger.yaml")
	asks := `  annotations: {setplan.io/claim-templates: '{"data":{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}}'}` + "\nspec:\n  replicas"
	if err := os.WriteFile(bigger, []byte(strings.Replace(string(same), "spec:\n  replicas", asks, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	const class = "\n---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fixed}\nprovisioner: example.com\n"
	for text, want := range map[string]string{objects: "claims changed", objects + class: "storage class fixed does not let volumes grow"} {
		if got := runWith(text, "forecast", "-f", bigger, "--objects", "-", "--at", at).out; !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// rolled is a set at its second revision.
const rolled = " --objects testdata/forecast/rolled.yaml --at " + at

// TestForecastOfUndo: a rollback is foreseen from a file as rollout undo would do it, to a revision of this set only.
func TestForecastOfUndo(t *testing.T) {
	want := run(t, "forecast web --to-revision 1"+rolled)
	for _, line := range []string{"web-9 -> web-1", "3 pods restart"} {
		if !strings.Contains(want, line) {
			t.Errorf("no %q in\n%s", line, want)
		}
	}
	if previous := run(t, "forecast web --to-revision 0"+rolled); previous != want {
		t.Errorf("to the previous revision:\n%s\nwant\n%s", previous, want)
	}
	r := runWith("", strings.Fields("forecast web --to-revision 2 --exit-code"+rolled)...)
	if r.err != nil || !strings.Contains(r.errors, "would skip the rollback") || !strings.Contains(r.out, "no pod restarts") {
		t.Errorf("to where the set is: %v\n%s%s", r.err, r.errors, r.out)
	}
	for line, want := range map[string]string{
		"web --to-revision 5":                             "unable to find specified revision 5",
		"web --to-revision -1":                            "unable to find specified revision -1",
		"--to-revision 1":                                 "the name of one set",
		"--to-revision 1 -f testdata/forecast/image.yaml": "not both",
	} {
		r := runWith("", strings.Fields("forecast "+line+rolled)...)
		if r.err == nil || !strings.Contains(r.err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, r.err, want)
		}
	}
}

// TestForecastMistakes: each mistake says what to do.
func TestForecastMistakes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	pod := write("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n")
	two := write("two.yaml", "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a}\n---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: b}\n")
	other := write("other.yaml", "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: other}\nspec: {selector: {matchLabels: {app: web}}, serviceName: x, template: {metadata: {labels: {app: web}}}}\n")
	nothing := write("nothing.yaml", "a: 1\n")
	edited := func(name, from, to string) string {
		same, err := os.ReadFile("testdata/forecast/same.yaml")
		if err != nil || !strings.Contains(string(same), from) {
			t.Fatalf("%s: %q, %v", name, from, err)
		}
		return write(name, strings.ReplaceAll(string(same), from, to))
	}
	run(t, "forecast -f "+edited("defaults.yaml", "storage: 1Gi", "storage: 1024Mi\n      volumeMode: Filesystem")+" --objects testdata/forecast/now.yaml --at "+at)
	run(t, "forecast -f "+edited("left-out.yaml", "  podManagementPolicy: OrderedReady\n", "")+" --objects testdata/forecast/now.yaml --at "+at)
	for line, want := range map[string]string{
		"":                               "the name of one set",
		"web db":                         "the name of one set",
		"-f " + pod:                      "not a StatefulSet",
		"-f " + two:                      "2 documents",
		"-f " + nothing:                  "apiVersion",
		"-f " + other:                    "not found",
		"web -f " + other:                "is the manifest of sts/other, not of web",
		"-f testdata/forecast/none.yaml": "no such file",
		"-f " + edited("storage.yaml", "storage: 1Gi", "storage: 2Gi"):                              "the API server refuses this change of default/web: apps/v1 does not let spec.volumeClaimTemplates of an existing set change",
		"-f " + edited("parallel.yaml", "OrderedReady", "Parallel"):                                 "does not let spec.podManagementPolicy",
		"-f " + edited("names.yaml", "serviceName: web", "serviceName: db"):                         "does not let spec.serviceName",
		"-f " + edited("selector.yaml", "matchLabels:\n", "matchLabels:\n      tier: a\n"):          "does not let spec.selector",
		"-f " + edited("no-claims.yaml", "metadata:\n      name: data", "metadata:\n      name: x"): "does not let spec.volumeClaimTemplates",
		"-f testdata/forecast/image.yaml -n elsewhere":                                              "--namespace is elsewhere",
	} {
		r := runWith("", append([]string{"forecast", "--objects", "testdata/forecast/now.yaml"}, strings.Fields(line)...)...)
		if r.err == nil || !strings.Contains(r.err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, r.err, want)
		}
	}
}
