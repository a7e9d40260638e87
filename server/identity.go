package server

import (
	"context"
	"crypto/x509"
	"fmt"
	"strings"
	"unicode"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
)

// identityOf is whom the certificate of the connection names; empty where none was checked.
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

// nameOf says what kind of name it is, so that none can be taken for one of another kind.
func nameOf(certificate *x509.Certificate) string {
	kind, name := "serial", fmt.Sprintf("%x", certificate.SerialNumber)
	switch {
	case len(certificate.URIs) > 0 && certificate.URIs[0].Scheme == "spiffe":
		kind, name = "URI", certificate.URIs[0].String()
	case certificate.Subject.CommonName != "":
		kind, name = "CN", certificate.Subject.CommonName
	case len(certificate.DNSNames) > 0:
		kind, name = "DNS", certificate.DNSNames[0]
	}
	return harmless(kind + "=" + name)
}

// harmless bounds a text from outside, and leaves nothing in it that moves a cursor, breaks a line or turns the direction
// of writing.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return '?'
		}
		return r
	}, bounded(text))
}
