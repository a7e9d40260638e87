package kube

import (
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// cachedPod is what the cache keeps of a pod: its identity, and the rest as a snapshot wants it. A pod is read for every
// snapshot of its set and changes seldom, so what can be worked out when it arrives is, and what is read lies together.
type cachedPod struct {
	metav1.ObjectMeta // without labels, annotations and managed fields

	creator string // the field manager that created the pod
	ordinal uint64 // the number at the end of the name
	shared  snapshot.Shared

	// message is the pod in the contract's form, with the indexes that it had in the last snapshot. Messages are shared by
	// snapshots and never changed: a snapshot in which the indexes differ puts another one here.
	message atomic.Pointer[setplanv1.Pod]
}

// cachedClaim is the same for a claim.
type cachedClaim struct {
	metav1.ObjectMeta

	ordinal uint64
	shared  snapshot.Shared
	message atomic.Pointer[setplanv1.Claim]
}

// in is the message of the pod in a snapshot.
func (p *cachedPod) in(tables *snapshot.Tables) *setplanv1.Pod {
	return placed(&p.message, p.shared, tables.Pod)
}

// in is the message of the claim in a snapshot.
func (c *cachedClaim) in(tables *snapshot.Tables) *setplanv1.Claim {
	return placed(&c.message, c.shared, tables.Claim)
}

// placed is a message with its indexes in a snapshot, which is kept for the next one.
func placed[M any](message *atomic.Pointer[M], shared snapshot.Shared, in func(*M, snapshot.Shared) *M) *M {
	was := message.Load()
	is := in(was, shared)
	if is != was {
		message.Store(is)
	}
	return is
}

func (p *cachedPod) number() uint64   { return p.ordinal }
func (c *cachedClaim) number() uint64 { return c.ordinal }
