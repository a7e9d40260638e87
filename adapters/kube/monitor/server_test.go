package monitor

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
)

// apiServer has two tokens: "reader", which may read everything, and "nobody", which may read nothing.
func apiServer(t *testing.T) *rest.Config {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			APIVersion, Kind string
			Spec             struct {
				Token, User           string
				NonResourceAttributes struct{ Path, Verb string }
			}
		}
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &in); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		status := map[string]any{}
		switch path := strings.TrimPrefix(r.URL.Path, "/apis/"); path {
		case "authentication.k8s.io/v1/tokenreviews":
			status["authenticated"] = in.Spec.Token == "reader" || in.Spec.Token == "nobody"
			status["user"] = map[string]any{"username": in.Spec.Token}
		case "authorization.k8s.io/v1/subjectaccessreviews":
			a := in.Spec.NonResourceAttributes
			status["allowed"] = in.Spec.User == "reader" && a.Verb == "get" && (a.Path == "/metrics" || a.Path == "/plans")
		default:
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": in.APIVersion, "kind": in.Kind, "status": status})
	}))
	t.Cleanup(server.Close)
	return &rest.Config{Host: server.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
}

// serving starts a server with /metrics and /plans guarded and /healthz open.
func serving(t *testing.T, options Options, config *rest.Config) (*Server, *prometheus.Registry) {
	t.Helper()
	registry := prometheus.NewRegistry()
	answers := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "readers_total"}, []string{"answer"})
	registry.MustRegister(answers)
	s, err := Listen(options, config, "test", answers, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ok := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok")) })
	mux := http.NewServeMux()
	mux.Handle("/metrics", s.Guard(ok))
	mux.Handle("/plans", s.Guard(ok))
	mux.Handle("/healthz", ok)
	done := make(chan error)
	go func() { done <- s.Serve(mux) }()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s, registry
}

// pair writes a self-signed certificate for either side of a connection, and its key.
func pair(t *testing.T) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile = filepath.Join(t.TempDir(), "tls.crt"), filepath.Join(t.TempDir(), "tls.key")
	for file, block := range map[string]*pem.Block{
		certFile: {Type: "CERTIFICATE", Bytes: certificate},
		keyFile:  {Type: "PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certFile, keyFile
}

func get(t *testing.T, client *http.Client, url, token string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

func clientOf(certificates ...tls.Certificate) *http.Client {
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true, Certificates: certificates},
		DisableKeepAlives: true,
	}}
}

// TestCallers checks who may read what when callers are checked.
func TestCallers(t *testing.T) {
	certFile, keyFile := pair(t)
	s, registry := serving(t, Options{Address: "127.0.0.1:0", CertFile: certFile, KeyFile: keyFile}, apiServer(t))
	for _, test := range []struct {
		reason, path, token string
		want                int
	}{
		{"probes have no token", "/healthz", "", http.StatusOK},
		{"anybody in the network", "/metrics", "", http.StatusUnauthorized},
		{"anybody in the network", "/plans", "", http.StatusUnauthorized},
		{"a made-up token", "/plans", "guess", http.StatusUnauthorized},
		{"any pod of the cluster", "/metrics", "nobody", http.StatusForbidden},
		{"any pod of the cluster", "/plans", "nobody", http.StatusForbidden},
		{"Prometheus", "/metrics", "reader", http.StatusOK},
		{"Prometheus", "/plans", "reader", http.StatusOK},
	} {
		if got := get(t, clientOf(), "https://"+s.Address()+test.path, test.token); got != test.want {
			t.Errorf("%s, %s with token %q: %d, want %d", test.reason, test.path, test.token, got, test.want)
		}
	}
	families, err := registry.Gather()
	if err != nil || len(families) != 1 {
		t.Fatal(families, err)
	}
	counted := map[string]float64{}
	for _, metric := range families[0].GetMetric() {
		counted[metric.GetLabel()[0].GetValue()] = metric.GetCounter().GetValue()
	}
	if diff := cmp.Diff(map[string]float64{"unknown": 3, "forbidden": 2, "allowed": 2}, counted); diff != "" {
		t.Error(diff)
	}
	if got := get(t, clientOf(), "http://"+s.Address()+"/metrics", "reader"); got != http.StatusBadRequest {
		t.Errorf("over plain HTTP: %d", got)
	}
}

// TestCallersNotReviewed: an adapter that cannot have callers reviewed lets nobody in.
func TestCallersNotReviewed(t *testing.T) {
	certFile, keyFile := pair(t)
	config := apiServer(t)
	config.Host += "/elsewhere"
	s, _ := serving(t, Options{Address: "127.0.0.1:0", CertFile: certFile, KeyFile: keyFile}, config)
	if got := get(t, clientOf(), "https://"+s.Address()+"/metrics", "reader"); got != http.StatusServiceUnavailable {
		t.Errorf("got %d", got)
	}
}

