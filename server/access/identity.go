package access

import (
	"crypto/x509"
	"encoding/asn1"
)

// Identities returns the names in a certificate, the most specific first: its URIs (a SPIFFE id is one), its DNS names, its common name. Each
// begins with its kind, so that a name of one kind cannot pass for one of another.
func Identities(certificate *x509.Certificate) []string {
	var names []string
	for _, uri := range certificate.URIs {
		names = append(names, "URI="+uri.String())
	}
	for _, name := range certificate.DNSNames {
		names = append(names, "DNS="+name)
	}
	if name := CommonName(certificate); name != "" {
		names = append(names, "CN="+name)
	}
	return names
}

var commonName = asn1.ObjectIdentifier{2, 5, 4, 3} // of X.520

// CommonName returns the common name of a certificate; empty if it has several: Go takes the last, and the authority that signed it may
// have checked only the first.
func CommonName(certificate *x509.Certificate) string {
	several := 0
	for _, name := range certificate.Subject.Names {
		if name.Type.Equal(commonName) {
			several++
		}
	}
	if several > 1 {
		return ""
	}
	return certificate.Subject.CommonName
}
