package server

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// guarded starts a server with a policy file; rewrite changes the file.
func guarded(t *testing.T, policy string) (r *running, ca *authority, rewrite func(string)) {
	t.Helper()
	ca = newAuthority(t)
	config := Config{MetricsAddress: "127.0.0.1:0", PolicyFile: filepath.Join(t.TempDir(), "policy.yaml"), TLS: TLSFiles{ClientCAFile: ca.file(t)}}
	config.TLS.CertFile, config.TLS.KeyFile = ca.issue(t, "server")
	rewrite = func(text string) {
		if err := os.WriteFile(config.PolicyFile, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rewrite(policy)
	r = start(t, config, lookOften)
	r.ca = ca
	return r, ca, rewrite
}

func commonName(name string) func(*x509.Certificate) {
	return func(c *x509.Certificate) { c.Subject.CommonName = name }
}

func (r *running) as(t *testing.T, ca *authority, change func(*x509.Certificate)) setplanv1.PlannerServiceClient {
	return setplanv1.NewPlannerServiceClient(r.dial(t, ca.client(t, change)))
}

func (r *running) planAs(t *testing.T, ca *authority, change func(*x509.Certificate)) error {
	_, err := r.as(t, ca, change).Plan(testContext(t), request())
	return err
}

// TestWhoIsServed: the names in a certificate have to be identities of exactly one cluster, each with its kind.
func TestWhoIsServed(t *testing.T) {
	r, ca, _ := guarded(t, `
clusters:
- name: east
  identities: ["URI=spiffe://example.org/east", CN=east, DNS=east.example.org]
- name: west
  identities: [CN=west, "URI=https://west.example.org/adapter"]
`)
	uri := func(texts ...string) (all []*url.URL) {
		for _, text := range texts {
			u, err := url.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, u)
		}
		return all
	}
	for reason, test := range map[string]struct {
		change  func(*x509.Certificate)
		cluster string // empty: refused
	}{
		"a SPIFFE id":              {func(c *x509.Certificate) { c.URIs = uri("spiffe://example.org/east") }, "east"},
		"another URI":              {func(c *x509.Certificate) { c.URIs = uri("https://west.example.org/adapter") }, "west"},
		"a DNS name":               {func(c *x509.Certificate) { c.DNSNames = []string{"x.example.org", "east.example.org"} }, "east"},
		"a common name":            {commonName("east"), "east"},
		"two names of one cluster": {func(c *x509.Certificate) { c.Subject.CommonName, c.DNSNames = "east", []string{"east.example.org"} }, "east"},
		"names of two clusters":    {func(c *x509.Certificate) { c.Subject.CommonName, c.DNSNames = "west", []string{"east.example.org"} }, ""},
		"no name":                  {func(*x509.Certificate) {}, ""},
		"two common names": {func(c *x509.Certificate) {
			name := asn1.ObjectIdentifier{2, 5, 4, 3}
			c.Subject = pkix.Name{ExtraNames: []pkix.AttributeTypeAndValue{{Type: name, Value: "nobody"}, {Type: name, Value: "east"}}}
		}, ""},
		"another cluster's name":           {commonName("north"), ""},
		"a common name as a DNS name":      {func(c *x509.Certificate) { c.DNSNames = []string{"west"} }, ""},
		"a DNS name as a common name":      {commonName("east.example.org"), ""},
		"a kind within a name":             {commonName("CN=east"), ""},
		"a longer SPIFFE id":               {func(c *x509.Certificate) { c.URIs = uri("spiffe://example.org/east/x") }, ""},
		"a SPIFFE id in other letters":     {func(c *x509.Certificate) { c.URIs = uri("spiffe://example.org/East") }, ""},
		"the name of the cluster, no more": {commonName("East"), ""},
	} {
		err := r.planAs(t, ca, test.change)
		if test.cluster == "" {
			want(t, err, codes.PermissionDenied, "UNKNOWN_CALLER")
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", reason, err)
		}
		waitFor(t, func() bool { return strings.Contains(r.log.String(), " cluster="+test.cluster+" ") })
	}
	r.admission.mu.Lock()
	if n := len(r.admission.clusters); n != 2 {
		t.Errorf("%d clusters have an account, want 2", n)
	}
	r.admission.mu.Unlock()
	if got := counted(t, r, `setplan_server_cluster_calls_total{cluster="(unknown)",code="PermissionDenied"}`); got != "10" {
		t.Errorf("%q calls of strangers are counted, want 10", got)
	}
	if got := counted(t, r, `setplan_server_cluster_calls_total{cluster="east",code="OK"}`); got != "4" {
		t.Errorf("%q calls of east are counted, want 4", got)
	}
}

// TestRevokedIdentity: the next look at the policy file shuts a removed identity out, on open connections too, and nobody else.
func TestRevokedIdentity(t *testing.T) {
	const east, west = `{name: east, identities: [CN=east]}`, `{name: west, identities: [CN=west]}`
	r, ca, rewrite := guarded(t, "clusters: ["+east+", "+west+"]")
	stays, goes := r.dial(t, ca.client(t, commonName("east"))), r.dial(t, ca.client(t, commonName("west")))
	goesOn(t, setplanv1.NewPlannerServiceClient(stays))
	goesOn(t, setplanv1.NewPlannerServiceClient(goes))
	time.Sleep(10 * r.files.every) // for a look that notes whom the policy admits

	rewrite("clusters: [" + east + "]")
	if !goes.WaitForStateChange(testContext(t), connectivity.Ready) {
		t.Fatal("the connection of a removed identity goes on")
	}
	_, err := setplanv1.NewPlannerServiceClient(goes).Plan(testContext(t), request())
	want(t, err, codes.PermissionDenied, "UNKNOWN_CALLER")
	if stays.GetState() != connectivity.Ready {
		t.Errorf("the connection of an identity that stays is %s", stays.GetState())
	}

	rewrite("clusters: [{name: east, identities: [CN=") // half written
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "policy file is invalid") })
	goesOn(t, setplanv1.NewPlannerServiceClient(stays))
	rewrite("clusters: [" + east + ", " + west + "]")
	waitFor(t, func() bool {
		_, err := setplanv1.NewPlannerServiceClient(goes).Plan(testContext(t), request())
		return err == nil
	})
}

