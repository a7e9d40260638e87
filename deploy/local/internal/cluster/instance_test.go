package cluster

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/deploy/local/internal/process"
)

// runSleep records a process that does nothing as the instance's etcd.
func runSleep(t *testing.T, i *Instance) process.Handle {
	t.Helper()
	path, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	h, _, err := process.Start(process.Command{Path: path, Args: []string{"60"}, Dir: i.dir, LogPath: i.LogPath(Etcd)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Stop(0) })
	if err := i.record(Etcd, h); err != nil {
		t.Fatal(err)
	}
	return h
}

func createTest(t *testing.T, stateDir, name string) *Instance {
	t.Helper()
	i, unlock, err := create(stateDir, Settings{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	return i
}

func TestCreateLoadList(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	b, a := createTest(t, state, "b"), createTest(t, state, "a")
	loaded, err := Load(state, "b")
	if err != nil || loaded.Settings != b.Settings || loaded.Dir() != b.Dir() {
		t.Errorf("loaded %+v, %v, want %+v", loaded, err, b)
	}
	all, err := List(state)
	if err != nil || len(all) != 2 || all[0].Settings != a.Settings || all[1].Settings != b.Settings {
		t.Errorf("list: %+v, %v", all, err)
	}
	if _, err := Load(state, "c"); !errors.Is(err, ErrNoInstance) {
		t.Errorf("load c: %v, want %v", err, ErrNoInstance)
	}
}

func TestNamesCannotLeaveTheStateFolder(t *testing.T) {
	for _, name := range []string{"", ".", "..", "../x", "a/b", "A", "-a", "a-"} {
		if _, _, err := create(t.TempDir(), Settings{Name: name}); err == nil {
			t.Errorf("name %q was accepted", name)
		}
	}
}

func TestCreateLeavesStrangeFoldersAlone(t *testing.T) {
	state := t.TempDir()
	precious := filepath.Join(state, "mine", "precious")
	if err := os.MkdirAll(precious, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := create(state, Settings{Name: "mine"}); err == nil {
		t.Error("a foreign folder counts as an instance")
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}

func TestCreateRefusesARunningInstanceAndClearsADeadOne(t *testing.T) {
	state := t.TempDir()
	i := createTest(t, state, "a")
	h := runSleep(t, i)
	if _, _, err := create(state, Settings{Name: "a"}); !errors.Is(err, ErrUp) {
		t.Errorf("create again: %v, want %v", err, ErrUp)
	}
	if err := h.Stop(0); err != nil {
		t.Fatal(err)
	}
	createTest(t, state, "a")
	if _, err := os.Stat(i.LogPath(Etcd)); err == nil {
		t.Error("the dead instance's log is still there")
	}
}

func TestCommandsOnOneInstanceExcludeEachOther(t *testing.T) {
	i := createTest(t, t.TempDir(), "a")
	unlock, err := i.lock()
	if err != nil {
		t.Fatal(err)
	}
	if err := i.Stop(Etcd); !errors.Is(err, errBusy) {
		t.Errorf("stop while locked: %v, want %v", err, errBusy)
	}
	unlock()
	if err := i.Stop(Etcd); err != nil {
		t.Errorf("stop after unlock: %v", err)
	}
}

func TestDownStopsAndRemoves(t *testing.T) {
	for _, keep := range []bool{false, true} {
		state := t.TempDir()
		i := createTest(t, state, "a")
		h := runSleep(t, i)
		if running, err := i.Running(); err != nil || !slices.Equal(running, []Component{Etcd}) {
			t.Errorf("running: %v, %v, want etcd", running, err)
		}
		if err := i.Down(keep); err != nil {
			t.Fatal(err)
		}
		if h.Alive() {
			t.Error("the process is still there")
		}
		var left []string
		_ = filepath.WalkDir(i.dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				left = append(left, filepath.Base(path))
			}
			return nil
		})
		if want := map[bool]string{true: "instance.json etcd.log"}[keep]; strings.Join(left, " ") != want {
			t.Errorf("keep logs %t: left %q, want %q", keep, left, want)
		}
	}
}

// The pid of a component that ended long ago may belong to another process now.
func TestDownSparesAProcessThatTookOverAPID(t *testing.T) {
	i := createTest(t, t.TempDir(), "a")
	stranger := runSleep(t, i)
	if err := i.record(Etcd, process.Handle{PID: stranger.PID, Start: "another boot/1"}); err != nil {
		t.Fatal(err)
	}
	if err := i.Down(false); err != nil {
		t.Fatal(err)
	}
	if !stranger.Alive() {
		t.Error("a foreign process was stopped")
	}
}

func TestStagesAreSeparateDocuments(t *testing.T) {
	data, err := stages()
	if err != nil {
		t.Fatal(err)
	}
	for n, document := range strings.Split(string(data), "\n---\n") {
		if got := strings.Count(document, "\nkind: Stage\n"); got != 1 {
			t.Errorf("document %d has %d stages, want 1", n, got)
		}
	}
}
