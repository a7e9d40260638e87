package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal makes a pseudo-terminal of a size: output to the inner end can be read from the outer one.
func terminal(t *testing.T, columns, rows uint16) (outer, inner *os.File) {
	t.Helper()
	outer, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = outer.Close() })
	number := 0
	raw, err := outer.SyscallConn() // with Fd reads would block even after Close
	if err != nil {
		t.Fatal(err)
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		if failed = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); failed != nil {
			return
		}
		if number, failed = unix.IoctlGetInt(int(fd), unix.TIOCGPTN); failed != nil {
			return
		}
		failed = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows})
	})
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	inner, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return outer, inner
}

// onTerminal starts the program on a terminal, and returns its output.
func onTerminal(t *testing.T, columns, rows uint16, environment []string, args ...string) *running {
	t.Helper()
	outer, inner := terminal(t, columns, rows)
	command := exec.Command(os.Args[0], args...)
	command.Stdin, command.Stdout, command.Stderr = inner, inner, inner
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	command.Env = append(programEnvironment(t), environment...)
	r := start(t, command, outer)
	_ = inner.Close() // the program has its own copy
	return r
}
