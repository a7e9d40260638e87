package server

import (
	"fmt"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/reflection"
)

// Reflection says whether the server describes its own contract, as grpcurl asks it to. The contract is public, but its
// description is long: whoever may ask for it makes us send far more than he sends.
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

// register adds the service where it is wanted on this address.
func (r Reflection) register(s *grpc.Server, at net.Addr) {
	if r == ReflectionOn || r == ReflectionAuto && at.(*net.TCPAddr).IP.IsLoopback() {
		reflection.Register(s)
	}
}
