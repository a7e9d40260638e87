// Package tools pins the programs that work on the contract; see the tool lines
// of go.mod. Its tests show that they stop what they are there to stop.
package tools

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// contract is a copy of everything that the gates look at.
type contract struct{ dir string }

// image is the contract as the copy had it at first, frozen: what the breaking gate compares with.
const image = "frozen.binpb"

func copyContract(t *testing.T) contract {
	t.Helper()
	c := contract{t.TempDir()}
	if err := os.CopyFS(filepath.Join(c.dir, "proto/setplan"), os.DirFS(filepath.Join(root, "proto/setplan"))); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"go.mod", "buf.yaml", "proto/buf.gen.yaml", "proto/tools/go.mod", "proto/tools/go.sum", "proto/tools/generate.sh"} {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(c.dir, file)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// freezeContract is a copy that has been frozen as a release is.
func freezeContract(t *testing.T) contract {
	t.Helper()
	c := copyContract(t)
	if out, ok := c.buf("build", "--exclude-source-info", "-o", image); !ok {
		t.Fatalf("the contract cannot be frozen:\n%s", out)
	}
	return c
}

// edit replaces text that must be in the file.
func (c contract) edit(t *testing.T, file, from, to string) {
	t.Helper()
	path := filepath.Join(c.dir, file)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), from) {
		t.Fatalf("%s has no %q: this test must follow the contract", file, from)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), from, to, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (c contract) run(name string, args ...string) (output string, ok bool) {
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func (c contract) buf(args ...string) (output string, ok bool) {
	return c.run("go", append([]string{"tool", "-modfile=proto/tools/go.mod", "buf"}, args...)...)
}

func (c contract) breaking() (output string, ok bool) {
	return c.buf("breaking", "--against", image)
}

func (c contract) verifyGenerated() (output string, ok bool) {
	return c.run("bash", "proto/tools/generate.sh", "verify")
}

const (
	snapshotProto = "proto/setplan/v1/snapshot.proto"
	planProto     = "proto/setplan/v1/plan.proto"
	serviceProto  = "proto/setplan/v1/service.proto"
)

func TestTheContractPassesItsGates(t *testing.T) {
	c := freezeContract(t)
	if out, ok := c.buf("lint"); !ok {
		t.Errorf("buf lint fails:\n%s", out)
	}
	if out, ok := c.breaking(); !ok {
		t.Errorf("buf breaking fails:\n%s", out)
	}
	if out, ok := c.verifyGenerated(); !ok {
		t.Errorf("the generated code is stale:\n%s", out)
	}
}

func TestBreakingGateBites(t *testing.T) {
	for name, test := range map[string]struct {
		file, from, to string
		names          string // what the message must name
		reason         string
	}{
		"a field is removed": {
			file: snapshotProto, from: "  string api_version = 1;\n  // Kind of the owner.\n", to: "  // Kind of the owner.\n",
			names: `"1" with name "api_version"`, reason: "an old peer still sends it, and it would be lost without a word",
		},
		"a field gets another number": {
			file: planProto, from: "string set_uid = 1;", to: "string set_uid = 99;",
			names: `"set_uid"`, reason: "an old peer would read another field",
		},
		"a field gets another type": {
			file: planProto, from: "int64 generation = 2;", to: "string generation = 2;",
			names: `"generation"`, reason: "an old peer could not decode the message",
		},
		"an enum value is removed": {
			file: planProto, from: "  // The partition keeps pods at the current revision.\n  BLOCK_CODE_PARTITION_HELD = 19;\n", to: "",
			names: `"19"`, reason: "an old peer still sends it",
		},
		"a method is removed": {
			file: serviceProto, from: "  rpc GetServerInfo(GetServerInfoRequest) returns (GetServerInfoResponse);\n", to: "",
			names: `"GetServerInfo"`, reason: "an old client calls it",
		},
		"an option of another language is dropped": {
			file: snapshotProto, from: "option java_package = \"io.setplan.v1\";\n", to: "",
			names: `"java_package"`, reason: "programs in that language import the old name",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := freezeContract(t)
			c.edit(t, test.file, test.from, test.to)
			out, ok := c.breaking()
			if ok {
				t.Fatalf("buf breaking lets it pass, although %s", test.reason)
			}
			if !strings.Contains(out, test.names) {
				t.Errorf("buf breaking fails, but not by naming %s:\n%s", test.names, out)
			}
		})
	}
}

func TestAdditionsPassTheBreakingGate(t *testing.T) {
	c := freezeContract(t)
	c.edit(t, planProto, "  // Uid of the set.\n  string set_uid = 1;", "  // New.\n  bool new_field = 99;\n  // Uid of the set.\n  string set_uid = 1;")
	if out, ok := c.breaking(); !ok {
		t.Errorf("a new field must be allowed:\n%s", out)
	}
}

func TestLintBites(t *testing.T) {
	c := copyContract(t)
	c.edit(t, planProto, "  // Uid of the set.\n  string set_uid = 1;", "  string set_uid = 1;")
	if out, ok := c.buf("lint"); ok || !strings.Contains(out, "comment") {
		t.Errorf("a field without a comment must fail for that reason; passes: %v\n%s", ok, out)
	}
}

func TestVerifyGeneratedBites(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, c contract){
		"the .proto is newer": func(t *testing.T, c contract) {
			c.edit(t, planProto, "string set_uid = 1;", "string set_uid = 1;\n  // New.\n  bool new_field = 99;")
		},
		"somebody edited the generated file": func(t *testing.T, c contract) {
			c.edit(t, "proto/setplan/v1/plan.pb.go", "Uid of the set.", "UID of the set.")
		},
		"a file is left from a .proto that is gone": func(t *testing.T, c contract) {
			old := filepath.Join(c.dir, "proto/setplan/v1/old.pb.go")
			if err := os.WriteFile(old, []byte("package setplanv1\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"a file was never generated": func(t *testing.T, c contract) {
			if err := os.Remove(filepath.Join(c.dir, "proto/setplan/v1/service_grpc.pb.go")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := copyContract(t)
			change(t, c)
			out, ok := c.verifyGenerated()
			if ok {
				t.Fatal("the check passes")
			}
			if !strings.Contains(out, "make generate") {
				t.Errorf("the message does not say which command to run:\n%s", out)
			}
		})
	}
}
