package main

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func parse(t *testing.T, args string) (*flags, *pflag.FlagSet) {
	t.Helper()
	f, set := &flags{}, pflag.NewFlagSet("test", pflag.ContinueOnError)
	f.register(set)
	if err := set.Parse(strings.Fields(args)); err != nil {
		t.Fatal(err)
	}
	return f, set
}

// TestValidation: bad command lines are refused, and the message names the flag.
func TestValidation(t *testing.T) {
	const good = "--embedded --own apps/v1 "
	tests := []struct {
		name   string
		reason string
		args   string
		want   string // part of the error, "" for none
	}{
		{"embedded", "the shortest that reconciles", good, ""},
		{"remote", "", "--planner-address 127.0.0.1:7450 --own apps/v1", ""},
		{"observe", "needs no --own", "--embedded --mode observe", ""},
		{"observe with own", "harmless", "--embedded --mode observe --own apps/v1", ""},
		{"drain", "beside the built-in controller", "--embedded --mode drain", ""},
		{"drain with own", "it runs no set", "--embedded --mode drain --own apps/v1", "--own"},
		{"no own", "one set must never have two controllers", "--embedded", "--own apps/v1, which says that the cluster's built-in StatefulSet controller is off; --mode observe"},
		{"another kind", "none that this release runs", "--embedded --own apps/v2", "--own"},
		{"the own kind", "", "--embedded --own apps.setplan.io/v1beta1", ""},
		{"several kinds", "", "--embedded --own apps/v1,apps.setplan.io/v1beta1 --own example.com/v1,databases", ""},
		{"a kind twice", "two versions are one resource", "--embedded --own example.com/v1,example.com/v2", "--own"},
		{"no kind", "", "--embedded --own databases", "--own"},
		{"no planner", "", "--own apps/v1", "--planner-address"},
		{"both planners", "", good + "--planner-address x:1", "--embedded"},
		{"no port", "", "--own apps/v1 --planner-address planner", "HOST:PORT"},
		{"empty port", "", "--own apps/v1 --planner-address planner:", "HOST:PORT"},
		{"mode", "", good + "--mode dream", "--mode"},
		{"behavior", "an unknown preset is never ignored", good + "--behavior KUBERNETES_1_99", "--behavior"},
		{"workers", "", good + "--workers 0", "--workers"},
		{"qps", "0 would mean client-go's default of 5", good + "--kube-api-qps 0", "--kube-api-qps"},
		{"burst", "", good + "--kube-api-burst 0", "--kube-api-burst"},
		{"namespace", "", good + "--namespace a --namespace B", "--namespace"},
		{"empty namespace", "it would silently mean all", good + "--namespace=a,", "--namespace"},
		{"drains in one namespace", "", good + "--drain-namespace a", ""},
		{"drains in a namespace without name", "it would silently mean all", good + "--drain-namespace=", "--drain-namespace"},
		{"drains elsewhere", "they would never come", good + "--namespace a --drain-namespace b", "--drain-namespace"},
		{"drains in no namespace", "", good + "--drain-namespace B", "--drain-namespace"},
		{"lease in observe mode", "a lease is a write", "--embedded --mode observe --leader-elect", "--leader-elect"},
		{"certificate without key", "", "--own apps/v1 --planner-address x:1 --planner-cert-file c", "--planner-key-file"},
		{"insecure with files", "one of the two is a mistake", "--own apps/v1 --planner-address x:1 --planner-insecure --planner-ca-file c", "--planner-insecure"},
		{"verify", "", "--own apps/v1 --planner-address x:1 --verify checks", ""},
		{"another way to verify", "", "--own apps/v1 --planner-address x:1 --verify trust", "--verify"},
		{"verify for embedded", "it would have no effect", good + "--verify checks", "--verify"},
		{"files for embedded", "they would have no effect", good + "--planner-ca-file c", "--planner-ca-file"},
		{"metrics key", "", good + "--metrics-address :1 --metrics-cert-file c", "--metrics-key-file"},
		{"metrics files", "they would have no effect", good + "--metrics-client-ca-file c", "--metrics-address"},
		{"metrics insecure", "one of the two is a mistake", good + "--metrics-address :1 --metrics-client-ca-file c --metrics-insecure", "--metrics-insecure"},
		{"log level", "", good + "--log-level loud", "--log-level"},
		{"log format", "", good + "--log-format xml", "--log-format"},
		{"two mistakes", "one run shows both", "--embedded --workers 0", "--workers is 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, set := parse(t, test.args)
			_, err := f.validate(set.Changed)
			if (err != nil) != (test.want != "") || (err != nil && !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%s: got %v", test.reason, err)
			}
		})
	}
}

