package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/tokens"
)

// reviewing is an API server that accepts the tokens that a test has made, and those only. Package tokens tests what else one may say, and
// test/e2e asks a real one.
func reviewing(t *testing.T, known ...string) (options tokens.Options, questions *atomic.Int64) {
	t.Helper()
	return reviewingAfter(t, func() {}, known...)
}

// reviewingAfter does something before each answer.
func reviewingAfter(t *testing.T, before func(), known ...string) (options tokens.Options, questions *atomic.Int64) {
	t.Helper()
	questions = &atomic.Int64{}
	api := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		questions.Add(1)
		before()
		var asked struct{ Spec struct{ Token string } }
		_ = json.NewDecoder(r.Body).Decode(&asked)
		status := map[string]any{}
		if slices.Contains(known, asked.Spec.Token) {
			text, _ := base64.RawURLEncoding.DecodeString(strings.Split(asked.Spec.Token, ".")[1])
			var claims struct{ Sub string }
			_ = json.Unmarshal(text, &claims)
			status = map[string]any{"authenticated": true, "audiences": []string{"setplan"}, "user": map[string]any{"username": claims.Sub}}
		}
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(map[string]any{"status": status})
	}))
	t.Cleanup(api.Close)
	folder := t.TempDir()
	for name, data := range map[string][]byte{"token": []byte("own"), "ca.crt": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: api.Certificate().Raw})} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return tokens.Options{Audience: "setplan", Server: api.URL, Folder: folder}, questions
}

// tokenFor is a token with a signature of its own.
func tokenFor(account string, life time.Duration, signature string) string {
	claims, _ := json.Marshal(map[string]any{"sub": "system:serviceaccount:" + account, "aud": []string{"setplan"}, "exp": time.Now().Add(life).Unix()})
	for len(signature)%4 > 0 { // any such text is base64
		signature += "-"
	}
	return "e30." + base64.RawURLEncoding.EncodeToString(claims) + "." + signature
}

const bearersPolicy = `
clusters:
- {name: home, identities: ["TOKEN=system:serviceaccount:setplan-system:adapter"]}
- {name: annex, identities: ["TOKEN=system:serviceaccount:annex:adapter"]}
- {name: east, identities: [CN=east]}
`

