package walls

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/test/need"
)

// clientModules are what a program gets of ours with the Go client, and where they lie.
var clientModules = map[string]string{
	module + "/clients/go":    "clients/go",
	module + "/proto/setplan": "proto/setplan",
}

// compiled are the modules whose code is in a program that calls the planner.
var compiled = []string{
	"github.com/planetscale/vtprotobuf",
	module + "/clients/go",
	module + "/proto/setplan",
	"golang.org/x/net",
	"golang.org/x/sys",
	"golang.org/x/text",
	"google.golang.org/genproto/googleapis/rpc",
	"google.golang.org/grpc",
	"google.golang.org/protobuf",
}

// TestProgramWithTheClient is somebody else's program, in a module of its own, that calls the planner.
func TestProgramWithTheClient(t *testing.T) {
	p := newProgram(t, clientModules, "clients/go/go.sum", `
		client, err := setplan.Dial("planner.example:7450", setplan.WithTLSFiles("ca.pem", "", ""))
		fmt.Println(client, err)`, `"fmt"`, `setplan "`+module+`/clients/go"`)
	p.run(t, "build", "-o", filepath.Join(t.TempDir(), "program"), ".")

	selected := p.run(t, "list", "-m", "-f", "{{.Path}}", "all")
	for _, unwanted := range burden(selected) {
		t.Errorf("a program that imports the Go client has to agree with ours on a version of %s: the client and the contract are "+
			"modules of their own to spare it that", unwanted)
	}
	if !slices.Contains(selected, module+"/clients/go") {
		t.Errorf("the modules are %v: the program does not use the client", selected)
	}

	got := p.run(t, "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".")
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, compiled) {
		t.Errorf("a program that imports the Go client compiles code of\n%v, want\n%v", got, compiled)
	}
}

// TestPlantedProgram: what a program gets with the smallest package of the main module shows that the check above can fail.
func TestPlantedProgram(t *testing.T) {
	all := map[string]string{module: "."}
	for path, folder := range clientModules {
		all[path] = folder
	}
	p := newProgram(t, all, "go.sum", `fmt.Println(yamljson.MaxDepth)`, `"fmt"`, `"`+module+`/proto/yamljson"`)
	p.run(t, "build", "-o", filepath.Join(t.TempDir(), "program"), ".")
	got := burden(p.run(t, "list", "-m", "-f", "{{.Path}}", "all"))
	for _, want := range []string{module, "k8s.io/client-go", "sigs.k8s.io/yaml"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is in the version selection, and is not seen among %v", want, got)
		}
	}
}

// burden lists what a program that only calls the planner has no use for.
func burden(selected []string) []string {
	return slices.DeleteFunc(slices.Clone(selected), func(path string) bool { return path != module && !matchAny(kubernetes, path) })
}

// program is a module outside this repository.
type program struct{ folder string }

// newProgram writes one that requires modules of ours as they are here: none is published for this commit. It knows the
// checksums of a module of ours, so that nobody has to be asked for them.
func newProgram(t *testing.T, modules map[string]string, sums, body string, imports ...string) program {
	t.Helper()
	noteSources(t)
	p := program{t.TempDir()}
	known := need.Value(os.ReadFile(filepath.Join(root, sums)))(t)
	source := fmt.Sprintf("package main\n\nimport (\n%s\n)\n\nfunc main() {\n%s\n}\n", strings.Join(imports, "\n"), body)
	for name, text := range map[string]string{"go.sum": string(known), "main.go": source} {
		need.NoError(t, os.WriteFile(filepath.Join(p.folder, name), []byte(text), 0o644))
	}
	p.run(t, "mod", "init", "example.com/program")
	for path, folder := range modules {
		here := need.Value(filepath.Abs(filepath.Join(root, folder)))(t)
		p.run(t, "mod", "edit", "-replace="+path+"="+here)
	}
	return p
}

// run runs the go command in the program's module and returns the lines that it prints, those that are not empty.
func (p program) run(t *testing.T, arguments ...string) []string {
	t.Helper()
	command := exec.Command("go", arguments...)
	command.Dir = p.folder
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(arguments, " "), err, &stderr)
	}
	return strings.Fields(string(output))
}
