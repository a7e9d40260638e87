package access

import "crypto/x509"

// Identities are the names in a certificate, the most specific first: its URIs (a SPIFFE id is one), its DNS names, its common name. Each
// begins with its kind, so that a name of one kind cannot pass for one of another.
func Identities(certificate *x509.Certificate) []string {
	var names []string
	for _, uri := range certificate.URIs {
		names = append(names, "URI="+uri.String())
	}
	for _, name := range certificate.DNSNames {
		names = append(names, "DNS="+name)
	}
	if name := certificate.Subject.CommonName; name != "" {
		names = append(names, "CN="+name)
	}
	return names
}
