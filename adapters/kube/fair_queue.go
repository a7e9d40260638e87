package kube

import (
	"sync"

	"k8s.io/client-go/util/workqueue"

	"github.com/setplan/setplan/adapters"
)

// fairQueue lets namespaces take turns in the work queue: a thousand sets that one user creates at once do not delay the one set
// that another user creates after them. Sets that were edited come before those that only go on, such as all sets after a start.
type fairQueue struct {
	edited, others rounds[adapters.Key]
	at             map[adapters.Key]*rounds[adapters.Key] // where each set that waits has its place; one in the other rounds is void
	row            int                                    // edited sets that came first, one after another

	mu    sync.Mutex // the rest is under the lock of the workqueue
	hurry map[adapters.Key]bool
}

var _ workqueue.Queue[adapters.Key] = (*fairQueue)(nil)

// editedInARow is how many edited sets come before one of the others: edits without end may not stop what goes on.
const editedInARow = 4

func newFairQueue() *fairQueue {
	return &fairQueue{at: map[adapters.Key]*rounds[adapters.Key]{}, hurry: map[adapters.Key]bool{}}
}

// wasEdited gives the set a place among the edited from now on, until begun.
func (q *fairQueue) wasEdited(key adapters.Key) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.hurry[key] = true
}

// begun is told that a pass over the set begins, whatever it is for.
func (q *fairQueue) begun(key adapters.Key) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.hurry, key)
}

func (q *fairQueue) hurries(key adapters.Key) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.hurry[key]
}

// Touch implements workqueue.Queue. A set that already waits keeps its place, unless it was edited.
func (q *fairQueue) Touch(key adapters.Key) {
	if q.at[key] == &q.others && q.hurries(key) {
		q.place(key, &q.edited)
	}
}

// Push implements workqueue.Queue.
func (q *fairQueue) Push(key adapters.Key) {
	if q.hurries(key) {
		q.place(key, &q.edited)
	} else {
		q.place(key, &q.others)
	}
}

func (q *fairQueue) place(key adapters.Key, in *rounds[adapters.Key]) {
	q.at[key] = in
	in.push(key, key)
}

// Len implements workqueue.Queue.
func (q *fairQueue) Len() int { return len(q.at) }

// Pop implements workqueue.Queue.
func (q *fairQueue) Pop() adapters.Key {
	for {
		from := &q.others
		if q.edited.size > 0 && (q.row < editedInARow || q.others.size == 0) {
			from = &q.edited
		}
		key := from.pop()
		if q.at[key] != from {
			continue // it has another place by now
		}
		if delete(q.at, key); from == &q.edited {
			q.row++
		} else {
			q.row = 0
		}
		return key
	}
}
