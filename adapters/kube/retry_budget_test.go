package kube

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/setplan/setplan/adapters"
)

// retried is retries and the controller's part: a set whose turn comes has a pass, which fails at once.
type retried struct {
	*Retries
	counting sync.Mutex
	passes   map[adapters.Key]int
}

func (r *retried) had(key adapters.Key) int {
	r.counting.Lock()
	defer r.counting.Unlock()
	return r.passes[key]
}

func newRetried() *retried {
	r := &retried{Retries: NewRetries(time.Now), passes: map[adapters.Key]int{}}
	r.budget.wake = r.try
	return r
}

// fails makes a set one of those that share the budget.
func (r *retried) fails(key adapters.Key) { r.ended(key, quotaUsedUp, time.Now()) }

func (r *retried) try(key adapters.Key) {
	if r.begin(key) {
		r.counting.Lock()
		r.passes[key]++
		r.counting.Unlock()
		r.fails(key)
	}
}

func keyOf(namespace string, i int) adapters.Key {
	return adapters.Key{Namespace: namespace, Name: fmt.Sprint(i)}
}

// TestBudget: sets that keep failing share ten passes a second, however often they are asked for, and each gets as many as any
// other.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRetried()
		const sets, seconds = 300, 100
		for i := range sets {
			r.fails(keyOf("busy", i))
		}
		ask := func() {
			for i := range sets {
				r.try(keyOf("busy", i))
			}
		}
		ask()
		r.counting.Lock()
		if len(r.passes) != retriesAtOnce {
			t.Errorf("%d begin at once, want %d", len(r.passes), retriesAtOnce)
		}
		r.counting.Unlock()
		for range 10 * seconds { // all ask again ten times a second, as continually edited sets do
			time.Sleep(time.Second / 10)
			synctest.Wait()
			ask()
		}
		sum, least, most := 0, sets*seconds, 0
		for i := range sets {
			n := r.had(keyOf("busy", i))
			sum, least, most = sum+n, min(least, n), max(most, n)
		}
		if want := retriesAtOnce + seconds*retriesASecond; sum < want-1 || sum > want+1 {
			t.Errorf("%d passes in %d seconds, want about %d", sum, seconds, want)
		}
		if most-least > 2 {
			t.Errorf("one has had %d passes, another %d", most, least)
		}
	})
}

// TestTurnsOfANamespace: a thousand failing sets of one namespace do not delay the turn of another namespace's set.
func TestTurnsOfANamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRetried()
		for i := range 1000 {
			r.fails(keyOf("busy", i))
			r.try(keyOf("busy", i))
		}
		neighbour := adapters.Key{Namespace: "good", Name: "db"}
		r.fails(neighbour)
		r.try(neighbour)
		time.Sleep(time.Second / 4) // one turn of the others, and its own
		synctest.Wait()
		if r.had(neighbour) != 1 {
			t.Error("it has to wait for the thousand")
		}
		time.Sleep(1000 * time.Second / retriesASecond)
		synctest.Wait()
		for i := range 1000 {
			if r.had(keyOf("busy", i)) == 0 {
				t.Fatalf("set %d of the thousand has had no turn", i)
			}
		}
	})
}

// TestBudgetHasNoDebt: sets with ever new names, which are gone when their turn comes, keep no turns.
func TestBudgetHasNoDebt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRetried()
		for second := range 600 {
			for i := range 20 {
				key := adapters.Key{Namespace: "busy", Name: fmt.Sprint(second, "-", i)}
				r.fails(key)
				r.begin(key)
				r.Forgotten(key)
			}
			time.Sleep(time.Second)
		}
		synctest.Wait()
		last := keyOf("busy", 1)
		r.fails(last)
		r.try(last)
		time.Sleep(time.Second / retriesASecond)
		synctest.Wait()
		if r.had(last) != 1 {
			t.Error("sets that are gone come before it")
		}
		if len(r.sets) != 1 || len(r.budget.turns) != 0 || r.budget.waiting.size != 0 {
			t.Errorf("%d sets are remembered, %d have a place, and %d wait", len(r.sets), len(r.budget.turns), r.budget.waiting.size)
		}
	})
}

// TestKeptTurn: a set whose pass was put off after its turn came does not pay twice.
func TestKeptTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRetried()
		key := keyOf("busy", 0)
		r.fails(key)
		for i := range retriesAtOnce + 1 {
			r.fails(keyOf("busy", i))
			r.begin(keyOf("busy", i))
		}
		if r.begin(key) {
			t.Fatal("the budget is never used up")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if r.had(keyOf("busy", retriesAtOnce)) != 1 {
			t.Fatal("the last set has had no turn")
		}
		r.budget.bucket.AllowN(time.Now(), int(r.budget.bucket.Tokens())) // none are left
		r.keep(key)
		if !r.begin(key) {
			t.Error("the kept turn is gone")
		}
		if r.begin(key) {
			t.Error("the turn was kept twice")
		}
	})
}