// TestClientCertificate: a certificate of the authority is enough, one of another authority is refused, and a caller with a
// token needs none. The server's own certificate is generated.
func TestClientCertificate(t *testing.T) {
	certFile, keyFile := pair(t)
	s, _ := serving(t, Options{Address: "127.0.0.1:0", ClientCAFile: certFile}, apiServer(t))
	load := func(certFile, keyFile string) tls.Certificate {
		certificate, err := tls.LoadX509KeyPair(certFile, keyFile)
		if err != nil {
			t.Fatal(err)
		}
		return certificate
	}
	url := "https://" + s.Address() + "/plans"
	if got := get(t, clientOf(load(certFile, keyFile)), url, ""); got != http.StatusOK {
		t.Errorf("with a certificate: %d", got)
	}
	if got := get(t, clientOf(), url, ""); got != http.StatusUnauthorized {
		t.Errorf("without one: %d", got)
	}
	if got := get(t, clientOf(), url, "reader"); got != http.StatusOK {
		t.Errorf("with a token: %d", got)
	}
	// A client that knows the server's authorities sends no other certificate unless it is forced to.
	foreign := load(pair(t))
	insists := clientOf()
	insists.Transport.(*http.Transport).TLSClientConfig.GetClientCertificate =
		func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &foreign, nil }
	request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if answer, err := insists.Do(request); err == nil {
		answer.Body.Close()
		t.Errorf("with a certificate of somebody else: %d", answer.StatusCode)
	}
}

// TestSecured: the address and the flags decide whether callers are checked.
func TestSecured(t *testing.T) {
	for _, test := range []struct {
		reason  string
		ip      string
		options Options
		want    bool
	}{
		{"loopback is the same machine", "127.0.0.1", Options{}, false},
		{"loopback is the same machine", "::1", Options{}, false},
		{"all interfaces", "0.0.0.0", Options{}, true},
		{"all interfaces", "::", Options{}, true},
		{"a pod's address", "10.1.2.3", Options{}, true},
		{"a user has said so", "10.1.2.3", Options{Insecure: true}, false},
		{"files say what is wanted", "127.0.0.1", Options{CertFile: "c", KeyFile: "k"}, true},
		{"files say what is wanted", "127.0.0.1", Options{ClientCAFile: "c"}, true},
	} {
		if got := test.options.secured(&net.TCPAddr{IP: net.ParseIP(test.ip)}); got != test.want {
			t.Errorf("%s: %s with %+v: %v", test.reason, test.ip, test.options, got)
		}
	}
}

// TestRotation: new files count without a restart, and invalid files leave the old certificate in use.
func TestRotation(t *testing.T) {
	certFile, keyFile := pair(t)
	now := time.Now()
	c, err := newCertificates(Options{CertFile: certFile, KeyFile: keyFile}, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	serial := func() string { return string(c.newest().Certificates[0].Certificate[0]) }
	first := serial()
	newCert, newKey := pair(t)
	move := func(from, to string) {
		content, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	move(newCert, certFile)
	now = now.Add(rereading)
	if serial() != first {
		t.Error("a certificate without its key is used")
	}
	move(newKey, keyFile)
	now = now.Add(rereading)
	if serial() == first {
		t.Error("the new certificate is not used")
	}
	if _, err := newCertificates(Options{CertFile: "/does/not/exist", KeyFile: keyFile}, time.Now, nil); err == nil {
		t.Error("a missing file is found only at the first caller")
	}
}

// TestSlowCaller: a caller that does not finish its request is disconnected, and an endless header is refused.
func TestSlowCaller(t *testing.T) {
	t.Parallel()
	s, _ := serving(t, Options{Address: "127.0.0.1:0"}, nil)
	var dialer net.Dialer
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	slow, err := dialer.DialContext(ctx, "tcp", s.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if _, err := slow.Write([]byte("GET /metrics HTTP/1.1\r\nHost: x\r\n")); err != nil {
		t.Fatal(err)
	}
	_ = slow.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.ReadAll(slow); err != nil {
		t.Errorf("the connection was not closed: %v", err)
	}
	if got := get(t, clientOf(), "http://"+s.Address()+"/metrics", strings.Repeat("x", 64<<10)); got != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a token of 64 kB: %d", got)
	}
}

// TestConnectionsAreBounded: silent connections take no memory without end, and keep nobody out.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	s, _ := serving(t, Options{Address: "127.0.0.1:0"}, nil)
	var all []net.Conn
	for range 3 * connections {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.Address())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		all = append(all, c)
	}
	if got := get(t, clientOf(), "http://"+s.Address()+"/metrics", ""); got != http.StatusOK {
		t.Errorf("beside silent connections: %d", got)
	}
	closed := 0
	for _, c := range all {
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		if _, err := c.Read(make([]byte, 1)); errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
			closed++
		}
	}
	if closed < 2*connections {
		t.Errorf("%d of %d silent connections were closed", closed, len(all))
	}
}
