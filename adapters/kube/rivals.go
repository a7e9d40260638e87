package kube

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
)

// All leases are in kube-system, wherever an adapter runs and works: otherwise a user who may write leases in one namespace could
// stop adapters that work in others. An adapter for all namespaces works under the cluster's lease. An adapter for some namespaces
// works under a lease for each of them, which it takes in the order of their names. No flag changes that, so that two adapters that
// would work on the same sets always meet:
//
//   - two for all namespaces want the same lease, and so do two that have a namespace in common;
//   - one for all namespaces and one for some look for each other: each takes its own lease, and then reads the
//     other's. The API server has one order for writes and for reads past its caches. If both read after both
//     wrote, both see the other and step back; if one read before the other wrote, the other reads after that, and steps
//     back. Who is there first stays.
//
// Two adapters without a common namespace never wait for each other. Nor do two without a common kind: each kind has leases of its own.

// LeaseNamespace is where the leases of all adapters are.
const LeaseNamespace = metav1.NamespaceSystem

// lease is the name of the lease of all namespaces. That of the built-in kind is the name of the program.
func (k SetKind) lease() string {
	if k == StatefulSets() {
		return Manager
	}
	return Manager + "-" + k.Resource + "-" + strings.ReplaceAll(k.Group, ".", "-")
}

// namespaceLeases is what the names of leases of single namespaces begin with: no name of a lease of all namespaces has a dot.
func (k SetKind) namespaceLeases() string { return k.lease() + "." }

// leasesFor are the leases of an adapter for some namespaces, or for all.
func (k SetKind) leasesFor(namespaces []string) []string {
	if len(namespaces) == 0 {
		return []string{k.lease()}
	}
	var names []string
	for _, namespace := range slices.Compact(slices.Sorted(slices.Values(namespaces))) {
		names = append(names, k.namespaceLeases()+namespace)
	}
	return names
}

// rivals finds adapters that work under the other sort of lease.
type rivals struct {
	client   coordinationclient.LeaseInterface
	kind     SetKind
	everyone bool // this adapter is for all namespaces
	identity string
	duration time.Duration

	mu   sync.Mutex
	seen map[string]seenLease // by name
}

// seenLease says since when a lease has not been renewed, by our clock.
type seenLease struct {
	version string
	since   time.Time
}

func newRivals(client coordinationclient.LeaseInterface, kind SetKind, everyone bool, identity string, duration time.Duration) *rivals {
	return &rivals{client: client, kind: kind, everyone: everyone, identity: identity, duration: duration, seen: map[string]seenLease{}}
}

// check returns an error while somebody else may work on our sets under another lease. Its reads bypass all caches.
func (r *rivals) check(ctx context.Context) error {
	var leases []coordinationv1.Lease
	if r.everyone {
		list, err := r.client.List(ctx, metav1.ListOptions{})
		if err != nil {
			return fmt.Errorf("looking for adapters of single namespaces: %w", err)
		}
		leases = slices.DeleteFunc(list.Items, func(l coordinationv1.Lease) bool { return !strings.HasPrefix(l.Name, r.kind.namespaceLeases()) })
	} else {
		lease, err := r.client.Get(ctx, r.kind.lease(), metav1.GetOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("looking for an adapter of all namespaces: %w", err)
		}
		if err == nil {
			leases = append(leases, *lease)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var held []error
	now := time.Now()
	last := r.seen
	r.seen = map[string]seenLease{}
	for i := range leases {
		l := &leases[i]
		if l.Spec.HolderIdentity == nil || *l.Spec.HolderIdentity == "" || *l.Spec.HolderIdentity == r.identity {
			continue
		}
		known := last[l.Name]
		if known.version != l.ResourceVersion {
			known = seenLease{l.ResourceVersion, now}
		}
		r.seen[l.Name] = known
		if now.Sub(known.since) <= r.expiry(l) {
			held = append(held, fmt.Errorf("the lease %s is held by %s, which may run the same sets", l.Name, *l.Spec.HolderIdentity))
		}
	}
	return errors.Join(held...)
}

// expiry is the time without a renewal after which the holder's term has ended.
func (r *rivals) expiry(l *coordinationv1.Lease) time.Duration {
	if l.Spec.LeaseDurationSeconds == nil {
		return r.duration
	}
	return max(r.duration, time.Duration(*l.Spec.LeaseDurationSeconds)*time.Second)
}
