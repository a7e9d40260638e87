package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/setplan/setplan/adapters"
)

// short are the durations of leases in these tests. The API has whole seconds.
var short = electionTimes{lease: 3 * time.Second, renew: 2 * time.Second, retry: 100 * time.Millisecond, tolerated: time.Second}

// leaseServer is an API server that only has leases. It may refuse one sender.
type leaseServer struct {
	mu      sync.Mutex
	version int
	leases  map[string]*coordinationv1.Lease // by path
	refuse  string                           // the token of the sender that only gets errors
	meet    func(sender string)              // called before a lease is created
	wrote   func(holder string)              // called under the lock when a lease is written; nil: not needed
	frozen  bool                             // no lease can be renewed, but it can be given back
}

func newLeaseServer(t *testing.T) (*leaseServer, func(sender string) *rest.Config) {
	t.Helper()
	s := &leaseServer{leases: map[string]*coordinationv1.Lease{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, func(sender string) *rest.Config {
		return &rest.Config{Host: server.URL, BearerToken: sender, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	}
}

func (s *leaseServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if r.Method == http.MethodPost && s.meet != nil {
		s.meet(r.Header.Get("Authorization"))
	}
	s.mu.Lock()
	code, answer := s.answer(r, body)
	text, _ := json.Marshal(answer) // before a test changes its content
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(text)
}

// answer is called under the lock.
func (s *leaseServer) answer(r *http.Request, body []byte) (int, any) {
	failure := func(code int, reason metav1.StatusReason) (int, any) {
		return code, metav1.Status{Status: metav1.StatusFailure, Code: int32(code), Reason: reason}
	}
	if s.refuse != "" && r.Header.Get("Authorization") == "Bearer "+s.refuse {
		return failure(500, metav1.StatusReasonInternalError)
	}
	if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/leases") {
		list := coordinationv1.LeaseList{}
		for _, lease := range s.leases {
			list.Items = append(list.Items, *lease)
		}
		return 200, list
	}
	sent := &coordinationv1.Lease{}
	if r.Method != http.MethodGet {
		if err := json.Unmarshal(body, sent); err != nil {
			return failure(400, metav1.StatusReasonBadRequest)
		}
	}
	path := r.URL.Path
	if r.Method == http.MethodPost {
		path += "/" + sent.Name
	}
	stored := s.leases[path]
	switch {
	case r.Method == http.MethodPost && stored != nil:
		return failure(409, metav1.StatusReasonAlreadyExists)
	case r.Method == http.MethodPost:
	case stored == nil:
		return failure(404, metav1.StatusReasonNotFound)
	case r.Method == http.MethodGet:
		return 200, stored
	case sent.ResourceVersion != stored.ResourceVersion:
		return failure(409, metav1.StatusReasonConflict)
	case s.frozen && sent.Spec.HolderIdentity != nil && *sent.Spec.HolderIdentity != "":
		return failure(500, metav1.StatusReasonInternalError)
	}
	s.version++
	sent.ResourceVersion = strconv.Itoa(s.version)
	s.leases[path] = sent
	if s.wrote != nil && sent.Spec.HolderIdentity != nil {
		s.wrote(*sent.Spec.HolderIdentity)
	}
	return 200, sent
}

func (s *leaseServer) holder(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if lease := s.leases[path]; lease != nil && lease.Spec.HolderIdentity != nil {
		return *lease.Spec.HolderIdentity
	}
	return ""
}

// candidate runs in an election until its context ends.
type candidate struct {
	name    string
	leads   chan context.Context // its working contexts
	stop    context.CancelFunc
	ended   chan struct{}
	err     error
	mayLead func(context.Context) error
	onLead  func()
	linger  func(ctx context.Context) // what act does after it is told to end
	e       *Election
}

func stand(t *testing.T, config func(string) *rest.Config, name string, namespaces []string, options ...func(*candidate)) *candidate {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	c := &candidate{name: name, leads: make(chan context.Context, 100), stop: stop, ended: make(chan struct{}),
		mayLead: func(context.Context) error { return nil }, onLead: func() {}, linger: func(context.Context) {}}
	for _, option := range options {
		option(c)
	}
	c.e = &Election{Identity: name, times: short}
	campaign, err := c.e.campaign(config(name), StatefulSets(), namespaces, c.mayLead, quiet)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.ended)
		c.err = campaign.run(ctx, StatefulSets().leasesFor(namespaces), func(ctx context.Context) error {
			c.onLead()
			c.leads <- ctx
			<-ctx.Done()
			c.linger(ctx)
			return nil
		})
	}()
	t.Cleanup(func() { stop(); <-c.ended })
	return c
}

func (c *candidate) mustLead(t *testing.T) context.Context {
	t.Helper()
	select {
	case ctx := <-c.leads:
		return ctx
	case <-time.After(20 * time.Second):
		t.Fatalf("%s does not lead", c.name)
		return nil
	}
}

