package server

import (
	"context"
	"crypto/x509"
	"fmt"
	"strings"
	"unicode"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"

	"github.com/setplan/setplan/server/access"
)

// identityOf returns the name in the connection's certificate; empty if none was checked.
func identityOf(ctx context.Context) string {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return ""
	}
	info, ok := p.AuthInfo.(credentials.TLSInfo)
	if !ok || len(info.State.VerifiedChains) == 0 {
		return ""
	}
	return nameOf(info.State.PeerCertificates[0])
}

// nameOf includes the kind of the name, so that a name of one kind cannot pass for one of another.
func nameOf(certificate *x509.Certificate) string {
	kind, name := "serial", fmt.Sprintf("%x", certificate.SerialNumber)
	uris := access.URIs(certificate)
	switch {
	case len(uris) > 0 && strings.HasPrefix(uris[0], "spiffe:"):
		kind, name = "URI", uris[0]
	case access.CommonName(certificate) != "":
		kind, name = "CN", access.CommonName(certificate)
	case len(certificate.DNSNames) > 0:
		kind, name = "DNS", certificate.DNSNames[0]
	}
	return harmless(kind + "=" + name)
}

// harmless shortens a text from outside, and removes whatever moves a cursor, breaks a line or changes the direction of
// writing.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return '?'
		}
		return r
	}, bounded(text))
}
