package kube

import (
	"slices"
	"sync"

	"k8s.io/client-go/util/workqueue"

	"github.com/setplan/setplan/adapters"
)

// fairQueue is the order of the work queue. Namespaces take turns: a thousand sets that one user creates at once do not delay the one set
// that another user creates after them. No namespace has all workers. Sets that were edited come before those that only go on, such as
// all sets after a start.
type fairQueue struct {
	most int // sets of one namespace that are worked on at once

	mu             sync.Mutex
	edited, others line
	hurry          map[adapters.Key]bool // sets that were edited since they were last taken
	working        map[string]int        // sets of a namespace that are worked on
	row            int                   // edited sets that came first, one after another
}

var _ workqueue.Queue[adapters.Key] = (*fairQueue)(nil)

// editedInARow is how many edited sets come before one of the others: edits without end may not stop what goes on.
const editedInARow = 4

func newFairQueue(most int) *fairQueue {
	return &fairQueue{most: most, edited: newLine(), others: newLine(), hurry: map[adapters.Key]bool{}, working: map[string]int{}}
}

// wasEdited gives the set a place among the edited from now on, until it is taken.
func (q *fairQueue) wasEdited(key adapters.Key) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.hurry[key] = true
}

// Touch implements workqueue.Queue. A set that already waits keeps its place, unless it was edited.
func (q *fairQueue) Touch(key adapters.Key) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.hurry[key] && q.others.remove(key) {
		q.edited.add(key)
	}
}

// Push implements workqueue.Queue.
func (q *fairQueue) Push(key adapters.Key) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.hurry[key] {
		q.edited.add(key)
	} else {
		q.others.add(key)
	}
}

// Len implements workqueue.Queue. Sets whose namespace has as many workers as it may have do not count. When one of those is free, it is the
// one that asks next.
func (q *fairQueue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.ready(&q.edited) + q.ready(&q.others)
}

// ready counts the sets of a line that may be taken.
func (q *fairQueue) ready(of *line) int {
	n := of.size
	for namespace := range q.working {
		if q.full(namespace) {
			n -= len(of.sets[namespace])
		}
	}
	return n
}

func (q *fairQueue) full(namespace string) bool { return q.working[namespace] >= q.most }

// Pop implements workqueue.Queue. done must follow.
func (q *fairQueue) Pop() adapters.Key {
	q.mu.Lock()
	defer q.mu.Unlock()
	from := &q.others
	q.row++
	if q.ready(&q.edited) > 0 && (q.row <= editedInARow || q.ready(&q.others) == 0) {
		from = &q.edited
	} else {
		q.row = 0
	}
	key := from.take(q.full)
	delete(q.hurry, key)
	q.working[key.Namespace]++
	return key
}

// done says that a set is no longer worked on.
func (q *fairQueue) done(key adapters.Key) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.working[key.Namespace]--; q.working[key.Namespace] == 0 {
		delete(q.working, key.Namespace)
	}
}

// line has sets that wait, each once. Namespaces take turns.
type line struct {
	order []string            // the namespaces, the next one first
	sets  map[string][]string // of each namespace, the next one first
	size  int
}

func newLine() line { return line{sets: map[string][]string{}} }

func (l *line) add(key adapters.Key) {
	if len(l.sets[key.Namespace]) == 0 {
		l.order = append(l.order, key.Namespace)
	}
	l.sets[key.Namespace] = append(l.sets[key.Namespace], key.Name)
	l.size++
}

// take takes the next set of a namespace that is not full. There must be one.
func (l *line) take(full func(namespace string) bool) adapters.Key {
	namespace := l.order[slices.IndexFunc(l.order, func(namespace string) bool { return !full(namespace) })]
	key := adapters.Key{Namespace: namespace, Name: l.sets[namespace][0]}
	if l.remove(key); len(l.sets[namespace]) > 0 {
		l.order = append(without(l.order, namespace), namespace)
	}
	return key
}

// remove reports whether the set was in the line.
func (l *line) remove(key adapters.Key) bool {
	waits := l.sets[key.Namespace]
	if !slices.Contains(waits, key.Name) {
		return false
	}
	l.size--
	l.sets[key.Namespace] = without(waits, key.Name)
	if len(waits) == 1 {
		delete(l.sets, key.Namespace)
		l.order = without(l.order, key.Namespace)
	}
	return true
}

// without removes a name that the list has. Nearly always it is the first, and then no other is moved.
func without(list []string, name string) []string {
	if i := slices.Index(list, name); i > 0 {
		return slices.Delete(list, i, i+1)
	}
	return list[1:]
}