// mustWait checks that the candidate does not lead while another's term lasts. On a slow machine that may be short.
func (c *candidate) mustWait(t *testing.T, working context.Context) {
	t.Helper()
	select {
	case <-c.leads:
		if adapters.TermOf(working).Err() == nil {
			t.Errorf("%s leads beside another", c.name)
		}
		c.leads <- working // for a later wait
	case <-time.After(short.lease + short.retry):
	}
}

// TestLeases: candidates for the same sets wait for each other, and no others do.
func TestLeases(t *testing.T) {
	t.Parallel()
	tests := []struct {
		first, second []string // namespaces
		wait          bool
	}{
		{nil, nil, true},
		{nil, []string{"a"}, true},
		{[]string{"a"}, nil, true},
		{[]string{"a"}, []string{"a"}, true},
		{[]string{"a", "b"}, []string{"c", "b"}, true},
		{[]string{"b", "a"}, []string{"a", "b"}, true},
		{[]string{"a"}, []string{"b"}, false},
		{[]string{"a", "b"}, []string{"c"}, false},
		{[]string{"kube-system"}, []string{"a"}, false},
		{nil, []string{"kube-system"}, true},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.first, test.second), func(t *testing.T) {
			t.Parallel()
			_, config := newLeaseServer(t)
			first := stand(t, config, "first", test.first)
			working := first.mustLead(t)
			second := stand(t, config, "second", test.second)
			if !test.wait {
				second.mustLead(t)
				return
			}
			second.mustWait(t, working)
			first.stop()
			<-first.ended
			if first.err != nil && !errors.Is(first.err, ErrLeaseLost) {
				t.Errorf("the first ended with %v", first.err)
			}
			second.mustLead(t)
		})
	}
}

// TestLeasesAtOnce: one candidate for all namespaces and one for a single namespace begin at the same moment, again and again.
// They never both lead, and one of them does.
func TestLeasesAtOnce(t *testing.T) {
	t.Parallel()
	server, config := newLeaseServer(t)
	// Each lease is created only after both have looked for the other's and found none.
	var both sync.WaitGroup
	both.Add(2)
	var came sync.Map
	server.meet = func(sender string) {
		if _, again := came.LoadOrStore(sender, true); !again {
			both.Done()
			both.Wait()
		}
	}
	var mu sync.Mutex
	leading := 0
	act := func(ctx context.Context) error {
		mu.Lock()
		leading++
		if leading > 1 {
			t.Error("both lead")
		}
		mu.Unlock()
		time.Sleep(100 * time.Millisecond)
		mu.Lock()
		leading--
		mu.Unlock()
		return nil
	}
	var running sync.WaitGroup
	for name, namespaces := range map[string][]string{"all": nil, "one": {"a"}} {
		e := &Election{Identity: name, times: short}
		campaign, err := e.campaign(config(name), StatefulSets(), namespaces, func(context.Context) error { return nil }, quiet)
		if err != nil {
			t.Fatal(err)
		}
		running.Go(func() {
			for led := 0; led < 5; led++ {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				if err := campaign.run(ctx, StatefulSets().leasesFor(namespaces), act); err != nil || ctx.Err() != nil {
					t.Errorf("%s never led: %v", name, err)
				}
				cancel()
			}
		})
	}
	running.Wait()
}

// TestTermEnds: an adapter that cannot renew its lease sends nothing more by the time another one begins, whatever it is doing,
// and it keeps its lease until then.
func TestTermEnds(t *testing.T) {
	t.Parallel()
	server, config := newLeaseServer(t)
	first := stand(t, config, "first", nil, func(c *candidate) {
		c.linger = func(ctx context.Context) { <-adapters.TermOf(ctx).Done() } // an action that ends only when it is cut off
	})
	working := first.mustLead(t)
	second := stand(t, config, "second", nil, func(c *candidate) {
		c.onLead = func() {
			if adapters.TermOf(working).Err() == nil {
				t.Error("the second begins while the first may still write")
			}
		}
	})
	server.mu.Lock()
	server.refuse = "first"
	server.mu.Unlock()
	second.mustLead(t)
	<-first.ended
	if !errors.Is(first.err, ErrLeaseLost) || working.Err() == nil {
		t.Errorf("it ended with %v", first.err)
	}
}

