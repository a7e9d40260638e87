package server

import (
	"fmt"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/reflection"
)

// Reflection says whether the server describes its contract to tools such as grpcurl. The contract is public, but its
// description is long: a caller makes us send far more than it sends.
type Reflection string

// The values of Reflection.
const (
	ReflectionAuto Reflection = "auto" // on a loopback address only
	ReflectionOn   Reflection = "on"
	ReflectionOff  Reflection = "off"
)

func (r Reflection) validate() error {
	switch r {
	case ReflectionAuto, ReflectionOn, ReflectionOff:
		return nil
	}
	return fmt.Errorf("--reflection is %q, must be auto, on or off", string(r))
}

// register adds the service if it is wanted on this address.
func (r Reflection) register(s *grpc.Server, at net.Addr) {
	if r == ReflectionOn || r == ReflectionAuto && at.(*net.TCPAddr).IP.IsLoopback() {
		reflection.Register(s)
	}
}
