//go:build e2e

package e2e

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// shared is what most tests use: one control plane, without the built-in controller where its kind is tested, one server, one adapter. Tests that
// kill something, or need the built-in controller, start their own.
var shared struct {
	*cluster
	dir     string
	planner *planner
	adapter *process
}

// atOnce is how many tests run side by side unless the command line says otherwise. They mostly wait.
const atOnce = "10"

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", atOnce); err != nil { // the command line overrides it later
		panic(err)
	}
	code, err := runShared(m)
	if err == nil && code == 0 {
		if err = secrets.verdict(); err == nil {
			fmt.Fprintln(os.Stderr, "e2e: no secret of a template is in what our programs said:", secrets.searched)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func runShared(m *testing.M) (code int, err error) {
	if err := requirePrograms(); err != nil {
		return 1, err
	}
	dir, err := os.MkdirTemp("", "setplan-e2e-")
	if err != nil {
		return 1, err
	}
	shared.dir = dir
	defer func() {
		if code == 0 && err == nil {
			os.RemoveAll(dir)
			return
		}
		fmt.Fprintln(os.Stderr, "e2e: logs of the failed run are in", dir)
	}()
	if shared.cluster, err = upForKind(dir, "shared"); err != nil {
		return 1, err
	}
	defer func() {
		if down := shared.cluster.down(); err == nil {
			err = down
		}
	}()
	defer func() {
		for _, down := range []func() error{downManaged, downLab} {
			if down := down(); err == nil {
				err = down
			}
		}
	}()
	if shared.planner, err = startPlanner(dir, "server", "127.0.0.1:0", "--log-level", "debug", "--metrics-address", "127.0.0.1:0"); err != nil {
		return 1, err
	}
	defer shared.planner.stop()
	if shared.adapter, err = startAdapter(dir, "adapter", shared.kubeconfig, shared.planner, "--own", underTest, "--log-level", "debug",
		"--metrics-address", "127.0.0.1:0"); err != nil {
		return 1, err
	}
	defer shared.adapter.stop()
	return m.Run(), nil
}
