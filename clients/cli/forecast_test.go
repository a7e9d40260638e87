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
	for manifest, code := range map[string]int{"same": 0, "label": 0, "image": 2, "held": 3, "fewer": 4} {
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
		"pessimistic": "-f testdata/forecast/image.yaml --pessimistic",
		"held":        "-f testdata/forecast/held.yaml", "label": "-f testdata/forecast/label.yaml", "fewer": "-f testdata/forecast/fewer.yaml", "live": "web",
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
	for line, want := range map[string]string{
		"":                               "the name of one set",
		"web db":                         "at most 1 arg",
		"-f " + pod:                      "neither a StatefulSet",
		"-f " + two:                      "2 documents",
		"-f " + nothing:                  "apiVersion",
		"-f " + other:                    "not found",
		"web -f " + other:                "is the manifest of sts/other, and not of web",
		"-f testdata/forecast/none.yaml": "no such file",
		"-f testdata/forecast/image.yaml -n elsewhere": "--namespace is elsewhere",
	} {
		r := runWith("", append([]string{"forecast", "--objects", "testdata/forecast/now.yaml"}, strings.Fields(line)...)...)
		if r.err == nil || !strings.Contains(r.err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, r.err, want)
		}
	}
}
