package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// createReal makes the folder of an instance with a real node; nothing of it runs.
func createReal(t *testing.T, stateDir string) *Instance {
	t.Helper()
	bin := t.TempDir()
	if err := os.Symlink("/bin/true", filepath.Join(bin, "setplan-node")); err != nil {
		t.Fatal(err)
	}
	i, unlock, err := create(stateDir, Settings{Name: "a", Nodes: 1, Real: true, BinDir: bin})
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	return i
}

func TestComponentsThatCannotChange(t *testing.T) {
	i := createReal(t, t.TempDir())
	const has = "which has etcd, apiserver, controller-manager, scheduler, network, storage, node-0, kubelet-0"
	for c, want := range map[Component]string{"node-9": has, "kubelet-9": has, Kwok: has, StatefulSetController: has, Network: "cut off", "kubelet-0": "node-0 does not run"} {
		for name, err := range map[string]error{"stop": i.Stop(c), "restart": i.Restart(t.Context(), c, i.BinDir)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: %v, want %q", name, c, err, want)
			}
		}
	}
	if err := i.Start(t.Context(), "node-9"); err == nil || !strings.Contains(err.Error(), has) {
		t.Errorf("start node-9: %v, want %q", err, has)
	}
}

func TestDownKeepsLogsOfNodes(t *testing.T) {
	i := createReal(t, t.TempDir())
	for file, kept := range map[string]string{
		"node-0/log/kubelet.log":    "logs/node-0/kubelet.log",
		"node-0/lib/big":            "",
		"storage/csi-resizer.log":   "logs/storage/csi-resizer.log",
		"logs/node-0.log":           "logs/node-0.log",
		"volumes/pvc-1@node-0.img":  "",
		"node-0/log/pods/a/app.log": "logs/node-0/pods/a/app.log",
	} {
		if err := os.MkdirAll(filepath.Dir(i.path(file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(i.path(file), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := os.Stat(i.path(kept)); kept != "" && err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(i.path(file)); kept != file && err == nil {
				t.Errorf("%s is still there", file)
			}
		}()
	}
	if err := i.Down(true); err != nil {
		t.Fatal(err)
	}
}

// TestLongFolder: the path of a socket has 107 bytes at most.
func TestLongFolder(t *testing.T) {
	state := t.TempDir()
	for length, want := range map[int]string{107: "", 108: "too long by 1 bytes"} {
		fill := strings.Repeat("x", length-len(filepath.Join(state, "", "a", "storage", "csi.sock"))-1)
		_, unlock, err := create(filepath.Join(state, fill), Settings{Name: "a", Nodes: 1, Real: true})
		if err == nil {
			unlock()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("a path of %d bytes: %v, want %q", length, err, want)
		}
	}
	if _, unlock, err := create(filepath.Join(state, strings.Repeat("y", 100)), Settings{Name: "a"}); err != nil {
		t.Errorf("simulated nodes have no sockets: %v", err)
	} else {
		unlock()
	}
}
