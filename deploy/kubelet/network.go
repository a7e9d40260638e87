//go:build linux

package kubelet

import (
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"
)

// network is the network of a pod: a namespace with a loopback device and nothing else, so that any number of pods listen on the same
// port, and nobody outside reaches one. A thread lives in it for as long. What pods may reach is forwarded: a listener there, a connection here.
type network struct {
	do        chan func()
	ended     chan struct{}
	listeners []net.Listener
	forwards  sync.WaitGroup
}

func newNetwork(addresses []string) (*network, error) {
	n := &network{do: make(chan func()), ended: make(chan struct{})}
	began := make(chan error)
	go n.live(began)
	if err := <-began; err != nil {
		return nil, fmt.Errorf("a network of its own: %w", err)
	}
	for _, address := range addresses {
		if err := n.forward(address); err != nil {
			n.close()
			return nil, err
		}
	}
	return n, nil
}

// live makes the network on a thread, does what it is asked to do there, and takes the thread back to where it was. A thread that ended instead would
// take with it every process that anybody had started from it with Pdeathsig.
func (n *network) live(began chan<- error) {
	runtime.LockOSThread()
	home, err := os.Open("/proc/thread-self/ns/net")
	if err != nil {
		runtime.UnlockOSThread()
		began <- err
		return
	}
	defer home.Close()
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		runtime.UnlockOSThread()
		began <- err
		return
	}
	err = loopbackUp()
	began <- err
	for open := err == nil; open; {
		select {
		case f := <-n.do:
			f()
		case <-n.ended:
			open = false
		}
	}
	if err := unix.Setns(int(home.Fd()), unix.CLONE_NEWNET); err != nil {
		select {} // better a thread that waits for ever
	}
	runtime.UnlockOSThread()
}

// inside runs something in the pod's network, and reports whether it did: the network may be gone.
func (n *network) inside(f func()) bool {
	done := make(chan struct{})
	select {
	case n.do <- func() { defer close(done); f() }:
		<-done
		return true
	case <-n.ended:
		return false
	}
}

// forward makes an address of this machine one of the pod.
func (n *network) forward(address string) (err error) {
	var listener net.Listener
	n.inside(func() { listener, err = net.Listen("tcp", address) })
	if err != nil {
		return err
	}
	n.listeners = append(n.listeners, listener)
	n.forwards.Go(func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return // it was closed
			}
			go func() {
				defer from.Close()
				to, err := net.Dial("tcp", address)
				if err != nil {
					return // the pod sees that nobody answers
				}
				pipe(from, to)
			}()
		}
	})
	return nil
}

// pipe passes bytes on both ways until both ends have said all.
func pipe(a, b net.Conn) {
	defer b.Close()
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{a, b}, {b, a}} {
		both.Go(func() {
			_, _ = io.Copy(way[0], way[1]) // an end that breaks is an end
			_ = way[0].(*net.TCPConn).CloseWrite()
		})
	}
	both.Wait()
}

// dial connects to a port of the pod, as its neighbours would.
func (n *network) dial(address string) (connection net.Conn, err error) {
	if !n.inside(func() { connection, err = net.Dial("tcp", address) }) {
		return nil, net.ErrClosed
	}
	return connection, err
}

func (n *network) close() {
	for _, l := range n.listeners {
		_ = l.Close()
	}
	n.forwards.Wait()
	close(n.ended)
}

// loopbackUp switches the loopback device of this thread's network on.
func loopbackUp() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	device, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	device.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, device)
}
