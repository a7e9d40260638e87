//go:build e2e

package e2e

import (
	"crypto/x509"
	"net"
	"os"
	"path/filepath"

	"github.com/setplan/setplan/deploy/authority"
)

// certificates writes a serving certificate for loopback and the authority that signed it. The authority serves nothing itself:
// some TLS libraries, such as rustls, refuse an authority's certificate of a server.
func certificates(dir string) (ca, cert, key string, err error) {
	ca, name := filepath.Join(dir, "ca.crt"), filepath.Join(dir, "server")
	cert, key = name+".crt", name+".key"
	if _, err := os.Stat(cert); err == nil {
		return ca, cert, key, nil
	}
	signer, err := authority.New("setplan-e2e")
	if err != nil {
		return "", "", "", err
	}
	if err := authority.Replace(ca, signer.PEM()); err != nil {
		return "", "", "", err
	}
	// The certificate comes last: where it is, the others are, too.
	return ca, cert, key, signer.IssueTo(name, func(to *x509.Certificate) {
		to.IPAddresses, to.DNSNames = []net.IP{net.IPv4(127, 0, 0, 1)}, []string{"localhost"}
	})
}