// TestSettings checks what command lines mean.
func TestSettings(t *testing.T) {
	f, set := parse(t, "--embedded --own apps/v1 --behavior KUBERNETES_1_36")
	s, err := f.validate(set.Changed)
	if err != nil {
		t.Fatal(err)
	}
	if s.observe || s.behavior != setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36 || s.election() == nil {
		t.Errorf("reconcile: %+v", s)
	}
	f, set = parse(t, "--embedded --mode observe")
	if s, err = f.validate(set.Changed); err != nil {
		t.Fatal(err)
	}
	if !s.observe || s.election() != nil || s.behavior != setplanv1.Behavior_BEHAVIOR_SETPLAN {
		t.Errorf("observe: %+v", s)
	}
	f, set = parse(t, "--embedded --mode drain")
	if s, err = f.validate(set.Changed); err != nil || s.scope != setplanv1.Scope_SCOPE_DRAIN_ONLY || s.observe || s.election() == nil {
		t.Errorf("drain: %+v, %v", s, err)
	}
	f, set = parse(t, "--embedded --own apps/v1 --leader-elect=false")
	if s, err = f.validate(set.Changed); err != nil || s.election() != nil {
		t.Errorf("without lease: %+v, %v", s, err)
	}
}

// TestWarnings: only an allowed but surprising command line causes a warning.
func TestWarnings(t *testing.T) {
	for args, want := range map[string]string{
		"--embedded --own apps/v1":                                         "",
		"--embedded --own apps.setplan.io/v1beta1 --namespace a":           "", // no other controller runs its sets
		"--embedded --own apps/v1 --namespace a":                           "sets in other namespaces need another adapter",
		"--embedded --mode observe --namespace a":                          "",
		"--embedded --own apps/v1 --metrics-address :1 --metrics-insecure": "anyone who can reach the address",
	} {
		f, set := parse(t, args)
		s, err := f.validate(set.Changed)
		if err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		s.warn(f, slog.New(slog.NewTextHandler(&log, nil)))
		if said := log.String(); (want == "") != (said == "") || !strings.Contains(said, want) || strings.Count(said, "\n") > 1 {
			t.Errorf("%s: %q, want %q", args, said, want)
		}
	}
}

// TestRemotePlanner: a remote planner is called over TLS, and missing files are reported before anything starts.
func TestRemotePlanner(t *testing.T) {
	f, _ := parse(t, "--planner-address planner.example.com:7450 --planner-ca-file /does/not/exist")
	if _, err := f.planner.Dial(""); err == nil || !strings.Contains(err.Error(), "/does/not/exist") {
		t.Errorf("got %v", err)
	}
	f, _ = parse(t, "--planner-address 127.0.0.1:7450")
	client, err := f.planner.Dial("")
	if err != nil {
		t.Fatal(err)
	}
	_ = client.Close()
}

// TestMonitor checks the answers to probes and users.
func TestMonitor(t *testing.T) {
	isReady := false
	var sick error
	plans := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("plans")) })
	guarded := 0
	guard := func(next http.Handler) http.Handler {
		guarded++
		return next
	}
	handler := monitorHandler(prometheus.NewRegistry(), func() bool { return isReady }, func(*http.Request) error { return sick }, plans, guard)
	if guarded != 2 {
		t.Errorf("%d paths are guarded, want /metrics and /plans", guarded)
	}
	get := func(path string) int {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		return answer.Code
	}
	if got := get("/readyz"); got != http.StatusServiceUnavailable {
		t.Errorf("/readyz before the caches are filled: %d", got)
	}
	isReady = true
	for _, path := range []string{"/readyz", "/healthz", "/healthz/leaderElection", "/metrics", "/plans"} {
		if got := get(path); got != http.StatusOK {
			t.Errorf("%s: %d", path, got)
		}
	}
	sick = errors.New("the lease was lost long ago")
	for _, path := range []string{"/healthz", "/healthz/leaderElection"} {
		if got := get(path); got != http.StatusInternalServerError {
			t.Errorf("%s of a process that should have ended: %d", path, got)
		}
	}
}
