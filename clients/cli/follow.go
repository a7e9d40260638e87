package cli

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
)

// followed are sets with up-to-date snapshots, as in an adapter.
type followed struct {
	source  adapters.Source
	synced  func() bool   // whether everything is listed
	changed chan struct{} // something may have changed

	mu      sync.Mutex
	failing map[string]error // the last error of the API server, by resource
}

// news is told of what is followed. Several goroutines call it.
type news struct {
	pod     func(*corev1.Pod)       // each version of a pod, which must not be kept
	changed func(adapters.Key) bool // a set may have changed; whether somebody has to look
}

// follow watches a namespace, or all if it is empty, until the context ends.
func (o *options) follow(ctx context.Context, kind kube.SetKind, namespace string, tell news) (*followed, error) {
	clients, err := o.clients()
	if err != nil {
		return nil, err
	}
	caches := kube.NewCaches(kind, clients, []string{namespace})
	f := &followed{
		source:  kube.NewSource(kind, caches, clients.API, time.Now),
		synced:  caches.HasSynced,
		changed: make(chan struct{}, 1),
		failing: map[string]error{},
	}
	caches.Peek(tell.pod)
	caches.Listen(f.answered)
	if err := caches.Watch(func(of adapters.Key, _ kube.Change) {
		if tell.changed(of) {
			f.wake()
		}
	}); err != nil {
		return nil, err
	}
	go func() {
		if caches.Start(ctx, slog.New(slog.DiscardHandler)) == nil {
			f.wake()
		}
	}()
	return f, nil
}

func (f *followed) wake() {
	select {
	case f.changed <- struct{}{}:
	default: // a look is due anyway
	}
}

// answered takes the result of a list or a watch. Two errors are no failures: a watch cannot begin at its version, or not in the
// requested encoding. Then a list follows at once.
func (f *followed) answered(resource string, err error) {
	if apierrors.IsInvalid(err) || apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
		return
	}
	f.mu.Lock()
	if err == nil {
		delete(f.failing, resource)
	} else {
		f.failing[resource] = err
	}
	f.mu.Unlock()
	f.wake()
}

// trouble returns why the objects may be outdated; nil if the API server has answered every watch.
func (f *followed) trouble() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, resource := range slices.Sorted(maps.Keys(f.failing)) {
		return apiError(fmt.Errorf("watch %s: %w", resource, f.failing[resource]))
	}
	return nil
}
