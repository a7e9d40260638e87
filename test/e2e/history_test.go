//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

// watched are the kinds that a history records.
var watched = []schema.GroupVersionResource{
	setsUnderTest(),
	{Group: "apps", Version: "v1", Resource: "controllerrevisions"},
	{Version: "v1", Resource: "pods"},
	{Version: "v1", Resource: "persistentvolumeclaims"},
}

// change is one state of one object as the API server reported it. Version orders changes of all kinds: it is the revision of
// the one etcd behind them.
type change struct {
	version int64
	event   watch.EventType
	object  *unstructured.Unstructured
	at      time.Time // when it was seen
}

func (c change) kind() string { return c.object.GetKind() }
func (c change) name() string { return c.object.GetName() }

// history records everything that happens in a namespace from its beginning on.
type history struct {
	source    dynamic.Interface
	namespace string

	mu      sync.Mutex
	changes []change
	seen    map[string]bool
}

// recordHistory watches a namespace until the test ends, across restarts of the API server.
func recordHistory(t testing.TB, c *cluster, namespace string) *history {
	t.Helper()
	client := must(dynamic.NewForConfig(c.config))(t)
	h := &history{source: client, namespace: namespace, seen: map[string]bool{}}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	t.Cleanup(func() { cancel(); running.Wait() })
	for _, resource := range watched {
		list := must(client.Resource(resource).Namespace(namespace).List(ctx, metav1.ListOptions{}))(t)
		running.Go(func() { h.follow(ctx, client.Resource(resource).Namespace(namespace), list.GetResourceVersion()) })
	}
	return h
}

// follow watches from a version on, and begins again from the last version that it saw when a watch ends. A restarted API
// server does not know older versions: then follow records what a list shows to have changed.
func (h *history) follow(ctx context.Context, client dynamic.ResourceInterface, version string) {
	for ctx.Err() == nil {
		w, err := client.Watch(ctx, metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true})
		if err != nil {
			if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
				version = h.relist(ctx, client, version)
			}
			time.Sleep(100 * time.Millisecond)
			continue
		}
		for e := range w.ResultChan() {
			object, ok := e.Object.(*unstructured.Unstructured)
			if !ok || e.Type == watch.Error {
				version = h.relist(ctx, client, version)
				break
			}
			version = object.GetResourceVersion()
			if e.Type != watch.Bookmark {
				h.add(e.Type, object)
			}
		}
		w.Stop()
	}
}

// relist records what has changed since the last event, and returns the version to watch from.
func (h *history) relist(ctx context.Context, client dynamic.ResourceInterface, version string) string {
	list, err := client.List(ctx, metav1.ListOptions{})
	if err != nil {
		return version
	}
	last := map[string]change{}
	for _, c := range h.all() {
		if c.kind()+"List" == list.GetKind() {
			last[string(c.object.GetUID())] = c
		}
	}
	successors := map[string]string{}
	for _, object := range list.Items {
		successors[object.GetName()] = object.GetResourceVersion()
		known, seen := last[string(object.GetUID())]
		delete(last, string(object.GetUID()))
		switch {
		case !seen:
			h.add(watch.Added, &object)
		case known.object.GetResourceVersion() != object.GetResourceVersion():
			h.add(watch.Modified, &object)
		}
	}
	for _, c := range last {
		if c.event != watch.Deleted {
			gone := c.object.DeepCopy()
			gone.SetResourceVersion(list.GetResourceVersion())
			if version, replaced := successors[gone.GetName()]; replaced {
				before, _ := strconv.ParseInt(version, 10, 64)
				gone.SetResourceVersion(strconv.FormatInt(before-1, 10))
			}
			h.add(watch.Deleted, gone)
		}
	}
	return list.GetResourceVersion()
}

func (h *history) add(event watch.EventType, object *unstructured.Unstructured) {
	version, _ := strconv.ParseInt(object.GetResourceVersion(), 10, 64)
	key := fmt.Sprint(object.GetKind(), object.GetName(), event, version)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen[key] {
		return
	}
	h.seen[key] = true
	h.changes = append(h.changes, change{version, event, object, time.Now()})
}

