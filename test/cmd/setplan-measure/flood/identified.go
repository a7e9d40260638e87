package flood

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"
	"strings"

	"github.com/setplan/setplan/deploy/authority"
	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// Where callers have identities, a flood is one cluster's, and the honest caller another's.
const (
	flooding   = "flooding"
	honest     = "honest"
	serverName = "planner.example"
	identified = "identified-" // floods with identities are named so
	policy     = "clusters: [{name: flooding, identities: [CN=flooding]}, {name: honest, identities: [CN=honest]}]\n"
)

// launch starts a server for a flood. folder has the identities; "" where there are none.
func launch(program, flood string) (p *testbed.Server, folder string, err error) {
	if !strings.HasPrefix(flood, identified) {
		p, err = testbed.LaunchServer(program, "127.0.0.1:0")
		return p, "", err
	}
	if folder, err = os.MkdirTemp("", "flood"); err != nil {
		return nil, "", err
	}
	at := func(name string) string { return filepath.Join(folder, name) }
	ca, err := authority.New("authority")
	if err != nil {
		return nil, folder, err
	}
	if err := authority.Replace(at("ca.crt"), ca.PEM()); err != nil {
		return nil, folder, err
	}
	for _, name := range []string{"server", flooding, honest} {
		err := ca.IssueTo(at(name), func(c *x509.Certificate) { c.Subject.CommonName, c.DNSNames = name, []string{serverName} })
		if err != nil {
			return nil, folder, err
		}
	}
	if err := os.WriteFile(at("policy.yaml"), []byte(policy), 0o600); err != nil {
		return nil, folder, err
	}
	p, err = testbed.LaunchServer(program, "127.0.0.1:0", "--tls-cert-file="+at("server.crt"), "--tls-key-file="+at("server.key"), "--client-ca-file="+at("ca.crt"),
		"--policy-file="+at("policy.yaml"))
	return p, folder, err
}

// identity is what a caller shows; nil where the folder is "".
func identity(folder, name string) (*tls.Config, error) {
	if folder == "" {
		return nil, nil
	}
	certificate, err := tls.LoadX509KeyPair(filepath.Join(folder, name+".crt"), filepath.Join(folder, name+".key"))
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(filepath.Join(folder, "ca.crt"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	return &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{certificate}, ServerName: serverName, NextProtos: []string{"h2"}}, nil
}
