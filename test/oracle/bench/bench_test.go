package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/setplan/setplan/test/need"
)

// TestSmallest measures each contest at its smallest size, once, and a real server briefly. It checks that both sides plan what
// they should.
func TestSmallest(t *testing.T) {
	server := filepath.Join(t.TempDir(), "setplan-server")
	build := exec.Command("go", "build", "-o", server, "./server/cmd/setplan-server")
	build.Dir = filepath.Join("..", "..", "..")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	o := need.Value(parse([]string{"-turns=1", "-server=" + server, `-only=^[a-z-]+/3$|^remote-sets/10$|^throughput/3pods/4callers$`}))(t)
	var out bytes.Buffer
	need.NoError(t, run(&out, o))
	for _, want := range []string{"BENCH steady/3 ours=", "BENCH remote-steady/3 ours=", "BENCH remote-rolling-update/3 ours=",
		"BENCH remote-scale-up/3 ours=",
		"BENCH remote-sets/10 ours=", "BENCH throughput/3pods/4callers plans_per_second="} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line %q in\n%s", want, &out)
		}
	}
}

// TestRemoteCheck: a plan that differs from the engine's is an error.
func TestRemoteCheck(t *testing.T) {
	w, plan, err := scenarios[1].work("web", 3)
	if err != nil {
		t.Fatal(err)
	}
	way := need.Value(connect(w))(t)
	defer way.close()
	if err := way.check(w, plan); err != nil {
		t.Error(err)
	}
	plan.Fence.Generation++
	if err := way.check(w, plan); err == nil {
		t.Error("another plan passes")
	}
}
