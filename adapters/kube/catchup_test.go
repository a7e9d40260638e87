package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// lagging is an API server with claims, and a cache of claims that is at some version.
type lagging struct {
	*catchUp
	claims watched
	cache  cache.Indexer

	mu      sync.Mutex
	now     string     // version of a list
	lists   int        // fail before one is answered
	watches [][]string // events of each watch, as "MODIFIED 7"
	asked   []string
}

func newLagging(t *testing.T, shown, now string, watches ...[]string) *lagging {
	t.Helper()
	l := &lagging{now: now, watches: watches, claims: watched{claimsGVR, "default"}, cache: cache.NewIndexer(cache.MetaNamespaceKeyFunc, nil)}
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	client, err := metadata.NewForConfig(&rest.Config{Host: server.URL, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	l.cache.Bookmark(shown)
	l.catchUp = &catchUp{caches: map[watched]kindCache{l.claims: {Indexer: l.cache}}, api: client, tell: func(string, map[string]error) {}}
	return l
}

func (l *lagging) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	query := r.URL.Query()
	w.Header().Set("Content-Type", "application/json")
	answer := json.NewEncoder(w)
	if query.Get("watch") == "" {
		l.asked = append(l.asked, "list "+query.Get("limit"))
		if l.lists--; l.lists >= 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_ = answer.Encode(map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadataList",
			"metadata": map[string]any{"resourceVersion": l.now}})
		return
	}
	l.asked = append(l.asked, fmt.Sprintf("watch from %s for %s s", query.Get("resourceVersion"), query.Get("timeoutSeconds")))
	if len(l.watches) == 0 {
		return
	}
	events := l.watches[0]
	l.watches = l.watches[1:]
	for _, event := range events {
		what, version, _ := strings.Cut(event, " ")
		object := map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": map[string]any{"name": "c", "resourceVersion": version}}
		if what == "ERROR" {
			object = map[string]any{"apiVersion": "v1", "kind": "Status", "status": "Failure", "code": http.StatusGone, "reason": "Expired"}
		}
		_ = answer.Encode(map[string]any{"type": what, "object": object})
	}
}

// ends reports whether the wait ends before the context does. Meanwhile the cache shows these versions.
func (l *lagging) ends(t *testing.T, then string, patience time.Duration, shows ...string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- l.wait(ctx, moment{l.claims: then}) }()
	for _, version := range shows {
		select {
		case <-done:
			t.Fatalf("it did not wait for version %s", version)
		case <-time.After(150 * time.Millisecond):
		}
		l.cache.Bookmark(version)
	}
	err := <-done
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	return err == nil
}

// TestCatchUp: what the wait for the caches waits for, and what that costs the API server. The reason is the name.
func TestCatchUp(t *testing.T) {
	for reason, test := range map[string]struct {
		shown   string
		watches [][]string
		shows   []string // by the cache, one after the other; the wait lasts until the last
		want    []string
	}{
		"a cache that has reached the version has seen all": {
			"100", nil, nil, nil},
		"in a quiet cluster a bookmark says that there was nothing": {
			"40", [][]string{{"BOOKMARK 100"}}, nil, []string{"watch from 40 for 3 s"}},
		"what the cache lacks is waited for, up to the last change": {
			"40", [][]string{{"ADDED 50", "MODIFIED 60", "DELETED 70", "BOOKMARK 101"}}, []string{"50", "60", "70"}, []string{"watch from 40 for 3 s"}},
		"what came later is not waited for": {
			"40", [][]string{{"MODIFIED 60", "MODIFIED 105"}}, []string{"60"}, []string{"watch from 40 for 3 s"}},
		"a change at the very version is": {
			"40", [][]string{{"MODIFIED 100"}}, []string{"99", "100"}, []string{"watch from 40 for 3 s"}},
		"a bookmark of a server that is behind says nothing": {
			"40", [][]string{{"BOOKMARK 99"}, {"BOOKMARK 100"}}, nil, []string{"watch from 40 for 3 s", "watch from 40 for 6 s"}},
		"a watch that ends without a bookmark says nothing": {
			"40", [][]string{{"MODIFIED 41"}, nil, {"BOOKMARK 100"}}, nil,
			[]string{"watch from 40 for 3 s", "watch from 40 for 6 s", "watch from 40 for 12 s"}},
		"a version that is too old is asked for again": {
			"40", [][]string{{"ERROR"}, {"BOOKMARK 100"}}, nil, []string{"watch from 40 for 3 s", "watch from 40 for 3 s"}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			l := newLagging(t, test.shown, "100", test.watches...)
			if !l.ends(t, "100", time.Minute, test.shows...) {
				t.Error("it waits for ever")
			}
			if diff := cmp.Diff(test.want, l.asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCatchUpWaitsForEver: a cache that stands still ends no wait, and is reported.
func TestCatchUpWaitsForEver(t *testing.T) {
	l := newLagging(t, "40", "100", []string{"MODIFIED 60", "BOOKMARK 100"})
	if l.ends(t, "100", 500*time.Millisecond, "59") {
		t.Error("it went on without what the cache had not shown")
	}
	if missing := l.missing(); len(missing) != 1 {
		t.Errorf("it reports %v", missing)
	}
}

// TestMomentIsRead: reading the moment costs one object per kind, and is repeated until the API server answers.
func TestMomentIsRead(t *testing.T) {
	l := newLagging(t, "40", "100")
	l.lists = 1
	now, err := l.catchUp.now(t.Context())
	if err != nil || now[l.claims] != "100" {
		t.Errorf("got %v, %v", now, err)
	}
	if diff := cmp.Diff([]string{"list 1", "list 1"}, l.asked); diff != "" {
		t.Error(diff)
	}
}

// TestBehindStandsDown: a holder of the lease whose caches stay behind begins nothing, and does not ask for the lease for a
// while. Without a lease no other replica could try, so it goes on.
func TestBehindStandsDown(t *testing.T) {
	l := newLagging(t, "40", "100")
	caches := filledCaches(t)
	a := &Adapter{
		config: Config{Kind: StatefulSets(), Log: slog.New(slog.DiscardHandler), Election: &Election{times: electionTimes{behind: 300 * time.Millisecond}}},
		caches: caches, clients: &Clients{Metadata: l.api}, guard: NewGuard(caches, nil), planner: newPlannerWatch(nil, time.Minute),
	}
	if err := a.mayLead(t.Context()); err != nil {
		t.Error(err)
	}
	if err := a.takeOver(t.Context()); !errors.Is(err, errBehind) {
		t.Errorf("got %v", err)
	}
	if err := a.mayLead(t.Context()); !errors.Is(err, errBehind) {
		t.Errorf("got %v", err)
	}
	for deadline := time.Now().Add(time.Minute); a.mayLead(t.Context()) != nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never asks for the lease again")
		}
	}
	a.config.Election = nil
	ctx, cancel := context.WithTimeout(t.Context(), 600*time.Millisecond)
	defer cancel()
	if err := a.takeOver(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a lease it gave up: %v", err)
	}
}
