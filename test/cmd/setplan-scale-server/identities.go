package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"time"

	setplan "github.com/setplan/setplan/clients/go"
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
	now := time.Now()
	template := func(name string) *x509.Certificate {
		return &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
			NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour)}
	}
	authority := template("authority")
	authority.IsCA, authority.BasicConstraintsValid, authority.KeyUsage = true, true, x509.KeyUsageCertSign
	key, err := d.write("ca", authority, nil, nil)
	if err != nil {
		return nil, err
	}
	server := template("planner")
	server.DNSNames, server.ExtKeyUsage = []string{serverName}, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	if _, err := d.write("server", server, authority, key); err != nil {
		return nil, err
	}
	for i := range all {
		name := adapterName(i)
		client := template(name)
		client.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
		if _, err := d.write(name, client, authority, key); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// write makes a certificate and its key; without an issuer it is self-signed.
func (d *identities) write(name string, template, issuer *x509.Certificate, issuerKey *ecdsa.PrivateKey) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	if issuer == nil {
		issuer, issuerKey = template, key
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, issuer, key.Public(), issuerKey)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	for ending, block := range map[string]*pem.Block{".crt": {Type: "CERTIFICATE", Bytes: certificate}, ".key": {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(d.path(name+ending), pem.EncodeToMemory(block), 0o600); err != nil {
			return nil, err
		}
	}
	return key, nil
}