// withTokens is a server that takes certificates and tokens.
func withTokens(t *testing.T, options tokens.Options) (r *running, ca *authority) {
	t.Helper()
	ca = newAuthority(t)
	config := Config{Tokens: options, MetricsAddress: "127.0.0.1:0", PolicyFile: filepath.Join(t.TempDir(), "policy.yaml"), TLS: TLSFiles{ClientCAFile: ca.file(t)}}
	config.TLS.CertFile, config.TLS.KeyFile = ca.issue(t, "server")
	if err := os.WriteFile(config.PolicyFile, []byte(bearersPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	r = start(t, config, lookOften)
	r.ca = ca
	return r, ca
}

// planWith plans with these values of the header authorization.
func (r *running) planWith(t *testing.T, planner setplanv1.PlannerServiceClient, values ...string) error {
	ctx := testContext(t)
	for _, value := range values {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", value)
	}
	_, err := planner.Plan(ctx, request())
	return err
}

// TestTokens: a call is served for its token or its certificate, and not if one of them is bad or they are of two clusters.
func TestTokens(t *testing.T) {
	const home = "setplan-system:adapter"
	good, gone := tokenFor(home, time.Hour, "canary-good"), tokenFor(home, time.Hour, "canary-gone")
	late, stranger := tokenFor(home, -time.Second, "canary-late"), tokenFor("default:default", time.Hour, "canary-stranger")
	options, questions := reviewing(t, good, late, stranger)
	r, ca := withTokens(t, options)
	plain, east := setplanv1.NewPlannerServiceClient(r.dial(t)), r.as(t, ca, commonName("east"))
	for reason, test := range map[string]struct {
		planner setplanv1.PlannerServiceClient
		header  []string
		says    string // empty: it is served
	}{
		"a good token":      {plain, []string{"Bearer " + good}, ""},
		"written otherwise": {plain, []string{"bearer " + good}, ""},
		"a certificate":     {east, nil, ""},
		"neither":           {plain, nil, "no cluster with one of the identities"},
		"an expired token":  {plain, []string{"Bearer " + late}, "it has expired"},
		"a token that the API server knows no more": {plain, []string{"Bearer " + gone}, "the API server does not know it"},
		"an account of no cluster":                  {plain, []string{"Bearer " + stranger}, "TOKEN=system:serviceaccount:default:default"},
		"a good token, and more":                    {plain, []string{"Bearer " + good + " more"}, "not a service account token"},
		"garbage":                                   {plain, []string{"Bearer canary-garbage"}, "not a service account token"},
		"garbage beside a certificate":              {east, []string{"Bearer canary-garbage"}, "not a service account token"},
		"a password":                                {plain, []string{"Basic canary-password"}, "with Bearer and the token"},
		"nothing":                                   {plain, []string{"Bearer "}, "with Bearer and the token"},
		"two tokens":                                {plain, []string{"Bearer " + good, "Bearer " + gone}, "with Bearer and the token"},
		"one cluster's, and another's certificate":  {east, []string{"Bearer " + good}, "no cluster with one of the identities CN=east, TOKEN=system:serviceaccount:" + home},
	} {
		err := r.planWith(t, test.planner, test.header...)
		if test.says == "" {
			if err != nil {
				t.Errorf("%s: %v", reason, err)
			}
			continue
		}
		want(t, err, codes.PermissionDenied, "UNKNOWN_CALLER")
		if !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", reason, err)
		}
	}
	for reason, err := range map[string]error{
		"a certificate of another authority": r.planAs(t, newAuthority(t), commonName("east")),
		"an expired certificate":             r.planAs(t, ca, func(c *x509.Certificate) { commonName("east")(c); c.NotAfter = time.Now().Add(-time.Second) }),
	} {
		if status.Code(err) != codes.Unavailable { // the handshake ends
			t.Errorf("%s: %v", reason, err)
		}
	}
	if n := questions.Load(); n != 2 { // about the good one and the one that is gone
		t.Errorf("the API server was asked %d times", n)
	}
	waitFor(t, func() bool {
		return strings.Contains(r.log.String(), "caller=\"TOKEN=system:serviceaccount:"+home+"\" cluster=home ")
	})
	if strings.Contains(r.log.String(), "canary") {
		t.Error("a token is in the log")
	}
	if metrics := get(t, "http://"+r.MetricsAddr().String()+"/metrics", http.StatusOK); strings.Contains(metrics, "canary") {
		t.Error("a token is in the metrics")
	}
}

// TestWithoutAPIServer: while it cannot be asked, nobody is served whom it has not accepted a moment before.
func TestWithoutAPIServer(t *testing.T) {
	token := tokenFor("setplan-system:adapter", time.Hour, "canary")
	options, _ := reviewing(t, token)
	if err := os.WriteFile(filepath.Join(options.Folder, "ca.crt"), []byte(pemOf(newAuthority(t))), 0o600); err != nil {
		t.Fatal(err)
	}
	r, ca := withTokens(t, options)
	err := r.planWith(t, setplanv1.NewPlannerServiceClient(r.dial(t)), "Bearer "+token)
	want(t, err, codes.ResourceExhausted, "OVERLOADED")
	waitFor(t, func() bool { return strings.Contains(r.log.String(), `msg="token not reviewed"`) })
	if strings.Contains(r.log.String(), "canary") {
		t.Error("the token is in the log")
	}
	if err := r.planAs(t, ca, commonName("east")); err != nil {
		t.Errorf("a certificate needs no API server: %v", err)
	}
	if got := counted(t, r, `setplan_server_shed_calls_total{reason="review"}`); got != "1" {
		t.Errorf("%q calls are counted", got)
	}
}

func pemOf(ca *authority) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.certificate.Raw})
}

// TestRevokedWhileReviewed: an account that is removed from the policy file while the API server is asked is not served by the file as it was.
func TestRevokedWhileReviewed(t *testing.T) {
	token := tokenFor("setplan-system:adapter", time.Hour, "1")
	asked, answer := make(chan struct{}), make(chan struct{})
	options, _ := reviewingAfter(t, func() { asked <- struct{}{}; <-answer }, token)
	r, _ := withTokens(t, options)
	done := make(chan error)
	planner := setplanv1.NewPlannerServiceClient(r.dial(t))
	go func() { done <- r.planWith(t, planner, "Bearer "+token) }()
	<-asked
	replace(t, r.config.PolicyFile, []byte("clusters: [{name: east, identities: [CN=east]}]"))
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "policy file reloaded") })
	close(answer)
	want(t, <-done, codes.PermissionDenied, "UNKNOWN_CALLER")
}

