package codec

import (
	"sync"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Memory holds the pods and claims of one request, and those of its snapshot. Calls use it one after another: to
// allocate a kilobyte for each pod of each call, and to collect it, would cost more than to read the request.
type Memory struct {
	podMessages   slab[setplanv1.Pod]
	claimMessages slab[setplanv1.Claim]
	pods          list[model.Pod]
	claims        list[model.Claim]
}

var memories = sync.Pool{New: func() any { return &Memory{} }}

// Borrow returns empty memory for Limits.Memory.
func Borrow() *Memory { return memories.Get().(*Memory) }

// Return takes the memory back, erased: nothing of one caller stays for the next. The request, its snapshot and its plan must not be used
// afterwards. Strings and bytes in them are parts of the data that the request was read from, and stay.
func (m *Memory) Return() {
	m.erase()
	memories.Put(m)
}

func (m *Memory) erase() {
	m.podMessages.erase()
	m.claimMessages.erase()
	m.pods.erase()
	m.claims.erase()
}

// What is kept of a large request is bounded; the rest is allocated anew each time.
const (
	pieceElements = 16
	keptPieces    = 64
	keptElements  = keptPieces * pieceElements
)

// slab hands out messages from pieces of memory, the first of which it keeps. Pieces are small, so that
// Decode, which drops messages as it goes, lets most of a large request be collected.
type slab[T any] struct {
	kept [][]T
	used int // of those
	free []T // in the last piece
}

func (s *slab[T]) next() *T {
	if len(s.free) == 0 {
		s.free = s.piece()
	}
	next := &s.free[0]
	s.free = s.free[1:]
	return next
}

func (s *slab[T]) piece() []T {
	if s.used == keptPieces {
		return make([]T, pieceElements)
	}
	if s.used == len(s.kept) {
		s.kept = append(s.kept, make([]T, pieceElements))
	}
	s.used++
	return s.kept[s.used-1]
}

func (s *slab[T]) erase() {
	for _, piece := range s.kept[:s.used] {
		clear(piece)
	}
	s.used, s.free = 0, nil
}

// list is one list at a time.
type list[T any] struct{ room []T }

func (l *list[T]) of(n int) []T {
	if n > cap(l.room) {
		l.room = make([]T, n)
	}
	l.room = l.room[:n]
	return l.room
}

func (l *list[T]) erase() {
	if cap(l.room) > keptElements {
		l.room = nil
	}
	clear(l.room)
}
