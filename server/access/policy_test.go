package access

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const good = `
clusters:
- name: east
  identities: ["URI=spiffe://example.org/east", CN=east]
  limits: {callsPerSecond: 50, concurrentCalls: 8, maxPods: 5000}
- name: west
  identities: [CN=west, "TOKEN=system:serviceaccount:setplan-system:setplan-adapter"]
`

func TestPolicy(t *testing.T) {
	p, err := Parse([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"east", "west"}, p.Clusters()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Limits{50, 8, 5000}, p.Of([]string{"CN=x", "CN=east"}).Limits); diff != "" {
		t.Error(diff)
	}
	if c := p.Of([]string{"TOKEN=system:serviceaccount:setplan-system:setplan-adapter"}); c == nil || c.Name != "west" {
		t.Errorf("of a service account: %v", c)
	}
	for reason, identities := range map[string][]string{
		"none": nil, "a name like an account's": {"CN=system:serviceaccount:setplan-system:setplan-adapter"}, "unknown": {"CN=north"}, "of two clusters": {"CN=east", "CN=west"}, "empty": {""},
	} {
		if c := p.Of(identities); c != nil {
			t.Errorf("%s: cluster %s", reason, c.Name)
		}
	}
}

// TestBadPolicies: an invalid policy is refused, and the error names the field.
func TestBadPolicies(t *testing.T) {
	cluster := func(fields string) string { return "clusters: [{name: east, identities: [CN=east]}, {" + fields + "}]" }
	for text, want := range map[string]string{
		"":                                      "clusters: has 0 entries",
		"clusters: {}":                          "cannot unmarshal",
		"clusters: [null]":                      "clusters[0]: is empty",
		"clusters":                              "cannot unmarshal",
		"cluster: []":                           "field cluster not found",
		"{clusters: [], clusters: [{name: a}]}": "already defined",
		cluster("name: west"):                   "clusters[1].identities: ",
		cluster("identities: [CN=west]"):        "clusters[1].name: is \"\"",
		cluster("name: West, identities: [CN=west]"):                                       "clusters[1].name: is \"West\"",
		cluster("name: east, identities: [CN=x]"):                                          `clusters[1].name: "east" is used twice`,
		cluster("name: west, identities: [CN=east]"):                                       `clusters[1].identities[0]: "CN=east" is an identity of "east" already`,
		cluster("name: west, identities: [a, a]"):                                          "clusters[1].identities[0]: is \"a\"",
		cluster("name: west, identities: [CN=]"):                                           "clusters[1].identities[0]: is \"CN=\"",
		cluster("name: west, identities: [serial=7]"):                                      "clusters[1].identities[0]: is \"serial=7\"",
		cluster("name: west, identities: [TOKEN=alice]"):                                   "clusters[1].identities[0]: is \"TOKEN=alice\"",
		cluster("name: west, identities: ['TOKEN=system:serviceaccount:a']"):               "must be URI=, DNS= or CN= followed by the name in the certificate, or TOKEN=",
		cluster("name: west, identities: ['TOKEN=system:serviceaccount:a:b:c']"):           "clusters[1].identities[0]",
		cluster("name: west, identities: [CN=a, CN=a]"):                                    `clusters[1].identities[1]: "CN=a" is an identity of "west" already`,
		cluster("name: west, identities: [CN=a], limits: {maxPods: -1}"):                   "clusters[1].limits.maxPods: is -1",
		cluster("name: west, identities: [CN=a], limits: {concurrentCalls: -1}"):           "clusters[1].limits.concurrentCalls: is -1",
		cluster("name: west, identities: [CN=a], limits: {callsPerSecond: -0.1}"):          "clusters[1].limits.callsPerSecond: is -0.1",
		cluster("name: west, identities: [CN=a], limits: {callsPerSecond: .nan}"):          "",
		cluster("name: west, identities: [CN=a], limits: {concurrentCalls: 0.5}"):          `"0.5" is not a whole number`,
		cluster("name: west, identities: [CN=a], limits: {maxPods: .nan}"):                 "not a whole number",
		cluster("name: west, identities: [CN=a], limits: {maxPods: 99999999999999999999}"): "not a whole number",
		cluster("name: west, identities: [CN=a], limits: {maxPods: [1]}"):                  "not a whole number",
		cluster("name: west, identities: [CN=a], limits: {maxPod: 1}"):                     "field maxPod not found",
		cluster("name: " + strings.Repeat("a", 64) + ", identities: [CN=a]"):               "up to 63",
		"clusters: [" + strings.Repeat("{name: a, identities: [CN=a]},", 1001) + "]":       "has 1001 entries",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %q", text, err, want)
		}
	}
}

