package cli_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/yaml"

	"github.com/setplan/setplan/clients/cli"
	"github.com/setplan/setplan/server"
)

// stuck is kubectl's output from a cluster with sets that each wait for something else; at is its time.
const (
	stuck = "testdata/stuck.yaml"
	at    = "2026-11-21T06:40:43Z"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expected texts; read the diff")

// result is what a run of the command line printed and returned.
type result struct {
	out, errors string
	err         error
}

func runWith(stdin string, args ...string) result { return runIn(context.Background(), stdin, args...) }

func runIn(ctx context.Context, stdin string, args ...string) result {
	streams, in, out, errors := genericiooptions.NewTestIOStreams()
	in.WriteString(stdin)
	command := cli.Command(cli.Config{
		Embedded: func() cli.PlannerInProcess { return server.NewService(server.ServiceOptions{}) },
		Version:  "v0.0.0-test",
		Program:  "setplan",
		Streams:  streams,
	})
	command.SetArgs(args)
	err := command.ExecuteContext(ctx)
	return result{out.String(), errors.String(), err}
}

func run(t *testing.T, line string) string {
	t.Helper()
	r := runWith("", strings.Fields(line)...)
	if r.err != nil {
		t.Fatalf("setplan %s: %v", line, r.err)
	}
	return r.out
}

// TestGolden checks what the commands print about every set of the file.
func TestGolden(t *testing.T) {
	for file, line := range map[string]string{
		"why.txt":      "why",
		"why-wide.txt": "why web taken -o wide",
		"why.json":     "why full slow -o json",
		"plan.txt":     "plan",
		"wide.txt":     "plan -o wide",
		"plan.yaml":    "plan sts/web -o yaml",
		"names.txt":    "plan -o name",
		"idle.txt":     "why -f " + unattended + " --at 2026-11-21T06:40:50Z",
	} {
		t.Run(file, func(t *testing.T) {
			if !strings.Contains(line, " -f ") {
				line += " -f " + stuck + " --at " + at
			}
			got, path := run(t, line), filepath.Join("testdata", "golden", file)
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
				t.Errorf("setplan %s; go test ./clients/cli -args -rewrite accepts it:\n%s", line, diff)
			}
		})
	}
}

// TestFormsOfInput: YAML and JSON, one list or a document per object, from a file or standard input, give the same output.
func TestFormsOfInput(t *testing.T) {
	text, err := os.ReadFile(stuck)
	if err != nil {
		t.Fatal(err)
	}
	want := run(t, "plan -o wide --at "+at+" -f "+stuck)
	var asJSON, single bytes.Buffer
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		data, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		asJSON.Write(data)
		asJSON.WriteByte('\n')
		var list struct{ Items []map[string]any }
		if err := yaml.Unmarshal([]byte(document), &list); err != nil {
			t.Fatal(err)
		}
		for _, item := range list.Items {
			data, err := yaml.Marshal(item)
			if err != nil {
				t.Fatal(err)
			}
			single.WriteString("---\n")
			single.Write(data)
		}
	}
	for name, input := range map[string]string{"JSON": asJSON.String(), "documents": single.String()} {
		r := runWith(input, "plan", "-o", "wide", "--at", at, "-f", "-")
		if r.err != nil || r.out != want {
			t.Errorf("%s: %v: %s", name, r.err, cmp.Diff(want, r.out))
		}
	}
}