// TestJunkTokensKeepNobodyOut: a machine that sends bad tokens all the time, and has no identity, does not keep out an adapter elsewhere with a
// new token.
func TestJunkTokensKeepNobodyOut(t *testing.T) {
	const home = "setplan-system:adapter"
	good := tokenFor(home, time.Hour, "good")
	options, questions := reviewing(t, good)
	r, _ := withTokens(t, options)
	elsewhere := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	connection, err := grpc.NewClient("passthrough:///"+r.Addr().String(), grpc.WithDisableRetry(),
		grpc.WithTransportCredentials(credentials.NewTLS(&tls.Config{RootCAs: r.ca.pool()})),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			return elsewhere.DialContext(ctx, "tcp", address)
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	for n := range 100 {
		if err := r.planWith(t, setplanv1.NewPlannerServiceClient(connection), "Bearer "+tokenFor(home, time.Hour, fmt.Sprint(n))); err == nil {
			t.Fatal("a bad token was accepted")
		}
	}
	if n := questions.Load(); n > 50 {
		t.Errorf("the API server was asked %d times", n)
	}
	if err := r.planWith(t, setplanv1.NewPlannerServiceClient(r.dial(t)), "Bearer "+good); err != nil {
		t.Errorf("a good token beside a hundred bad ones: %v", err)
	}
}

// TestConnectionOfTwoClusters: with tokens a connection may change over to another cluster, and then counts as that one's.
func TestConnectionOfTwoClusters(t *testing.T) {
	home, annex := tokenFor("setplan-system:adapter", time.Hour, "1"), tokenFor("annex:adapter", time.Hour, "2")
	options, _ := reviewing(t, home, annex)
	r, _ := withTokens(t, options)
	planner := setplanv1.NewPlannerServiceClient(r.dial(t))
	for i, token := range []string{home, annex, home} {
		waitFor(t, func() bool { open, _, _, held, _ := r.admission.state(); return open == 0 && held == 0 })
		if err := r.planWith(t, planner, "Bearer "+token); err != nil {
			t.Fatal(err)
		}
		r.admission.mu.Lock()
		for name, of := range r.admission.clusters {
			if its := name == []string{"home", "annex", "home"}[i]; of.connections == 1 != its {
				t.Errorf("call %d: cluster %s has %d connections", i, name, of.connections)
			}
		}
		r.admission.mu.Unlock()
	}
	var c caller
	a := still(t)
	if !a.join(&c, "home") {
		t.Fatal("a new connection is nobody's")
	}
	if err := a.enter(&c); err != nil {
		t.Fatal(err)
	}
	if a.join(&c, "annex") || !a.join(&c, "home") {
		t.Error("a connection with a call has changed over")
	}
}

// TestClientSendsTokens: the Go client reads the file for each call, as it is replaced in a pod.
func TestClientSendsTokens(t *testing.T) {
	home, annex := tokenFor("setplan-system:adapter", time.Hour, "1"), tokenFor("annex:adapter", time.Hour, "2")
	options, _ := reviewing(t, home, annex)
	r, ca := withTokens(t, options)
	file := filepath.Join(t.TempDir(), "token")
	replace(t, file, []byte(home+"\n"))
	client, err := setplan.Dial(r.Addr().String(), setplan.WithTLSFiles(ca.file(t), "", ""), setplan.WithTokenFile(file))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, token := range []string{home, annex} {
		replace(t, file, []byte(token))
		waitFor(t, func() bool { open, _, _, held, _ := r.admission.state(); return open == 0 && held == 0 })
		if _, err := client.Plan(context.Background(), request()); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, func() bool {
		return strings.Contains(r.log.String(), " cluster=home ") && strings.Contains(r.log.String(), " cluster=annex ")
	})
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Plan(context.Background(), request()); err == nil {
		t.Error("a call without a token was served")
	}
}

// TestTokenFlags: tokens are taken over TLS, and for the clusters of a policy file.
func TestTokenFlags(t *testing.T) {
	options, _ := reviewing(t)
	ca := newAuthority(t)
	var files TLSFiles
	files.CertFile, files.KeyFile = ca.issue(t, "server")
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(policy, []byte(bearersPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	nowhere := options
	nowhere.Folder = t.TempDir()
	for want, config := range map[string]Config{
		"--policy-file, which says whose": {Tokens: options, TLS: files},
		"must not be sent in plaintext":   {Tokens: options, PolicyFile: policy},
		"no such file":                    {Tokens: nowhere, PolicyFile: policy, TLS: files},
	} {
		config.ListenAddress = "127.0.0.1:0"
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--token-audience") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	s, err := New(Config{ListenAddress: "127.0.0.1:0", Tokens: options, PolicyFile: policy, TLS: files})
	if err != nil {
		t.Fatalf("without certificates of clients: %v", err)
	}
	_ = s.listener.Close()
}
