//go:build e2e

package e2e

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/setplan/setplan/adapters"
)

// slowPlanner stands before a planner and can hold back its answers.
type slowPlanner struct {
	mu    sync.Mutex
	open  chan struct{} // closed while answers pass
	asked chan struct{} // has a value once a request has passed
}

// inFront starts one before a planner, on its own address.
func inFront(t *testing.T, of *planner) (*slowPlanner, *planner) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	p := &slowPlanner{open: make(chan struct{}), asked: make(chan struct{}, 1)}
	close(p.open)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", of.address)
			if err != nil {
				_ = client.Close()
				continue
			}
			go p.pass(server, client, func() {
				select {
				case p.asked <- struct{}{}:
				default:
				}
			})
			go p.pass(client, server, func() { <-p.gate() })
		}
	}()
	return p, &planner{address: listener.Addr().String(), ca: of.ca}
}

func (p *slowPlanner) gate() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open
}

func (p *slowPlanner) pass(to, from net.Conn, before func()) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			before()
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if errors.Is(err, io.EOF) || err != nil {
			return
		}
	}
}

// hold holds answers back from now on; asked then has a value once a request has come.
func (p *slowPlanner) hold() (asked <-chan struct{}, letGo func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = make(chan struct{})
	select {
	case <-p.asked:
	default:
	}
	return p.asked, func() { close(p.open) }
}

// TestPolicyFence: the drain template is removed while the plan that deletes the drained claim is on its way. No generation
// changes; the plan is dropped all the same, and the claim stays.
func TestPolicyFence(t *testing.T) {
	t.Parallel()
	s := lab(t)
	slow, front := inFront(t, s.ownPlanner("server", "127.0.0.1:0"))
	a := s.ownAdapter("adapter", s.adapterConfig("direct", ""), front, unelected...)
	s.create(webSet("web", 2, drained(idle)))
	s.settled("web")
	s.scale("web", 1)
	s.draining("web-1")
	s.quiet(2 * time.Second)

	asked, letGo := slow.hold()
	s.succeed("web-1")
	select {
	case <-asked:
	case <-time.After(30 * time.Second):
		t.Fatal("nobody asked for a plan")
	}
	s.annotateSet("web", adapters.AnnotationDrainTemplate, "")
	time.Sleep(2 * time.Second) // the adapter's cache has it by then, while it still waits for the answer
	letGo()
	eventually(t, 30*time.Second, "the plan is dropped", func() error {
		if a.metric(`setplan_adapter_held_total{reason="fence"}`) == 0 {
			return errors.New("no plan was")
		}
		return nil
	})
	s.settled("web")
	s.claimsBecome("www-web-0 www-web-1")
	s.times("PersistentVolumeClaim", "-www-web-1", 0)
	if !a.running() {
		t.Error("the adapter ended")
	}
}
