package server

import (
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"math/big"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc/codes"
	_ "google.golang.org/grpc/encoding/gzip" // so that this process could decompress, if the server asked for it
	"google.golang.org/grpc/status"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestForgedCertificates: without a certificate of a trusted authority, good now and for a client, no call gets as far as the policy.
func TestForgedCertificates(t *testing.T) {
	r, ca, _ := guarded(t, "clusters: [{name: east, identities: [CN=east]}]")
	honest := r.as(t, ca, commonName("east"))
	goesOn(t, honest)
	east := func(change func(*x509.Certificate)) tls.Certificate {
		return ca.client(t, func(c *x509.Certificate) { c.Subject.CommonName = "east"; change(c) })
	}
	for reason, certificates := range map[string][]tls.Certificate{
		"no certificate":           nil,
		"self-signed":              {selfSigned(t, "east")},
		"of another authority":     {newAuthority(t).client(t, commonName("east"))},
		"expired":                  {east(func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Second) })},
		"not good yet":             {east(func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) })},
		"a server's":               {east(func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth} })},
		"signed by another client": {signedBy(t, east(func(*x509.Certificate) {}), "east")},
	} {
		_, err := setplanv1.NewPlannerServiceClient(r.dial(t, certificates...)).Plan(testContext(t), request())
		if status.Code(err) != codes.Unavailable { // the handshake ends
			t.Errorf("%s: %v", reason, err)
		}
	}
	goesOn(t, honest)
}

// selfSigned is a certificate that nobody vouches for.
func selfSigned(t *testing.T, name string) tls.Certificate {
	t.Helper()
	return signed(t, name, nil, nil)
}

// signedBy is a certificate that is signed by one that is no authority's.
func signedBy(t *testing.T, client tls.Certificate, name string) tls.Certificate {
	t.Helper()
	issuer, err := x509.ParseCertificate(client.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	c := signed(t, name, issuer, client.PrivateKey.(*ecdsa.PrivateKey))
	c.Certificate = append(c.Certificate, client.Certificate...)
	return c
}

func signed(t *testing.T, name string, issuer *x509.Certificate, issuerKey *ecdsa.PrivateKey) tls.Certificate {
	t.Helper()
	key := newKey(t)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	if issuer == nil {
		issuer, issuerKey = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, issuer, key.Public(), issuerKey)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// TestCompressedBomb: a message that would become 64 megabytes is refused by its first byte, and nothing of it is decompressed.
func TestCompressedBomb(t *testing.T) {
	r := start(t, Config{}, nil)
	var bomb bytes.Buffer
	packer, err := gzip.NewWriterLevel(&bomb, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range 64 {
		if _, err := packer.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := packer.Close(); err != nil {
		t.Fatal(err)
	}
	for _, encoding := range []string{"gzip", "identity", "snappy"} {
		c := r.dialRaw(t, 1<<16)
		c.begin(t, 1, hpack.HeaderField{Name: "grpc-encoding", Value: encoding})
		message := append(binary.BigEndian.AppendUint32([]byte{1}, uint32(bomb.Len())), bomb.Bytes()[:8<<10]...)
		if err := c.WriteData(1, false, message); err != nil {
			t.Fatal(err)
		}
		if code := c.status(t); code != "12" { // UNIMPLEMENTED
			t.Errorf("%s: the call ends with code %s, want 12", encoding, code)
		}
	}
	goesOn(t, r.planner(t))
	givesBack(t, r.admission)
}

// TestStreamFlood: a connection that begins thousands of calls at once has as many open as others may have, and others go on.
func TestStreamFlood(t *testing.T) {
	r := start(t, Config{}, nil)
	planner := r.planner(t)
	goesOn(t, planner)
	c := r.dialRaw(t, 1<<16)
	go func() { // the server stops if nobody reads what it sends
		for {
			if _, err := c.ReadFrame(); err != nil {
				return
			}
		}
	}()
	c.begin(t, 1)
	block := bytes.Clone(c.block)
	for i := range uint32(5000) {
		if err := c.WriteHeaders(http2.HeadersFrameParam{StreamID: 2*i + 3, BlockFragment: block, EndHeaders: true}); err != nil {
			break // the server has closed the connection
		}
		if open, _, _, _, _ := r.admission.state(); open > maxStreams {
			t.Fatalf("%d calls of one connection are open", open)
		}
	}
	goesOn(t, planner)
	_ = c.Close()
	givesBack(t, r.admission)
}

// TestHeaderFlood: headers that never end are no call, and their connection is closed before they fill the memory.
func TestHeaderFlood(t *testing.T) {
	r := start(t, Config{}, nil)
	planner := r.planner(t)
	goesOn(t, planner)
	c := r.dialRaw(t, 1<<16)
	c.begin(t, 1)
	var field headerBlock
	encoder := hpack.NewEncoder(&field)
	if err := encoder.WriteField(hpack.HeaderField{Name: "x", Value: strings.Repeat("x", 8<<10), Sensitive: true}); err != nil {
		t.Fatal(err)
	}
	err := c.WriteHeaders(http2.HeadersFrameParam{StreamID: 3, BlockFragment: field, EndHeaders: false})
	const most = 64 << 20
	sent := 0
	_ = c.SetWriteDeadline(time.Now().Add(patience))
	for ; err == nil && sent < most; sent += len(field) {
		err = c.WriteContinuation(3, false, field)
	}
	if err == nil {
		t.Errorf("the server took %d bytes of headers", sent)
	}
	goesOn(t, planner)
}

type headerBlock []byte

// Write is for the encoder of headers.
func (b *headerBlock) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}
