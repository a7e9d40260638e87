package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func startShell(t *testing.T, script string) (Handle, <-chan error, string) {
	t.Helper()
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	h, exited, err := Start(Command{Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, LogPath: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Stop(0) })
	return h, exited, log
}

func TestStartDetachesAndLogs(t *testing.T) {
	h, _, log := startShell(t, "echo hello; echo \"kubeconfig=$KUBECONFIG\"; exec sleep 60")
	if !h.Alive() {
		t.Fatal("a process that was just started is not alive")
	}
	if sid, err := sessionOf(h.PID); err != nil || sid != h.PID {
		t.Errorf("session is %d (%v), want one of its own, %d", sid, err, h.PID)
	}
	for range 100 {
		out, err := os.ReadFile(log)
		if err == nil && strings.Contains(string(out), "hello\nkubeconfig=\n") {
			return
		}
		time.Sleep(poll)
	}
	t.Error("the log does not hold what the process wrote")
}

func TestStopIsGentleFirst(t *testing.T) {
	h, exited, _ := startShell(t, "trap 'exit 7' TERM; while :; do sleep 0.05; done")
	time.Sleep(200 * time.Millisecond) // the shell must reach its trap first
	if err := h.Stop(5 * time.Second); err != nil {
		t.Fatal(err)
	}
	if err := <-exited; err.Error() != "exit status 7" {
		t.Errorf("ended with %v, want the trap's exit status 7", err)
	}
}

func TestStopForcesAfterTheGrace(t *testing.T) {
	h, exited, _ := startShell(t, "trap '' TERM; while :; do sleep 0.05; done")
	time.Sleep(200 * time.Millisecond)
	if err := h.Stop(100 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if err := <-exited; err.Error() != "signal: killed" {
		t.Errorf("ended with %v, want killed", err)
	}
}

// A recorded pid that the kernel has given to another process must neither count as ours nor be signalled.
func TestRecycledPIDIsLeftAlone(t *testing.T) {
	stranger, exited, _ := startShell(t, "exec sleep 60")
	recorded := Handle{PID: stranger.PID, Start: stranger.Start + "0"}
	if recorded.Alive() {
		t.Error("a process started at another time counts as ours")
	}
	if err := recorded.Stop(0); err != nil {
		t.Errorf("stop: %v, want nothing to do", err)
	}
	select {
	case err := <-exited:
		t.Fatalf("the stranger was ended: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
}

// A child that has ended but was not waited for still has a pid.
func TestZombieIsNotAlive(t *testing.T) {
	cmd := exec.Command("/bin/sh", "-c", "exec sleep 60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	start, err := startOf(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	h := Handle{PID: cmd.Process.Pid, Start: start}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if !h.waitGone(5 * time.Second) {
		t.Error("an ended process counts as alive until its parent waits for it")
	}
}

func TestEmptyHandleIsNotAlive(t *testing.T) {
	for _, h := range []Handle{{}, {PID: os.Getpid()}, {PID: -1, Start: "x"}} {
		if h.Alive() {
			t.Errorf("%+v is alive", h)
		}
	}
}

func sessionOf(pid int) (int, error) {
	out, err := exec.Command("ps", "-o", "sid=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}