// TestLimitsOfACluster: the connections of a cluster share its limits, and other clusters are not affected.
func TestLimitsOfACluster(t *testing.T) {
	r, ca, rewrite := guarded(t, `
clusters:
- {name: east, identities: [CN=east, CN=east-2], limits: {callsPerSecond: 0.001}}
- {name: west, identities: [CN=west], limits: {maxPods: 1}}
`)
	if err := r.planAs(t, ca, commonName("east")); err != nil {
		t.Fatalf("the first call: %v", err)
	}
	err := r.planAs(t, ca, commonName("east-2"))
	want(t, err, codes.ResourceExhausted, "OVERLOADED")
	if after := detail[*errdetails.RetryInfo](err).GetRetryDelay().AsDuration(); after < 900*time.Second || after > 1000*time.Second {
		t.Errorf("at a call every 1,000 seconds the next one may come in %s", after)
	}
	two := request()
	two.Snapshot.Pods = []*setplanv1.Pod{{Name: "web-0", Uid: "u0"}, {Name: "web-1", Uid: "u1"}}
	_, err = r.as(t, ca, commonName("west")).Plan(testContext(t), two)
	if limit := want(t, err, codes.ResourceExhausted, "TOO_MANY_PODS")["limit"]; limit != "1" {
		t.Errorf("the limit is said to be %s", limit)
	}
	if err := r.planAs(t, ca, commonName("west")); err != nil {
		t.Errorf("west, beside east at its limit: %v", err)
	}

	rewrite(`clusters: [{name: east, identities: [CN=east], limits: {callsPerSecond: 0.002}}]`)
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "policy file reloaded") })
	want(t, r.planAs(t, ca, commonName("east")), codes.ResourceExhausted, "OVERLOADED") // a new connection gets no new allowance
	rewrite(`clusters: [{name: east, identities: [CN=east]}]`)
	waitFor(t, func() bool { return strings.Count(r.log.String(), "policy file reloaded") == 2 })
	if err := r.planAs(t, ca, commonName("east")); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}

// TestClusterIsOneCaller: a cluster gets no more of the server by opening more connections.
func TestClusterIsOneCaller(t *testing.T) {
	a := still(t)
	var connections [3]caller
	for i := range connections[:2] {
		a.join(&connections[i], "east")
	}
	a.join(&connections[2], "west")
	a.charge(&connections[0], time.Second)
	for i, greedy := range []bool{true, true, false} {
		if got := a.greedy(&connections[i]); got != greedy {
			t.Errorf("connection %d: greedy is %v", i, got)
		}
	}
	for i := range connections {
		a.forgetAnswers(&connections[i])
		a.forgetAnswers(&connections[i]) // gRPC closes a connection more than once
	}
	later := a.clock().Add(company)
	a.clock = func() time.Time { return later }
	a.join(&caller{}, "north")
	if len(a.clusters) != 3 {
		t.Errorf("%d accounts: those that may come back are forgotten", len(a.clusters))
	}
	later = later.Add(1)
	a.join(&caller{}, "south")
	if len(a.clusters) != 2 {
		t.Errorf("%d accounts: those of clusters that went long ago are kept", len(a.clusters))
	}
}

// TestReconnectingForgetsNothing: a cluster that has used much is greedy on its next connection, too.
func TestReconnectingForgetsNothing(t *testing.T) {
	r, ca, _ := guarded(t, "clusters: [{name: east, identities: [CN=east]}]")
	planOnce := func() {
		t.Helper()
		connection := r.dial(t, ca.client(t, commonName("east")))
		goesOn(t, setplanv1.NewPlannerServiceClient(connection))
		_ = connection.Close()
		waitFor(t, func() bool { return r.listener.count() == 0 })
	}
	used := func(more time.Duration) time.Duration {
		r.admission.mu.Lock()
		defer r.admission.mu.Unlock()
		east := r.admission.clusters["east"]
		if east == nil {
			return 0
		}
		east.used += more
		return east.used
	}
	planOnce()
	used(time.Minute)
	planOnce()
	if got := used(0); got < freely {
		t.Errorf("after a flood and a new connection %s are counted", got)
	}
}

// TestPolicyNeedsCertificates: a mistake in the file or in the flags keeps the server from starting.
func TestPolicyNeedsCertificates(t *testing.T) {
	ca := newAuthority(t)
	files := TLSFiles{ClientCAFile: ca.file(t)}
	files.CertFile, files.KeyFile = ca.issue(t, "server")
	file := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(file, []byte("clusters: []"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, config := range map[string]Config{
		"--policy-file needs --client-ca-file": {PolicyFile: file},
		"clusters: has 0 entries":              {PolicyFile: file, TLS: files},
		"no such file":                         {PolicyFile: file + "x", TLS: files},
	} {
		config.ListenAddress = "127.0.0.1:0"
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--policy-file") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// counted returns the value of one time series.
func counted(t *testing.T, r *running, series string) string {
	t.Helper()
	for line := range strings.Lines(get(t, "http://"+r.MetricsAddr().String()+"/metrics", http.StatusOK)) {
		if value, found := strings.CutPrefix(line, series+" "); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
