package kube

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/metadata"
)

// Caches lag behind the API server. That does no harm while one process writes, because it waits until they show its own writes. But
// a new process does not know what the one before it did last: that it handed a claim to a pod, or that the set was scaled up
// again. So nothing is planned until the caches show everything that existed when this process began or got the lease.
//
// Versions say whether they do. A cache that has reached the version of a list made now has seen everything in the list. In a quiet
// cluster it never gets there, because the version of a list grows with every write to anything. Then a short watch from the cache's
// version shows what the cache lacks, up to a bookmark that is as new as the list. Its cost depends on the changes, not on the
// number of objects.

// moment holds, for each cache, the version of a list made at that moment.
type moment map[watched]string

// watched is a kind in one of our caches, for one namespace or all.
type watched struct {
	kind      schema.GroupVersionResource
	namespace string
}

func (w watched) String() string {
	if w.namespace == metav1.NamespaceAll {
		return w.kind.Resource
	}
	return w.kind.Resource + " in " + w.namespace
}

// watched returns the caches.
func (c *Caches) watched() map[watched]kindCache {
	all := map[watched]kindCache{}
	for namespace, scope := range c.scopes {
		all[watched{c.kind.GVR(), namespace}] = scope.sets
		all[watched{podsGVR, namespace}] = scope.pods
		all[watched{claimsGVR, namespace}] = scope.claims
		all[watched{revisionsGVR, namespace}] = scope.revisions
	}
	return all
}

// catchUp compares caches with the API server.
type catchUp struct {
	caches map[watched]kindCache
	api    metadata.Interface
	tell   func(what string, behind map[string]error) // called every ten seconds as long as something is missing

	mu     sync.Mutex
	behind map[string]error // the kinds that are missing, and the last error, if there was one
}

func (a *Adapter) newCatchUp() *catchUp {
	return &catchUp{caches: a.caches.watched(), api: a.clients.Metadata, tell: func(what string, behind map[string]error) {
		var kinds []string
		for _, kind := range slices.Sorted(maps.Keys(behind)) {
			if err := behind[kind]; err != nil {
				kind += ": " + briefly(err)
			}
			kinds = append(kinds, kind)
		}
		a.config.Log.Warn(what, "kinds", kinds)
	}}
}

// now reads the current versions from the API server, not from the caches. It retries until it has all of them, or the context ends.
func (c *catchUp) now(ctx context.Context) (moment, error) {
	var mu sync.Mutex
	now := moment{}
	err := c.each(ctx, "the API server does not report the current state; nothing is changed until it does", func(ctx context.Context, w watched) error {
		version, err := c.versionOf(ctx, w)
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			now[w] = version
		}
		return err
	})
	return now, err
}

// wait returns when the caches show everything that existed at a moment, or when the context ends.
func (c *catchUp) wait(ctx context.Context, then moment) error {
	return c.each(ctx, "the caches do not show the state at this adapter's start yet; nothing is changed until they do", func(ctx context.Context, w watched) error {
		return c.reaches(ctx, w, then[w])
	})
}

// each calls do for all caches in parallel, and again after a second if it fails.
func (c *catchUp) each(ctx context.Context, what string, do func(context.Context, watched) error) error {
	c.behind = map[string]error{}
	for w := range c.caches {
		c.behind[w.String()] = nil
	}
	var all sync.WaitGroup
	for w := range c.caches {
		all.Go(func() {
			for {
				err := do(ctx, w)
				if c.note(w, err); err == nil || ctx.Err() != nil {
					return
				}
				pause(ctx, time.Second)
			}
		})
	}
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	patience := time.NewTicker(10 * time.Second)
	defer patience.Stop()
	for {
		select {
		case <-done:
			return ctx.Err()
		case <-patience.C:
			c.tell(what, c.missing())
		}
	}
}

func (c *catchUp) note(w watched, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		delete(c.behind, w.String())
		return
	}
	c.behind[w.String()] = err
}

func (c *catchUp) missing() map[string]error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.behind)
}

// readPatience bounds one request to the API server.
const readPatience = 10 * time.Second

// versionOf returns the version of a list made now. Every earlier write has an older version, or this one.
func (c *catchUp) versionOf(ctx context.Context, w watched) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, readPatience)
	defer cancel()
	list, err := c.api.Resource(w.kind).Namespace(w.namespace).List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return "", err
	}
	return list.GetResourceVersion(), nil
}

// The API server sends a bookmark two seconds before a watch ends, and otherwise about every minute. A server with other habits gets
// more time with each look.
const (
	firstLook   = 3 // seconds
	longestLook = 180
)

// reaches returns when a cache has caught up with a version.
func (c *catchUp) reaches(ctx context.Context, w watched, version string) error {
	shown := c.caches[w].LastStoreSyncResourceVersion
	for seconds := int64(firstLook); ctx.Err() == nil; seconds = min(2*seconds, longestLook) {
		from := shown()
		if atLeast(from, version) {
			return nil
		}
		last, err := c.lastChange(ctx, w, from, version, seconds)
		if errors.Is(err, errNoBookmark) {
			pause(ctx, time.Second)
			continue
		}
		if err != nil {
			return err
		}
		for !atLeast(shown(), last) {
			if pause(ctx, 20*time.Millisecond); ctx.Err() != nil {
				break
			}
		}
		return ctx.Err()
	}
	return ctx.Err()
}

// errNoBookmark means that a watch ended before a bookmark as new as the list came.
var errNoBookmark = errors.New("no bookmark has come")

// lastChange returns the version of the last change of a kind after one version and up to another, or the first of the two if nothing
// changed.
func (c *catchUp) lastChange(ctx context.Context, w watched, from, upTo string, seconds int64) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(seconds)*time.Second+readPatience)
	defer cancel()
	changes, err := c.api.Resource(w.kind).Namespace(w.namespace).Watch(ctx,
		metav1.ListOptions{ResourceVersion: from, AllowWatchBookmarks: true, TimeoutSeconds: &seconds})
	if err != nil {
		return "", err
	}
	defer changes.Stop()
	last := from
	for change := range changes.ResultChan() {
		if change.Type == watch.Error {
			return "", apierrors.FromObject(change.Object)
		}
		object, err := meta.Accessor(change.Object)
		if err != nil {
			return "", fmt.Errorf("the API server's answer is no change: %w", err)
		}
		version := object.GetResourceVersion()
		if change.Type != watch.Bookmark && atLeast(upTo, version) {
			last = version
		}
		if atLeast(version, upTo) {
			return last, nil
		}
	}
	return "", errNoBookmark
}
