package kube

import (
	"k8s.io/client-go/util/workqueue"

	"github.com/setplan/setplan/adapters"
)

// fairQueue lets namespaces take turns in the work queue: a thousand sets that one user creates at once do not delay the one set
// that another user creates after them.
type fairQueue struct{ rounds[adapters.Key] }

var _ workqueue.Queue[adapters.Key] = (*fairQueue)(nil)

// Touch implements workqueue.Queue. A set that already waits keeps its place.
func (*fairQueue) Touch(adapters.Key) {}

// Push implements workqueue.Queue.
func (q *fairQueue) Push(key adapters.Key) { q.push(key, key) }

// Len implements workqueue.Queue.
func (q *fairQueue) Len() int { return q.size }

// Pop implements workqueue.Queue.
func (q *fairQueue) Pop() adapters.Key { return q.pop() }
