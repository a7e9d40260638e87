// Package plannerflags holds the flags by which our programs find a planner service, and their meaning.
package plannerflags

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/spf13/pflag"

	setplan "github.com/setplan/setplan/clients/go"
)

// Flags say where a planner is and how the connection is protected.
type Flags struct {
	// Address is HOST:PORT, or dns://NAMESERVER/HOST:PORT.
	Address string
	// CAFile, CertFile and KeyFile are PEM files.
	CAFile, CertFile, KeyFile string
	// TokenFile has a bearer token.
	TokenFile string
	// Insecure allows plaintext to an address beyond loopback.
	Insecure bool
}

// Register adds the flags to a set. instead names what plans if --planner-address is not given.
func (f *Flags) Register(set *pflag.FlagSet, instead string) {
	set.StringVar(&f.Address, "planner-address", "",
		"HOST:PORT of a setplan-server, or dns://NAMESERVER/HOST:PORT if another name server than the system's knows HOST; "+instead)
	set.StringVar(&f.CAFile, "planner-ca-file", "",
		"PEM file with the CAs that sign the planner's certificate; empty: the system's CAs")
	set.StringVar(&f.CertFile, "planner-cert-file", "", "PEM file with the certificate to show to the planner")
	set.StringVar(&f.KeyFile, "planner-key-file", "", "PEM file with that certificate's private key")
	set.StringVar(&f.TokenFile, "planner-token-file", "",
		"file with a bearer token to show to the planner, such as a service account's for the planner's --token-audience; read again for each call")
	set.BoolVar(&f.Insecure, "planner-insecure", false,
		"connect to the planner without TLS; loopback addresses are plaintext anyway, unless a --planner-*-file is given")
}

// Check finds flags that exclude or need each other.
func (f *Flags) Check() error {
	files := f.CAFile != "" || f.CertFile != "" || f.KeyFile != "" || f.TokenFile != ""
	switch {
	case f.Address == "" && (files || f.Insecure):
		return errors.New("--planner-ca-file, --planner-cert-file, --planner-key-file, --planner-token-file and --planner-insecure need --planner-address")
	case f.Insecure && files:
		return errors.New("--planner-insecure turns TLS off and excludes --planner-ca-file, --planner-cert-file, --planner-key-file and --planner-token-file")
	case (f.CertFile == "") != (f.KeyFile == ""):
		return errors.New("--planner-cert-file and --planner-key-file must be given together")
	case f.Address == "":
		return nil
	}
	if !goodAddress(f.Address) {
		return fmt.Errorf("--planner-address is %q, must be HOST:PORT or dns://NAMESERVER/HOST:PORT", f.Address)
	}
	return nil
}

// goodAddress refuses gRPC's other targets: what they connect to is not what stands in the address, and it is the address that says whether
// a connection leaves this machine and whom the certificate has to name.
func goodAddress(address string) bool {
	if inner, named := strings.CutPrefix(address, "dns://"); named {
		// An empty name server is the system's, as without the prefix.
		var nameserver string
		nameserver, address, named = strings.Cut(inner, "/")
		if !named || strings.ContainsAny(nameserver, "@?#%") || strings.ContainsAny(address, "/?#%") {
			return false
		}
	}
	host, port, err := net.SplitHostPort(address)
	return err == nil && port != "" && !strings.Contains(host, "/")
}

// Dial makes a client; the first call opens the connection.
func (f *Flags) Dial(userAgent string) (*setplan.Client, error) {
	options := []setplan.Option{f.protection(), setplan.WithUserAgent(userAgent)}
	if f.TokenFile != "" {
		options = append(options, setplan.WithTokenFile(f.TokenFile))
	}
	client, err := setplan.Dial(f.Address, options...)
	if err != nil {
		return nil, fmt.Errorf("--planner-address: %w", err)
	}
	return client, nil
}

// protection is TLS, unless the flags say otherwise, or the planner is on this machine and no certificate was given.
func (f *Flags) protection() setplan.Option {
	files := f.CAFile != "" || f.CertFile != "" || f.TokenFile != ""
	if f.Insecure || (isLoopback(f.Address) && !files) {
		return setplan.WithInsecure()
	}
	return setplan.WithTLSFiles(f.CAFile, f.CertFile, f.KeyFile)
}

// isLoopback reports whether an address cannot leave this machine. What a name server answers may be anywhere.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}