// TestRefusals: errors in a command line or a file are reported at once, with what would be right.
func TestRefusals(t *testing.T) {
	tests := map[string]struct {
		line, stdin string
		want        string
	}{
		"unknown set":      {"why wbe -f " + stuck, "", `StatefulSet "wbe" not found in any namespace, which has: default/bad, default/calm`},
		"other namespace":  {"why web -n other -f " + stuck, "", `StatefulSet "web" not found in namespace other, which has no apps/v1 StatefulSets`},
		"nothing at all":   {"why -n other -f " + stuck, "", "no apps/v1 StatefulSets found in namespace other"},
		"name, selector":   {"why web -l tier=data -f " + stuck, "", "name sets, or give a selector, but not both"},
		"selects nothing":  {"why -l tier=data -f " + stuck, "", "no StatefulSet in any namespace has labels that match tier=data"},
		"no selector":      {"plan -l =x -f " + stuck, "", `--selector is "=x": `},
		"no time":          {"watch web --timeout -1s", "", "--timeout is -1s, must not be negative"},
		"other kind":       {"plan deployment/web -f " + stuck, "", `"deployment": from a file, only sets of apps/v1 (sts) and apps.setplan.io/v1beta1 (ssts) can be read`},
		"other group":      {"plan sts.apps.kruise.io/web -f " + stuck, "", `"sts.apps.kruise.io": from a file, only sets of apps/v1`},
		"two words":        {"plan sts web -f " + stuck, "", "one word, such as sts/web"},
		"two kinds":        {"plan sts/web ssts/web -f " + stuck, "", "sts/web and ssts/web are of two kinds; name sets of one kind at a time"},
		"own, not there":   {"why ssts/web -f " + stuck, "", `StatefulSet "web" not found in any namespace, which has no apps.setplan.io/v1beta1 StatefulSets; there is sts/web`},
		"own, nothing":     {"plan ssts/ -f " + stuck, "", "no apps.setplan.io/v1beta1 StatefulSets found in any namespace; there are some of apps/v1: write sts/"},
		"watch all":        {"watch ssts/", "", "is not the name of a set"},
		"no name":          {"plan sts/ web -f " + stuck, "", "is not the name of a set"},
		"no file":          {"plan -f testdata/nothing.yaml", "", "no such file"},
		"empty":            {"plan -f -", "", "standard input holds no objects; it should be the output of: kubectl get"},
		"no YAML":          {"plan -f -", "\tx: [", "standard input: the document that begins on line 1: "},
		"two files":        {"plan -f a.yaml -f b.yaml", "", "a.yaml is already named (see setplan plan --help)"},
		"no flag":          {"why --watch", "", "unknown flag: --watch (see setplan why --help)"},
		"no object":        {"plan -f -", "---\n# none\n---\nhello: world", "the document that begins on line 4: kind: required"},
		"manifest":         {"plan -f -", "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}}", "StatefulSet web has no uid"},
		"look-alike":       {"plan -f -", "{apiVersion: apps.kruise.io/v1beta1, kind: StatefulSet, metadata: {name: web, uid: u}}", "no apps/v1 StatefulSets found"},
		"no set":           {"plan -f -", "{apiVersion: v1, kind: Pod, metadata: {name: web-0, uid: u}}", "no apps/v1 StatefulSets found"},
		"output":           {"plan -o xml -f " + stuck, "", "--output is \"xml\", must be wide, name, json or yaml"},
		"several for JSON": {"plan -o json -f " + stuck, "", "prints the plan of one set; name one of: default/bad"},
		"time":             {"why --at noon -f " + stuck, "", "--at is \"noon\""},
		"behavior":         {"why --behavior KUBERNETES_1_99 -f " + stuck, "", "--behavior"},
		"planner":          {"why --planner-address here -f " + stuck, "", "HOST:PORT"},
		"no planner":       {"why calm --planner-address 127.0.0.1:1 -f " + stuck, "", "default/calm: the planner 127.0.0.1:1 cannot be reached: "},
		"refused":          {"why --server http://127.0.0.1:1", "", "the API server http://127.0.0.1:1 cannot be reached: connect: connection refused"},
		"no cluster":       {"why --kubeconfig testdata/nothing.yaml", "", "nothing.yaml"},
		"record nowhere":   {"record web", "", "-f FILE"},
		"record what":      {"record -f x", "", "record takes the names of sets"},
		"record stdout":    {"record web -f -", "", "cannot write to -"},
		"replay nothing":   {"replay", "", "-f FILE"},
		"replay objects":   {"replay -f " + stuck, "", "line 1 is not an entry of a recording"},
		"replay emptiness": {"replay -f -", "", "holds no entries"},
		"watch two":        {"watch a b", "", "watch takes the name of one set, such as sts/web; 2 were given"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := runWith(test.stdin, strings.Fields(test.line)...)
			if r.err == nil || !strings.Contains(r.err.Error(), test.want) {
				t.Errorf("setplan %s: %v, want %q", test.line, r.err, test.want)
			}
		})
	}
}

// TestNotes: notes name what is left out.
func TestNotes(t *testing.T) {
	r := runWith("", "why", "calm", "-f", stuck)
	if r.err != nil || r.errors != "note: ignored in the file: 1 Service\n" {
		t.Errorf("%v, %q", r.err, r.errors)
	}
	if strings.Contains(r.out, "\x1b") {
		t.Errorf("colours without a terminal: %q", r.out)
	}
	r = runWith("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web, uid: u}}", "plan", "-f", "-")
	if !strings.Contains(r.errors, "the disruption budgets in the file are not used") {
		t.Errorf("a disruption budget: %q", r.errors)
	}
	r = runWith("{apiVersion: apps.kruise.io/v1beta1, kind: StatefulSet, metadata: {name: web, uid: u}}", "plan", "-f", "-")
	if want := "note: ignored in the file: 1 StatefulSet.v1beta1.apps.kruise.io\n"; r.err == nil || r.errors != want {
		t.Errorf("a set of another group: %v, %q; want %q", r.err, r.errors, want)
	}
}

// TestHelp: every command has examples, with the name under which the program was called.
func TestHelp(t *testing.T) {
	for program, name := range map[string]string{"/usr/bin/setplan": "setplan", "/usr/bin/kubectl-setplan": "kubectl setplan"} {
		for _, sub := range cli.Command(cli.Config{Program: program}).Commands() {
			if !strings.Contains(sub.Example, "  "+name+" "+sub.Name()) && !strings.Contains(sub.Example, "| "+name+" "+sub.Name()) {
				t.Errorf("%s %s has no example that begins with its name:\n%s", name, sub.Name(), sub.Example)
			}
			if sub.Long == "" || sub.Short == "" {
				t.Errorf("%s is not explained", sub.Name())
			}
		}
	}
}

func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"why -f " + stuck + " t":            "taken\n",
		"plan -f " + stuck + " sts/c":       "sts/calm\nsts/claim\n",
		"plan calm -f " + stuck + " c":      "claim\n",
		"plan -f " + stuck + " web -o ":     "wide\nname\njson\nyaml\n",
		"why -f testdata/nothing.yaml calm": "",
	} {
		got := runWith("", append([]string{"__complete"}, strings.Split(line, " ")...)...)
		if names, _, _ := strings.Cut(got.out, ":"); names != want {
			t.Errorf("%s: %q, want %q", line, names, want)
		}
	}
}
