package monitor

import (
	"errors"
	"fmt"
	"net"
)

// Options are the flags --metrics-...; the zero value serves nothing.
type Options struct {
	Address      string // host:port
	CertFile     string // the certificate, followed by its intermediates; empty means a self-signed one
	KeyFile      string // the key of CertFile
	ClientCAFile string // a caller with a certificate of these authorities needs no token
	Insecure     bool   // plain HTTP for everybody, also beyond loopback
}

// Check finds options that do not fit together, and names the flag.
func (o Options) Check() error {
	files := o.CertFile != "" || o.KeyFile != "" || o.ClientCAFile != ""
	switch {
	case (o.CertFile == "") != (o.KeyFile == ""):
		return errors.New("--metrics-cert-file and --metrics-key-file must be given together")
	case o.Address == "" && (files || o.Insecure):
		return errors.New("--metrics-cert-file, --metrics-key-file, --metrics-client-ca-file and --metrics-insecure have no effect without --metrics-address")
	case o.Insecure && files:
		return errors.New("--metrics-insecure turns TLS and authentication off and excludes --metrics-cert-file, --metrics-key-file and --metrics-client-ca-file")
	}
	return nil
}

// secured reports whether callers use TLS and must identify themselves: beyond loopback always, unless Insecure says otherwise,
// and on loopback if certificate files are given.
func (o Options) secured(at net.Addr) bool {
	if o.Insecure {
		return false
	}
	tcp, ok := at.(*net.TCPAddr)
	return !ok || !tcp.IP.IsLoopback() || o.CertFile != "" || o.ClientCAFile != ""
}

// listen opens the socket.
func (o Options) listen() (net.Listener, error) {
	listener, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, fmt.Errorf("--metrics-address: %w", err)
	}
	return listener, nil
}
