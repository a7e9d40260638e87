// Package network is the network of an instance's nodes: a network namespace with a bridge that each node has a link to, a router between the
// nodes' pods, and the cluster's two services, the API server and DNS. Nothing of it is seen outside, and it is gone when its process ends.
package network

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
)

// The addresses of an instance. Each has them for itself.
const (
	Router    = "10.245.0.1" // of the bridge, and every node's gateway
	APIServer = "10.96.0.1"  // the service kubernetes
	DNS       = "10.96.0.10" // the service that pods ask for names
	bridge    = "br0"
)

// Node is the address of a node, counted from 0.
func Node(n int) string { return fmt.Sprintf("10.245.0.%d", 10+n) }

// Pods is the subnet of a node's pods.
func Pods(n int) string { return fmt.Sprintf("10.244.%d.0/24", n) }

// Namespace is a network namespace. It lives as long as a process is in it or has it open.
type Namespace struct{ handle netns.NsHandle }

// New makes a namespace with the bridge and the routes to the pods of each node.
func New(nodes int) (*Namespace, error) {
	ns, err := empty()
	if err != nil {
		return nil, fmt.Errorf("make network namespace: %w", err)
	}
	if err := ns.Do(func() error { return setUp(nodes) }); err != nil {
		return nil, fmt.Errorf("set up network: %w", err)
	}
	return ns, nil
}

// Open opens the namespace of another process by a path in /proc.
func Open(path string) (*Namespace, error) {
	handle, err := netns.GetFromPath(path)
	if err != nil {
		return nil, fmt.Errorf("open network namespace: %w", err)
	}
	return &Namespace{handle}, nil
}

// Path is where other processes find the namespace, while this one lives.
func (ns *Namespace) Path() string { return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), int(ns.handle)) }

// Do runs a function in the namespace. Sockets that it opens, and processes that it starts, stay there.
func (ns *Namespace) Do(do func() error) error {
	runtime.LockOSThread()
	before, err := netns.Get()
	if err != nil {
		runtime.UnlockOSThread()
		return err
	}
	defer before.Close()
	if err := netns.Set(ns.handle); err != nil {
		runtime.UnlockOSThread()
		return err
	}
	err = do()
	// A thread that cannot go back must not be used for anything else: Go ends a thread whose goroutine ends while it is locked.
	if back := netns.Set(before); back != nil {
		return errors.Join(err, back)
	}
	runtime.UnlockOSThread()
	return err
}

// Listen opens a port in the namespace.
func (ns *Namespace) Listen(address string) (l net.Listener, err error) {
	err = ns.Do(func() error {
		l, err = net.Listen("tcp", address)
		return err
	})
	return l, err
}

// Dial connects to an address of the namespace.
func (ns *Namespace) Dial(address string) (c net.Conn, err error) {
	err = ns.Do(func() error {
		c, err = net.DialTimeout("tcp", address, dialTimeout)
		return err
	})
	return c, err
}

func empty() (*Namespace, error) {
	runtime.LockOSThread()
	before, err := netns.Get()
	if err != nil {
		return nil, err
	}
	defer before.Close()
	handle, err := netns.New()
	if err != nil {
		return nil, err
	}
	if err := netns.Set(before); err != nil {
		return nil, err
	}
	runtime.UnlockOSThread()
	return &Namespace{handle}, nil
}

func setUp(nodes int) error {
	if err := os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0); err != nil {
		return err
	}
	lo, err := netlink.LinkByName("lo")
	if err != nil {
		return err
	}
	for _, ip := range []string{APIServer, DNS} {
		if err := address(lo, ip+"/32"); err != nil {
			return err
		}
	}
	br := &netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: bridge}}
	if err := netlink.LinkAdd(br); err != nil {
		return err
	}
	if err := errors.Join(netlink.LinkSetUp(lo), netlink.LinkSetUp(br), address(br, Router+"/24")); err != nil {
		return err
	}
	for n := range nodes {
		_, pods, err := net.ParseCIDR(Pods(n))
		if err != nil {
			return err
		}
		route := &netlink.Route{LinkIndex: br.Index, Dst: pods, Gw: net.ParseIP(Node(n)), Flags: int(netlink.FLAG_ONLINK)}
		if err := netlink.RouteAdd(route); err != nil {
			return fmt.Errorf("route to %s: %w", pods, err)
		}
	}
	return nil
}

func address(link netlink.Link, cidr string) error {
	a, err := netlink.ParseAddr(cidr)
	if err != nil {
		return err
	}
	return netlink.AddrAdd(link, a)
}

// Plug gives a process that has a namespace of its own a link to the bridge: its eth0.
func (ns *Namespace) Plug(n, pid int) error {
	return ns.Do(func() error {
		br, err := netlink.LinkByName(bridge)
		if err != nil {
			return fmt.Errorf("find %s: %w", bridge, err)
		}
		name := fmt.Sprintf("node-%d", n)
		if old, err := netlink.LinkByName(name); err == nil { // of a node that was killed a moment ago
			_ = netlink.LinkDel(old)
		}
		veth := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: name, MasterIndex: br.Attrs().Index}, PeerName: "eth0", PeerNamespace: netlink.NsPid(pid)}
		if err := netlink.LinkAdd(veth); err != nil {
			return fmt.Errorf("link node to %s: %w", bridge, err)
		}
		return netlink.LinkSetUp(veth)
	})
}

// Configure sets up the namespace of a node, from within: its address, and the way to everything else.
func Configure(n int) error {
	if err := os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0); err != nil {
		return err
	}
	lo, err := netlink.LinkByName("lo")
	if err != nil {
		return err
	}
	eth0, err := netlink.LinkByName("eth0")
	if err != nil {
		return err
	}
	if err := errors.Join(address(eth0, Node(n)+"/24"), netlink.LinkSetUp(lo), netlink.LinkSetUp(eth0)); err != nil {
		return err
	}
	return netlink.RouteAdd(&netlink.Route{LinkIndex: eth0.Attrs().Index, Gw: net.ParseIP(Router)})
}