// caughtUp returns once the watches have brought everything that has happened so far.
func (h *history) caughtUp(t testing.TB) {
	t.Helper()
	for _, resource := range watched {
		list := must(h.source.Resource(resource).Namespace(h.namespace).List(context.Background(), metav1.ListOptions{}))(t)
		listed := map[string]string{}
		for _, object := range list.Items {
			listed[string(object.GetUID())] = object.GetResourceVersion()
		}
		eventually(t, 30*time.Second, "the history of "+resource.Resource+" is complete", func() error {
			return h.covers(list.GetKind(), list.GetResourceVersion(), listed)
		})
	}
}

// covers returns an error if the history lacks something of a list: the version of an object, or the deletion of one that is
// not in the list.
func (h *history) covers(listKind, listVersion string, listed map[string]string) error {
	until, _ := strconv.ParseInt(listVersion, 10, 64)
	last := map[string]change{}
	for _, c := range h.all() {
		if c.kind()+"List" == listKind {
			last[string(c.object.GetUID())] = c
		}
	}
	for uid, version := range listed {
		if want, _ := strconv.ParseInt(version, 10, 64); last[uid].version < want {
			return fmt.Errorf("version %s is missing", version)
		}
	}
	for uid, c := range last {
		if _, there := listed[uid]; !there && c.event != watch.Deleted && c.version <= until {
			return fmt.Errorf("the end of %s is missing", c.name())
		}
	}
	return nil
}

// all returns the changes so far in the order of the store.
func (h *history) all() []change {
	h.mu.Lock()
	defer h.mu.Unlock()
	changes := slices.Clone(h.changes)
	slices.SortStableFunc(changes, func(a, b change) int { return int(a.version - b.version) })
	return changes
}

// events returns the story of the objects of some kinds, one word each: "+web-0" created, "ready web-0", "-web-0" deletion
// requested, "gone web-0".
func (h *history) events(kinds ...string) []string {
	var events []string
	ready, deleting := map[string]bool{}, map[string]bool{}
	for _, c := range h.all() {
		if !slices.Contains(kinds, c.kind()) {
			continue
		}
		uid := string(c.object.GetUID())
		if c.event == watch.Added {
			events = append(events, "+"+c.name())
		}
		if c.object.GetDeletionTimestamp() != nil && !deleting[uid] {
			deleting[uid] = true
			events = append(events, "-"+c.name())
		}
		if c.event == watch.Deleted {
			if !deleting[uid] {
				events = append(events, "-"+c.name())
			}
			events = append(events, "gone "+c.name())
			continue
		}
		if now := isReady(c.object); now != ready[uid] {
			ready[uid] = now
			if now {
				events = append(events, "ready "+c.name())
			} else {
				events = append(events, "unready "+c.name())
			}
		}
	}
	return events
}

// pods is events("Pod") as one line.
func (h *history) pods() string { return strings.Join(h.events("Pod"), " ") }

// count returns how often a word occurs in events(kind).
func (h *history) count(kind, word string) int {
	n := 0
	for _, e := range h.events(kind) {
		if e == word {
			n++
		}
	}
	return n
}

// last is the version of the newest change.
func (h *history) last() int64 {
	all := h.all()
	return all[len(all)-1].version
}

// writes returns how many changes a kind had.
func (h *history) writes(kind string) int {
	n := 0
	for _, c := range h.all() {
		if c.kind() == kind {
			n++
		}
	}
	return n
}

func isReady(object *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		if condition["type"] == "Ready" {
			return condition["status"] == "True"
		}
	}
	return false
}

// dump writes a history for the log of a failed test.
func (h *history) dump() string {
	var b strings.Builder
	for _, c := range h.all() {
		status, _ := json.Marshal(c.object.Object["status"])
		if len(status) > 300 {
			status = status[:300]
		}
		fmt.Fprintf(&b, "%d %s %s %s %s\n", c.version, c.event, c.kind(), c.name(), status)
	}
	return b.String()
}
