package servers

import (
	"crypto/x509"
	"fmt"
	"path/filepath"

	setplan "github.com/setplan/setplan/clients/go"
	"github.com/setplan/setplan/deploy/authority"
)

// serverName is the planner's name in its certificate and in the name server.
const serverName = "planner.example"

// identities are files: an authority, and the certificates that it issued for the servers and for each adapter.
type identities struct{ folder string }

func (d *identities) path(name string) string { return filepath.Join(d.folder, name) }

// flags are the server's flags for them.
func (d *identities) flags() []string {
	return []string{"--tls-cert-file=" + d.path("server.crt"), "--tls-key-file=" + d.path("server.key"), "--client-ca-file=" + d.path("ca.crt")}
}

// dial makes an adapter's client.
func (d *identities) dial(target string, adapter int) (*setplan.Client, error) {
	name := adapterName(adapter)
	return setplan.Dial(target, setplan.WithTLSFiles(d.path("ca.crt"), d.path(name+".crt"), d.path(name+".key")))
}

func adapterName(i int) string { return fmt.Sprintf("cluster-%02d", i) }

// issue makes all of them.
func issue(folder string) (*identities, error) {
	d := &identities{folder}
	ca, err := authority.New("authority")
	if err != nil {
		return nil, err
	}
	if err := authority.Replace(d.path("ca.crt"), ca.PEM()); err != nil {
		return nil, err
	}
	if err := ca.IssueTo(d.path("server"), func(c *x509.Certificate) { c.DNSNames = []string{serverName} }); err != nil {
		return nil, err
	}
	for i := range all {
		name := adapterName(i)
		if err := ca.IssueTo(d.path(name), func(c *x509.Certificate) { c.Subject.CommonName = name }); err != nil {
			return nil, err
		}
	}
	return d, nil
}
