package main

import (
	"errors"
	"net"
	"net/netip"
	"sync"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer resolves one name, as a cluster's DNS does for a headless service.
type nameServer struct {
	socket net.PacketConn

	mu        sync.Mutex
	addresses []netip.Addr
}

// serveNames answers on a port of loopback until it is closed.
func serveNames() (*nameServer, error) {
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	n := &nameServer{socket: socket}
	go n.serve()
	return n, nil
}

func (n *nameServer) close() { _ = n.socket.Close() }

// target is an adapter's target, which also names the name server to ask.
func (n *nameServer) target(port string) string {
	return "dns://" + n.socket.LocalAddr().String() + "/" + net.JoinHostPort(serverName, port)
}

func (n *nameServer) set(addresses []netip.Addr) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.addresses = addresses
}

func (n *nameServer) serve() {
	packet := make([]byte, 512)
	for {
		size, from, err := n.socket.ReadFrom(packet)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		if answer, err := n.answer(packet[:size]); err == nil {
			_, _ = n.socket.WriteTo(answer, from)
		}
	}
}

// answer has an address record for each address, and no others: the name exists and has nothing else.
func (n *nameServer) answer(packet []byte) ([]byte, error) {
	var question dnsmessage.Message
	if err := question.Unpack(packet); err != nil || len(question.Questions) != 1 {
		return nil, errors.Join(err, errors.New("not one question"))
	}
	asked := question.Questions[0]
	out := dnsmessage.Message{Header: dnsmessage.Header{ID: question.ID, Response: true, Authoritative: true}, Questions: question.Questions}
	if asked.Type == dnsmessage.TypeA {
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, address := range n.addresses {
			out.Answers = append(out.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: asked.Name, Type: asked.Type, Class: asked.Class, TTL: 5},
				Body:   &dnsmessage.AResource{A: address.As4()},
			})
		}
	}
	return out.Pack()
}
