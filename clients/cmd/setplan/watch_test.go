package main

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/server"
)

// watching starts a watch of the file's set web, with a pipe as its output.
func watching(t *testing.T, api *apiServer, args ...string) *running {
	t.Helper()
	return piped(t, append([]string{"watch", "sts/web", "-n", "default", "--server", api.url()}, args...)...)
}

// TestWatchOutlivesAPIServer: the watch reports an API server that is away, and goes on when it is back.
func TestWatchOutlivesAPIServer(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	r := watching(t, api)
	at := r.says("pods in the desired state", 0)
	api.stop()
	at = r.says("no news: the API server "+api.url()+" cannot be reached: connect: connection refused", at)
	api.start()
	at = r.says("web is visible again", at)
	api.take("pods", "web-0")
	r.says("web-0", at)
	if text, err := r.interrupt(); err != nil || strings.Contains(text, "reflector") {
		t.Errorf("Ctrl-C gives %v:\n%s", err, text)
	}
}

// TestWatchBeginsBeforeAPIServer: the watch also waits for an API server that is not yet there.
func TestWatchBeginsBeforeAPIServer(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	api.stop()
	r := watching(t, api)
	at := r.says("cannot be reached: connect: connection refused", 0)
	api.start()
	r.says("pods in the desired state", at)
}

// TestWatchOutlivesPlanner: the same with a planner.
func TestWatchOutlivesPlanner(t *testing.T) {
	t.Parallel()
	address, stop := plannerAt(t, "127.0.0.1:0")
	r := watching(t, newAPIServer(t), "--planner-address", address)
	at := r.says("pods in the desired state", 0)
	stop()
	at = r.says("no news: the planner "+address+" cannot be reached: ", at)
	_, stop = plannerAt(t, address)
	defer stop()
	r.says("web is visible again", at)
}

func plannerAt(t *testing.T, address string) (bound string, stop func()) {
	t.Helper()
	config := server.Config{ListenAddress: address, Log: slog.New(slog.DiscardHandler)}
	s, err := server.New(config)
	for limit := time.Now().Add(patience); err != nil; s, err = server.New(config) { // see listen
		if time.Now().After(limit) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Run(ctx)
	}()
	return s.Addr().String(), func() { cancel(); <-ended }
}

// TestWatchDeletedSet: the watch waits for a deleted set as kubectl get -w does: the name may be used again.
func TestWatchDeletedSet(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	r := watching(t, api)
	at := r.says("pods in the desired state", 0)
	set := api.take("statefulsets", "web")
	at = r.says("web is gone", at)
	api.put("statefulsets", set)
	r.says("pods in the desired state", at)
}

// TestWatchUntilDeleted: a script that waits for a set to be done fails when the set is deleted, as with kubectl rollout status.
func TestWatchUntilDeleted(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	r := watching(t, api, "--until-done")
	r.says("pods in the desired state", 0)
	api.take("statefulsets", "web")
	if text, err := r.end(); err == nil || !strings.Contains(text, "setplan: default/web is gone") {
		t.Errorf("%v:\n%s", err, text)
	}
}

