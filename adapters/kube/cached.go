package kube

import (
	"sync/atomic"
	"unique"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// cachedPod is what the cache keeps of a pod: its identity, and the rest as a snapshot wants it. A pod is read for every
// snapshot of its set and changes seldom, so what can be worked out when it arrives is, and what is read lies together.
type cachedPod struct {
	metav1.ObjectMeta // without labels, annotations and managed fields

	creator string // the field manager that created the pod
	ordinal uint64 // the number at the end of the name
	shared  unique.Handle[shared]

	// message is the pod in the contract's form, with the indexes that it had in the last snapshot. Messages are shared by
	// snapshots and never changed: a snapshot in which the indexes differ puts another one here.
	message atomic.Pointer[setplanv1.Pod]
}

// cachedClaim is the same for a claim.
type cachedClaim struct {
	metav1.ObjectMeta

	ordinal uint64
	shared  unique.Handle[shared]
	message atomic.Pointer[setplanv1.Claim]
}

func (p *cachedPod) number() uint64   { return p.ordinal }
func (c *cachedClaim) number() uint64 { return c.ordinal }
