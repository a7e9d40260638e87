package kube

import (
	"k8s.io/client-go/util/workqueue"

	"github.com/setplan/setplan/adapters"
)

// fairQueue is the order in which sets come out of the work queue: by turns of their namespaces. A thousand sets that one user
// has made at once are not before the one that another has made after them.
type fairQueue struct{ rounds[adapters.Key] }

var _ workqueue.Queue[adapters.Key] = (*fairQueue)(nil)

// Touch implements workqueue.Queue; a set that waits already keeps its place.
func (*fairQueue) Touch(adapters.Key) {}

// Push implements workqueue.Queue.
func (q *fairQueue) Push(key adapters.Key) { q.push(key, key) }

// Len implements workqueue.Queue.
func (q *fairQueue) Len() int { return q.size }

// Pop implements workqueue.Queue.
func (q *fairQueue) Pop() adapters.Key { return q.pop() }