// TestWatchHopeless: an error that does not pass by itself ends the watch with its reason.
func TestWatchHopeless(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	for resource := range kinds {
		api.refuse(resource)
		if text, err := watching(t, api).end(); err == nil || !strings.Contains(text, "setplan: watch "+resource+": ") ||
			!strings.Contains(text, `User "jane" cannot list resource "`+resource+`"`) {
			t.Errorf("without %s: %v:\n%s", resource, err, text)
		}
	}
	api.refuse("")
	withTLS := httptest.NewTLSServer(api)
	defer withTLS.Close()
	text, err := piped(t, "watch", "web", "-n", "default", "--server", withTLS.URL).end()
	if err == nil || !strings.Contains(text, "setplan: the API server "+withTLS.URL+" cannot be reached: tls: failed to verify certificate") {
		t.Errorf("an unknown certificate: %v:\n%s", err, text)
	}
	plaintext, stop := plannerAt(t, "127.0.0.1:0")
	defer stop()
	authority := authorityOf(t, withTLS)
	text, err = watching(t, api, "--planner-address", plaintext, "--planner-ca-file", authority).end()
	if err == nil || !strings.Contains(text, "setplan: the planner "+plaintext+" cannot be reached: ") {
		t.Errorf("a planner without TLS: %v:\n%s", err, text)
	}
	text, err = piped(t, "watch", "wbe", "-n", "default", "--server", api.url()).end()
	if err == nil || !strings.Contains(text, `StatefulSet "wbe" not found in namespace default, which has: default/bad`) {
		t.Errorf("%v:\n%s", err, text)
	}
	for _, set := range []string{"bad", "calm", "claim", "full", "noclass", "slow", "taken", "web"} {
		api.take("statefulsets", set)
	}
	text, err = watching(t, api).end()
	if err == nil || !strings.Contains(text, `StatefulSet "web" not found in namespace default, which has no`) {
		t.Errorf("before there is any set: %v:\n%s", err, text)
	}
	text, err = watching(t, api, "--behavior", "NEW").end()
	if err == nil || !strings.Contains(text, `--behavior is "NEW"`) {
		t.Errorf("%v:\n%s", err, text)
	}
}

// TestWatchAnyNamespace: with -A a name is searched in all namespaces, as by plan and why.
func TestWatchAnyNamespace(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	r := piped(t, "watch", "web", "-A", "--server", api.url())
	r.says("pods in the desired state", 0)
	if text, err := r.interrupt(); err != nil || !strings.Contains(text, "web-1") {
		t.Errorf("Ctrl-C gives %v:\n%s", err, text)
	}
	text, err := piped(t, "watch", "wbe", "-A", "--server", api.url()).end()
	if err == nil || !strings.Contains(text, `StatefulSet "wbe" not found in any namespace, which has: default/bad`) {
		t.Errorf("%v:\n%s", err, text)
	}
}

// TestWatchForbiddenLater: a permission that is lost during the watch may come back, as when an API server starts and does not yet know
// its own.
func TestWatchForbiddenLater(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	r := watching(t, api)
	at := r.says("pods in the desired state", 0)
	api.stop()
	api.refuse("pods")
	api.start()
	at = r.says(`no news: watch pods: pods is forbidden: User "jane"`, at)
	api.refuse("")
	r.says("web is visible again", at)
}

// TestWatchUntilDone: the watch ends as scripts need it.
func TestWatchUntilDone(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	text, err := piped(t, "watch", "calm", "-n", "default", "--server", api.url(), "--until-done").end()
	if err != nil || !strings.Contains(text, "calm is in the desired state") {
		t.Errorf("%v:\n%s", err, text)
	}
	r := watching(t, api, "--until-done")
	r.says("pods in the desired state", 0)
	text, err = r.interrupt()
	if err == nil || !strings.Contains(text, "stopped before the set was in the desired state") {
		t.Errorf("%v:\n%s", err, text)
	}
}

// TestWatchTimeout: a time limit ends a watch as Ctrl-C does, and is a failure if the watch was to wait for the set.
func TestWatchTimeout(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	text, err := watching(t, api, "--until-done", "--timeout", "1s").end()
	if err == nil || !strings.Contains(text, "setplan: default/web was not in the desired state within 1s") {
		t.Errorf("%v:\n%s", err, text)
	}
	if text, err := watching(t, api, "--timeout", "1s").end(); err != nil || strings.Contains(text, "setplan:") {
		t.Errorf("the watch was not to wait for the set, but %v:\n%s", err, text)
	}
	if text, err := piped(t, "watch", "calm", "-n", "default", "--server", api.url(), "--until-done", "--timeout", "90s").end(); err != nil {
		t.Errorf("in time: %v:\n%s", err, text)
	}
}