// TestWholeNumbers: numbers are read as people write them, and as Helm does.
func TestWholeNumbers(t *testing.T) {
	for text, want := range map[string]Whole{"0": 0, "16": 16, "1000000": 1_000_000, "1e+06": 1_000_000, "2.0": 2} {
		p, err := Parse([]byte("clusters: [{name: a, identities: [CN=a], limits: {maxPods: " + text + "}}]"))
		if err != nil || p.clusters[0].Limits.MaxPods != want {
			t.Errorf("%s: %v, %v", text, p, err)
		}
	}
}

// TestManyIdentities: the identities of all clusters together are bounded, too.
func TestManyIdentities(t *testing.T) {
	for n, ok := range map[int]bool{maxIdentities: true, maxIdentities + 1: false} {
		var list strings.Builder
		for i := range n {
			fmt.Fprintf(&list, "CN=%d,", i)
		}
		if _, err := Parse([]byte("clusters: [{name: a, identities: [" + list.String() + "]}]")); (err == nil) != ok {
			t.Errorf("%d identities: %v", n, err)
		}
	}
}

func TestIdentities(t *testing.T) {
	uri := func(text string) *url.URL { u, _ := url.Parse(text); return u }
	c := signed(t, &x509.Certificate{Subject: pkix.Name{CommonName: "c"}, DNSNames: []string{"d", "e"},
		URIs: []*url.URL{uri("https://x/y"), uri("spiffe://a/b")}})
	if diff := cmp.Diff([]string{"URI=https://x/y", "URI=spiffe://a/b", "DNS=d", "DNS=e", "CN=c"}, Identities(c)); diff != "" {
		t.Error(diff)
	}
	if got := Identities(&x509.Certificate{}); got != nil {
		t.Errorf("of a certificate without names: %q", got)
	}
}

// TestURIsAreNotRewritten: a URI is what the authority has signed, and not what the same address would be written as.
func TestURIsAreNotRewritten(t *testing.T) {
	want := []string{"SPIFFE://example.org/east", "spiffe://example.org/east#", "spiffe://example.org/east?", "spiffe://EXAMPLE.org/%65ast", "spiffe://example.org/east"}
	var names []asn1.RawValue
	for _, uri := range want {
		names = append(names, asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: tagURI, Bytes: []byte(uri)})
	}
	names = append(names, asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 2, Bytes: []byte("d")})
	value, err := asn1.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	c := signed(t, &x509.Certificate{ExtraExtensions: []pkix.Extension{{Id: subjectAltName, Value: value}}})
	if diff := cmp.Diff(want, URIs(c)); diff != "" {
		t.Error(diff)
	}
	policy, err := Parse([]byte("clusters: [{name: east, identities: ['URI=spiffe://example.org/east']}]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, uri := range want {
		if served := policy.Of([]string{"URI=" + uri}) != nil; served != (uri == "spiffe://example.org/east") {
			t.Errorf("%s is served: %v", uri, served)
		}
	}
}

// signed is a certificate as an authority issues it.
func signed(t *testing.T, template *x509.Certificate) *x509.Certificate {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(1)
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		t.Fatal(err)
	}
	c, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
