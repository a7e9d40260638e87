//go:build linux

package kubelet

import (
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestNetwork: a network is its own, and the thread that lived in it goes back. It needs root; make test-long WHAT=chart has it.
func TestNetwork(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("a network of its own needs root")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	home := where(t, unix.Gettid())
	n, err := newNetwork(nil)
	if err != nil {
		t.Fatal(err)
	}
	var thread int
	n.inside(func() { thread = unix.Gettid() })
	if away := where(t, thread); away == home {
		t.Errorf("the network is everybody's: %s", away)
	}
	if c, err := n.dial(listener.Addr().String()); err == nil {
		_ = c.Close()
		t.Error("the pod reaches what is not forwarded")
	}
	n.close()
	if n.inside(func() {}) {
		t.Error("the network is closed and goes on")
	}
	for began := time.Now(); where(t, thread) != home; time.Sleep(time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatal("the thread has stayed in the network")
		}
	}
}

// where is the network of a thread.
func where(t *testing.T, thread int) string {
	t.Helper()
	name, err := os.Readlink(fmt.Sprintf("/proc/self/task/%d/ns/net", thread))
	if err != nil {
		t.Fatalf("the thread has ended: %v", err)
	}
	return name
}