// TestNotGivenBackUnderWay: a lease that cannot be renewed is not given back during an action, although it could be.
func TestNotGivenBackUnderWay(t *testing.T) {
	t.Parallel()
	server, config := newLeaseServer(t)
	first := stand(t, config, "first", nil, func(c *candidate) {
		c.linger = func(ctx context.Context) { <-adapters.TermOf(ctx).Done() }
	})
	working := first.mustLead(t)
	second := stand(t, config, "second", nil, func(c *candidate) {
		c.onLead = func() {
			if adapters.TermOf(working).Err() == nil {
				t.Error("the second begins while the first may still write")
			}
		}
	})
	server.mu.Lock()
	server.frozen = true
	server.wrote = func(holder string) {
		if holder == "" && adapters.TermOf(working).Err() == nil {
			t.Error("the lease is given back during an action")
		}
	}
	server.mu.Unlock()
	<-adapters.TermOf(working).Done()
	server.mu.Lock()
	server.frozen = false
	server.mu.Unlock()
	second.mustLead(t)
	<-first.ended
}

// TestLeaseTaken: when a user gives the lease to another holder, the term ends once that is seen.
func TestLeaseTaken(t *testing.T) {
	t.Parallel()
	server, config := newLeaseServer(t)
	first := stand(t, config, "first", nil)
	working := first.mustLead(t)
	server.mu.Lock()
	for _, lease := range server.leases {
		server.version++
		lease.ResourceVersion, lease.Spec.HolderIdentity = strconv.Itoa(server.version), new("somebody")
	}
	server.mu.Unlock()
	select {
	case <-adapters.TermOf(working).Done():
	case <-time.After(20 * time.Second):
		t.Error("it goes on")
	}
	<-first.ended
	if !errors.Is(first.err, ErrLeaseLost) {
		t.Errorf("it ended with %v", first.err)
	}
}

// TestCannotLead: a candidate that cannot work does not ask for the lease, and takes it once it can.
func TestCannotLead(t *testing.T) {
	t.Parallel()
	server, config := newLeaseServer(t)
	var mu sync.Mutex
	away := errors.New("the planner is away")
	c := stand(t, config, "first", nil, func(c *candidate) {
		c.mayLead = func(context.Context) error { mu.Lock(); defer mu.Unlock(); return away }
	})
	select {
	case <-c.leads:
		t.Error("it leads without a planner")
	case <-time.After(short.lease):
	}
	if server.version > 0 {
		t.Error("it wrote a lease")
	}
	mu.Lock()
	away = nil
	mu.Unlock()
	c.mustLead(t)
	c.stop()
	<-c.ended
	if holder := server.holder("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/setplan-adapter"); holder != "" {
		t.Errorf("the lease is held by %s after its holder has shut down properly", holder)
	}
}

// TestCannotLeadAnyMore: a candidate that loses its planner while it waits does not act when the lease becomes free, and gives it back.
func TestCannotLeadAnyMore(t *testing.T) {
	t.Parallel()
	server, config := newLeaseServer(t)
	first := stand(t, config, "first", nil)
	first.mustLead(t)
	var away atomic.Bool
	asked := make(chan struct{}, 1)
	second := stand(t, config, "second", nil, func(c *candidate) {
		c.mayLead = func(context.Context) error {
			select {
			case asked <- struct{}{}:
			default:
			}
			if away.Load() {
				return errors.New("the planner is away")
			}
			return nil
		}
	})
	<-asked // from here on it waits in the election
	time.Sleep(short.retry)
	away.Store(true)
	first.stop()
	<-first.ended
	select {
	case <-second.leads:
		t.Error("it leads without a planner")
	case <-time.After(2 * short.lease):
	}
	if holder := server.holder("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/setplan-adapter"); holder != "" {
		t.Errorf("%s keeps the lease", holder)
	}
	away.Store(false)
	second.mustLead(t)
}

// TestLeaseHealth: a process that has lost its lease but has not ended is unhealthy.
func TestLeaseHealth(t *testing.T) {
	t.Parallel()
	server, config := newLeaseServer(t)
	stuck := make(chan struct{})
	c := stand(t, config, "first", nil, func(c *candidate) { c.linger = func(context.Context) { <-stuck } })
	defer close(stuck)
	c.mustLead(t)
	if err := c.e.Check(nil); err != nil {
		t.Errorf("while it leads: %v", err)
	}
	server.mu.Lock()
	server.refuse = "first"
	server.mu.Unlock()
	deadline := time.Now().Add(20 * time.Second)
	for c.e.Check(nil) == nil {
		if time.Now().After(deadline) {
			t.Fatal("it is stuck, but healthy")
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// TestReady: a replica that waits for its lease is ready, and one that works, or is about to, once it has its caches.
func TestReady(t *testing.T) {
	a := &Adapter{caches: filledCaches(t)}
	a.caches.of("default").pods.hasSynced = func() bool { return false }
	if a.Ready() {
		t.Error("without a lease to wait for, it is ready before it has its caches")
	}
	a.config.Election = &Election{}
	if !a.Ready() {
		t.Error("it is not ready while it waits for the lease")
	}
	a.acts.Store(true)
	if a.Ready() {
		t.Error("it works, and is ready before it has its caches")
	}
}
