package kube

import (
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// cachedPod is what the cache keeps of a pod: its identity, and the rest as a snapshot needs it. A pod is read for every
// snapshot of its set and seldom changes, so the work is done when it arrives, and fields that are read together lie together.
type cachedPod struct {
	metav1.ObjectMeta // without labels, annotations and managed fields

	creator string // field manager that created the pod
	ordinal uint64 // the number at the end of the name
	shared  snapshot.Shared

	// message is the pod in the contract's form, with its indexes in the last snapshot. Snapshots share messages and never change
	// them: a snapshot with other indexes puts another message here.
	message atomic.Pointer[setplanv1.Pod]
}

// cachedClaim is the same for a claim.
type cachedClaim struct {
	metav1.ObjectMeta

	ordinal uint64
	shared  snapshot.Shared
	message atomic.Pointer[setplanv1.Claim]
}

// in returns the message of the pod for a snapshot.
func (p *cachedPod) in(tables *snapshot.Tables) *setplanv1.Pod {
	return placed(&p.message, p.shared, tables.Pod)
}

// in returns the message of the claim for a snapshot.
func (c *cachedClaim) in(tables *snapshot.Tables) *setplanv1.Claim {
	return placed(&c.message, c.shared, tables.Claim)
}

// placed returns a message with its indexes in a snapshot, and keeps it for the next one.
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
