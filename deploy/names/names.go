// Package names is a name server for demos and measurements: one name, whose addresses change, as a cluster's DNS has for a headless
// service.
package names

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"

	"golang.org/x/net/dns/dnsmessage"
)

// Server resolves one name.
type Server struct {
	name   string
	socket net.PacketConn

	mu        sync.Mutex
	addresses []netip.Addr
}

// Serve answers on a port of loopback until it is closed.
func Serve(name string) (*Server, error) {
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{name: name, socket: socket}
	go s.serve()
	return s, nil
}

// Close ends it.
func (s *Server) Close() { _ = s.socket.Close() }

// Address is where it answers: HOST:PORT.
func (s *Server) Address() string { return s.socket.LocalAddr().String() }

// Target is an adapter's --planner-address, which also names the name server to ask.
func (s *Server) Target(port string) string {
	return "dns://" + s.Address() + "/" + net.JoinHostPort(s.name, port)
}

// Set replaces the addresses.
func (s *Server) Set(addresses ...netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addresses = slices.Clone(addresses)
}

func (s *Server) serve() {
	packet := make([]byte, 512)
	for {
		size, from, err := s.socket.ReadFrom(packet)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		if answer, err := s.answer(packet[:size]); err == nil {
			_, _ = s.socket.WriteTo(answer, from)
		}
	}
}

// answer has an address record for each address, and no others: the name exists and has nothing else.
func (s *Server) answer(packet []byte) ([]byte, error) {
	var question dnsmessage.Message
	if err := question.Unpack(packet); err != nil || len(question.Questions) != 1 {
		return nil, errors.Join(err, errors.New("not one question"))
	}
	asked := question.Questions[0]
	out := dnsmessage.Message{Header: dnsmessage.Header{ID: question.ID, Response: true, Authoritative: true}, Questions: question.Questions}
	if asked.Type == dnsmessage.TypeA {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, address := range s.addresses {
			out.Answers = append(out.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: asked.Name, Type: asked.Type, Class: asked.Class, TTL: 5},
				Body:   &dnsmessage.AResource{A: address.As4()},
			})
		}
	}
	return out.Pack()
}
