//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// proxy stands between an adapter and the API server. To the adapter it speaks plain HTTP; to the API server it is the
// administrator. A fault may hold back a request or its answer, or answer in the server's place.
type proxy struct {
	*httptest.Server
	forward *httputil.ReverseProxy

	mu    sync.Mutex
	fault fault
	wrote []call
}

// call is a request that reached the proxy.
type call struct {
	verb string // "POST"
	path string // from the namespace on: "pods/web-0"
	body []byte
}

func (c call) what() string { return c.verb + " " + c.path }

// fault decides the outcome of a request. The zero outcome passes it on.
type fault func(r *http.Request, c call) outcome

// outcome is what happens to a request.
type outcome struct {
	status int           // answer with this code
	wait   chan struct{} // first of all, wait; the request is dropped if its caller is killed meanwhile
}

// newProxy starts a proxy to the cluster of the scene.
func newProxy(t testing.TB, config *rest.Config) *proxy {
	t.Helper()
	target := must(url.Parse(config.Host))(t)
	transport := must(rest.TransportFor(config))(t)
	p := &proxy{forward: &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     transport,
		FlushInterval: -1, // watches
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}}
	p.Server = httptest.NewServer(p)
	t.Cleanup(func() {
		p.CloseClientConnections()
		p.Close()
	})
	return p
}

// set replaces the fault; nil means none.
func (p *proxy) set(f fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
}

// writes are the requests that were passed on, except reads.
func (p *proxy) writes() []call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]call(nil), p.wrote...)
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	c := call{verb: r.Method, path: inNamespace(r.URL.Path), body: body}
	p.mu.Lock()
	f := p.fault
	p.mu.Unlock()
	var o outcome
	if f != nil {
		o = f(r, c)
	}
	if o.wait != nil {
		select {
		case <-o.wait:
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
	}
	if o.status != 0 {
		refuse(w, o)
		return
	}
	if r.Method != http.MethodGet {
		p.mu.Lock()
		p.wrote = append(p.wrote, c)
		p.mu.Unlock()
	}
	p.forward.ServeHTTP(w, r)
}

// refuse answers like a failing API server.
func refuse(w http.ResponseWriter, o outcome) {
	status := metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: int32(o.status), Message: "a fault of the test",
		Reason: map[int]metav1.StatusReason{
			http.StatusInternalServerError: metav1.StatusReasonInternalError, http.StatusGone: metav1.StatusReasonExpired,
		}[o.status],
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(o.status)
	_ = json.NewEncoder(w).Encode(status) // the caller may be gone
}

// inNamespace is the part of a path after the namespace, or all of it: "pods/web-0".
func inNamespace(path string) string {
	_, rest, found := strings.Cut(path, "/namespaces/")
	if !found {
		return path
	}
	_, rest, _ = strings.Cut(rest, "/")
	return rest
}

// preconditions reports every write to an existing object without its uid.
func (p *proxy) preconditions(t testing.TB) {
	t.Helper()
	checked := 0
	for _, c := range p.writes() {
		var uid string
		switch {
		case strings.HasPrefix(c.path, "events"), strings.HasPrefix(c.path, "leases"):
			continue
		case c.verb == http.MethodDelete:
			var options metav1.DeleteOptions
			if err := json.Unmarshal(c.body, &options); err == nil && options.Preconditions != nil && options.Preconditions.UID != nil {
				uid = string(*options.Preconditions.UID)
			}
		case c.verb == http.MethodPut: // a status, as protobuf
			if object, _, err := scheme.Codecs.UniversalDeserializer().Decode(c.body, nil, nil); err == nil {
				if set, ok := object.(metav1.Object); ok {
					uid = string(set.GetUID())
				}
			}
		case c.verb == http.MethodPatch:
			var object metav1.PartialObjectMetadata
			if err := json.Unmarshal(c.body, &object); err == nil {
				uid = string(object.UID)
			}
		case c.verb == http.MethodPost:
			continue
		}
		if checked++; uid == "" {
			t.Errorf("%s carries no uid: %s", c.what(), c.body)
		}
	}
	if checked == 0 {
		t.Error("no write to an existing object came by")
	}
}

// freezer holds one request back until its sender is killed.
type freezer struct{ frozen chan call }

// freeze prepares the proxy: the first matching request waits for good. With done it is passed on first, and
// its answer waits. All later matching requests wait, too.
func (p *proxy) freeze(done bool, fits func(c call) bool) *freezer {
	f := &freezer{make(chan call, 100)}
	never := make(chan struct{})
	p.set(func(r *http.Request, c call) outcome {
		if !fits(c) {
			return outcome{}
		}
		if done {
			recorded := httptest.NewRecorder()
			p.mu.Lock()
			p.wrote = append(p.wrote, c)
			p.mu.Unlock()
			// It is completed even if its sender is killed because of another request: the API server deletes an ended pod in
			// two writes of one request, and there is no kubelet here to finish what a killed client began.
			p.forward.ServeHTTP(recorded, r.WithContext(context.WithoutCancel(r.Context())))
			if recorded.Code >= 300 {
				return outcome{status: recorded.Code}
			}
		}
		f.frozen <- c
		return outcome{wait: never}
	})
	return f
}

// wait returns the frozen request.
func (f *freezer) wait(s *scene) call {
	s.Helper()
	select {
	case c := <-f.frozen:
		return c
	case <-time.After(busy * 60 * time.Second):
		s.Fatal("the request to freeze did not come")
		return call{}
	}
}

func (c call) String() string { return fmt.Sprintf("%s %s", c.what(), c.body) }

// hold holds matching requests back until letGo.
func (p *proxy) hold(fits func(call) bool) (held <-chan call, letGo func()) {
	calls, gate := make(chan call, 100), make(chan struct{})
	p.set(func(_ *http.Request, c call) outcome {
		if !fits(c) {
			return outcome{}
		}
		calls <- c
		return outcome{wait: gate}
	})
	return calls, func() {
		p.set(nil)
		close(gate)
	}
}
