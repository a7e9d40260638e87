package kube

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/setplan/setplan/adapters"
)

// tireless are sets that have one pass of a second after another.
type tireless struct {
	lanes *Lanes

	mu            sync.Mutex
	running, most int
	over          bool
}

func (s *tireless) next(key adapters.Key) {
	in, may := s.lanes.begin(key, false)
	if !may {
		return // it is woken again
	}
	s.count(1)
	time.AfterFunc(time.Second, func() {
		over := s.count(-1)
		s.lanes.end(in)
		if !over {
			s.next(key)
		}
	})
}

func (s *tireless) count(change int) (over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running += change
	s.most = max(s.most, s.running)
	return s.over
}

// within is how many passes ran at once within the next ten seconds.
func (s *tireless) within() int {
	s.mu.Lock()
	s.most = s.running
	s.mu.Unlock()
	time.Sleep(10 * time.Second)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// TestHeavyNamespace: a namespace that keeps all workers busy has all of them while no other works, and two fifths while one
// does.
func TestHeavyNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		many := &tireless{}
		many.lanes = NewLanes(5, many.next)
		for i := range 20 {
			many.next(adapters.Key{Namespace: "many", Name: fmt.Sprint(i)})
		}
		time.Sleep(time.Minute)
		if got := many.within(); got != 5 {
			t.Errorf("alone it has %d workers", got)
		}
		for range 10 {
			in, may := many.lanes.begin(adapters.Key{Namespace: "one", Name: "db"}, false)
			if !may {
				t.Fatal("a set of another namespace finds no worker")
			}
			time.Sleep(100 * time.Millisecond)
			many.lanes.end(in)
		}
		time.Sleep(time.Second) // passes in progress end
		if got := many.within(); got != 2 {
			t.Errorf("beside another it has %d workers, want two fifths", got)
		}
		time.Sleep(3 * time.Minute) // the other is forgotten
		if got := many.within(); got != 5 {
			t.Errorf("alone again it has %d workers", got)
		}
		many.mu.Lock()
		many.over = true
		many.mu.Unlock()
		time.Sleep(time.Minute)
		synctest.Wait()
		if many.running != 0 {
			t.Errorf("%d passes do not end", many.running)
		}
	})
}
