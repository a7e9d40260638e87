package access

import (
	"crypto/x509"
	"encoding/asn1"
)

// Identities returns the names in a certificate, the most specific first: its URIs (a SPIFFE id is one), its DNS names, its common name. Each
// begins with its kind, so that a name of one kind cannot pass for one of another. They are as the authority signed them, byte for byte.
func Identities(certificate *x509.Certificate) []string {
	var names []string
	for _, uri := range URIs(certificate) {
		names = append(names, "URI="+uri)
	}
	for _, name := range certificate.DNSNames {
		names = append(names, "DNS="+name)
	}
	if name := CommonName(certificate); name != "" {
		names = append(names, "CN="+name)
	}
	return names
}

var subjectAltName = asn1.ObjectIdentifier{2, 5, 29, 17} // of RFC 5280

// tagURI is that of a uniformResourceIdentifier among the general names.
const tagURI = 6

// URIs returns those of a certificate, byte for byte. Certificate.URIs has them parsed, and writes several as one: SPIFFE://a and spiffe://a# as spiffe://a.
func URIs(certificate *x509.Certificate) (uris []string) {
	for _, extension := range certificate.Extensions {
		if !extension.Id.Equal(subjectAltName) {
			continue
		}
		var names []asn1.RawValue
		if rest, err := asn1.Unmarshal(extension.Value, &names); err != nil || len(rest) > 0 {
			return nil // no certificate that Go has parsed
		}
		for _, name := range names {
			if name.Class == asn1.ClassContextSpecific && name.Tag == tagURI {
				uris = append(uris, string(name.Bytes))
			}
		}
	}
	return uris
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
