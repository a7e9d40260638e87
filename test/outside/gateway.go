package outside

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// gateway is the API server as the adapter sees it: the real one, with a log of all requests. The adapter speaks plain HTTP to it; it
// speaks to the API server as the user of the kubeconfig.
type gateway struct {
	server  *httptest.Server
	forward *httputil.ReverseProxy

	mu    sync.Mutex
	log   []*request
	rules []*rule
	held  map[string]chan struct{} // by resource: its watches show nothing until the channel is closed
}

// request is a request of the adapter.
type request struct {
	verb      string // "POST"
	namespace string
	resource  string // "pods"
	name      string // for a create, from the manifest
	sub       string // "status"
	watch     bool
	body      []byte
	at        time.Time
	answered  time.Time // zero: not yet
}

// what describes a request for people.
func (r *request) what() string {
	text := r.verb + " " + r.resource + "/" + r.name
	if r.sub != "" {
		text += "/" + r.sub
	}
	return text
}

// rule says what happens to matching requests.
type rule struct {
	fits   func(*request) bool
	before func()        // first of all, this
	hold   chan struct{} // then the request waits for this
	refuse int           // with this code, if it is not 0; else it is passed on
	budget string        // with 429, the disruption budget that refuses; empty: none
	after  chan struct{} // and the answer waits for this
}

func newGateway(config *rest.Config) (*gateway, error) {
	target, err := url.Parse(config.Host)
	if err != nil {
		return nil, err
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, err
	}
	g := &gateway{held: map[string]chan struct{}{}}
	g.forward = &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     transport,
		FlushInterval: -1, // watches
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ModifyResponse: func(r *http.Response) error {
			if asked := read(r.Request, nil); asked.watch {
				r.Body = &watch{r.Body, g, asked.resource}
			}
			return nil
		},
	}
	g.server = httptest.NewServer(g)
	return g, nil
}

func (g *gateway) close() {
	g.server.CloseClientConnections()
	g.server.Close()
}

// add puts a rule in force. The first matching rule decides.
func (g *gateway) add(r *rule) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rules = append(g.rules, r)
}

// calm ends all rules and lets all watches go on.
func (g *gateway) calm() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.rules {
		free(r.hold)
		free(r.after)
	}
	g.rules = nil
	for resource, held := range g.held {
		free(held)
		delete(g.held, resource)
	}
}

// free closes a channel that may be nil or closed. The caller holds the lock.
func free(held chan struct{}) {
	if held == nil {
		return
	}
	select {
	case <-held:
	default:
		close(held)
	}
}

// holdWatches stops the watches of a resource from showing anything. calm ends that.
func (g *gateway) holdWatches(resource string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held[resource] == nil {
		g.held[resource] = make(chan struct{})
	}
}

// writes returns the adapter's writes in a namespace, without events, in the order in which they came.
func (g *gateway) writes(namespace string) (writes []*request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.log {
		if r.namespace == namespace && r.verb != http.MethodGet && r.resource != "events" {
			seen := *r
			writes = append(writes, &seen)
		}
	}
	return writes
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	asked := read(r, body)
	g.mu.Lock()
	g.log = append(g.log, asked)
	var decides *rule
	for _, one := range g.rules {
		if decides == nil && one.fits(asked) {
			decides = one
		}
	}
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		asked.answered = time.Now()
		g.mu.Unlock()
	}()
	if decides == nil {
		g.forward.ServeHTTP(w, r)
		return
	}
	if decides.before != nil {
		decides.before()
	}
	wait(r, decides.hold)
	if decides.refuse != 0 {
		refuse(w, decides.refuse, decides.budget)
		return
	}
	if decides.after == nil {
		g.forward.ServeHTTP(w, r)
		return
	}
	answer := httptest.NewRecorder()
	g.forward.ServeHTTP(answer, r)
	wait(r, decides.after)
	for key, values := range answer.Header() {
		w.Header()[key] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes()) // the adapter may be gone
}

// wait waits for a channel, or until the adapter gives up the request.
func wait(r *http.Request, held chan struct{}) {
	if held == nil {
		return
	}
	select {
	case <-held:
	case <-r.Context().Done():
		panic(http.ErrAbortHandler)
	}
}

// An API server that cannot say yet whether a disruption budget allows an eviction wants it to be tried again after this time.
const retryAfter = 10 * time.Second

// budgetWords is what an API server says of an eviction that a disruption budget does not allow. Only the cause names the budget
// (createTooManyRequestsError in pkg/registry/core/pod/storage/eviction.go).
const budgetWords = "Cannot evict pod as it would violate the pod's disruption budget."

func refuse(w http.ResponseWriter, code int, budget string) {
	reason := map[int]metav1.StatusReason{http.StatusForbidden: metav1.StatusReasonForbidden, http.StatusConflict: metav1.StatusReasonConflict,
		http.StatusTooManyRequests: metav1.StatusReasonTooManyRequests, http.StatusInternalServerError: metav1.StatusReasonInternalError}[code]
	status := metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
		Code: int32(code), Reason: reason, Message: "the conformance test refuses this"}
	if code == http.StatusTooManyRequests {
		status.Details = &metav1.StatusDetails{RetryAfterSeconds: int32(retryAfter.Seconds())}
		w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
		if budget != "" {
			status.Message = budgetWords
			status.Details.Causes = []metav1.StatusCause{{Type: policyv1.DisruptionBudgetCause,
				Message: "The disruption budget " + budget + " is still being processed by the server."}}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(status)
}

// read parses the path of a request: /api/v1/namespaces/NAMESPACE/RESOURCE/NAME/SUB, or /apis/GROUP/VERSION/...
func read(r *http.Request, body []byte) *request {
	asked := &request{verb: r.Method, body: body, at: time.Now()}
	query := r.URL.Query()
	asked.watch = query.Get("watch") != "" && query.Get("watch") != "false" && query.Get("watch") != "0"
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if parts[0] == "api" {
		parts = parts[min(2, len(parts)):]
	} else {
		parts = parts[min(3, len(parts)):]
	}
	if len(parts) >= 2 && parts[0] == "namespaces" {
		asked.namespace, parts = parts[1], parts[2:]
	}
	for i, field := range []*string{&asked.resource, &asked.name, &asked.sub} {
		if i < len(parts) {
			*field = parts[i]
		}
	}
	if asked.verb == http.MethodPost && asked.name == "" {
		var created metav1.PartialObjectMetadata
		if json.Unmarshal(body, &created) == nil {
			asked.name = created.Name
		}
	}
	return asked
}

// watch is the answer to a watch, which may be held back.
type watch struct {
	io.ReadCloser
	gateway  *gateway
	resource string
}

func (w *watch) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.gateway.mu.Lock()
	held := w.gateway.held[w.resource]
	w.gateway.mu.Unlock()
	if held != nil {
		<-held
	}
	return n, err
}
