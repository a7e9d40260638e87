package server

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"net/url"
	"strings"
	"testing"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// client issues a certificate for a caller.
func (a *authority) client(t *testing.T, change func(*x509.Certificate)) tls.Certificate {
	t.Helper()
	template := a.template("")
	change(template)
	key := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// TestCallersAreNamed: one planner serves many clusters, and its log says which one called.
func TestCallersAreNamed(t *testing.T) {
	r, ca := mutual(t)
	spiffe := &url.URL{Scheme: "spiffe", Host: "example.org", Path: "/ns/setplan/sa/adapter"}
	for reason, test := range map[string]struct {
		change func(*x509.Certificate)
		want   string
	}{
		"a common name": {func(c *x509.Certificate) { c.Subject.CommonName = "cluster-eu-1" }, `caller="CN=cluster-eu-1"`},
		"a SPIFFE id": {func(c *x509.Certificate) { c.Subject.CommonName, c.URIs = "x", []*url.URL{spiffe} },
			`caller="URI=spiffe://example.org/ns/setplan/sa/adapter"`},
		"a DNS name":        {func(c *x509.Certificate) { c.DNSNames = []string{"adapter.example.org"} }, `caller="DNS=adapter.example.org"`},
		"no name":           {func(*x509.Certificate) {}, `caller="serial=`},
		"a line of its own": {func(c *x509.Certificate) { c.Subject.CommonName = "a\n\x1b[2Jlevel=ERROR\u202e" }, `caller="CN=a??[2Jlevel=ERROR?"`},
	} {
		if _, err := setplanv1.NewPlannerServiceClient(r.dial(t, ca.client(t, test.change))).Plan(testContext(t), request()); err != nil {
			t.Fatal(err)
		}
		waitFor(t, func() bool { return strings.Contains(r.log.String(), test.want) })
		t.Logf("%s: %s", reason, test.want)
	}
	long := strings.Repeat("n", 60_000)
	before := len(r.log.String())
	name := ca.client(t, func(c *x509.Certificate) { c.Subject.CommonName = long })
	if _, err := setplanv1.NewPlannerServiceClient(r.dial(t, name)).Plan(testContext(t), request()); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "CN=nnn") })
	if grown := len(r.log.String()) - before; grown > 5*maxLoggedName {
		t.Errorf("a call by somebody with a long name makes %d bytes of log", grown)
	}
}
