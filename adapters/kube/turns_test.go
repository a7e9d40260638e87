package kube

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/setplan/setplan/adapters"
)

// writers are sets of one namespace that write continually.
type writers struct {
	turns *Turns
	took  time.Duration // each write

	mu                    sync.Mutex
	writing, most, writes int
}

func (w *writers) start(ctx context.Context, sets int) {
	for i := range sets {
		key := adapters.Key{Namespace: "many", Name: fmt.Sprint(i)}
		go func() {
			for {
				done, err := w.turns.Wait(ctx, key)
				if err != nil {
					return
				}
				w.count(1)
				time.Sleep(w.took)
				w.count(-1)
				done()
			}
		}()
	}
}

func (w *writers) count(change int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writing += change
	w.writes += max(0, change)
	w.most = max(w.most, w.writing)
}

// within is how many writes began within the next ten seconds, and how many ran at once.
func (w *writers) within() (writes, most int) {
	w.mu.Lock()
	w.most, w.writes = w.writing, 0
	w.mu.Unlock()
	time.Sleep(10 * time.Second)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.writes, w.most
}

// TestTurnsAreFair: a write that comes after five hundred of another namespace gets the next turn, and both together keep within the limit.
func TestTurnsAreFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		many := &writers{turns: NewTurns(50, 100)}
		many.start(ctx, 500)
		time.Sleep(10 * time.Second) // the burst is over
		if writes, _ := many.within(); writes < 499 || writes > 501 {
			t.Errorf("%d writes in ten seconds, want 50 a second", writes)
		}
		for i := range 20 {
			began := time.Now()
			done, err := many.turns.Wait(ctx, webKey)
			if err != nil {
				t.Fatal(err)
			}
			done()
			if waited := time.Since(began); waited > 41*time.Millisecond {
				t.Errorf("write %d waits %s for its turn", i, waited)
			}
		}
		cancel()
	})
}

// TestBusyNamespaceRests: beside another namespace one that writes continually sends a fifth of the limit, and what goes beyond it one at a
// time, with rests. Without others it writes as it likes.
func TestBusyNamespaceRests(t *testing.T) {
	for _, row := range []struct {
		took               time.Duration
		beside, besideMost int // in ten seconds: the writes, and the most at once
	}{
		{50 * time.Millisecond, 100, 1},
		{200 * time.Millisecond, 50, 2},
		{700 * time.Millisecond, 50, 5},
		{5 * time.Second, 16, 8},
	} {
		synctest.Test(t, func(t *testing.T) {
			many := &writers{turns: NewTurns(25, 1), took: row.took}
			ctx, cancel := context.WithCancel(t.Context())
			many.start(ctx, 300)
			alone := min(250, 300*10*int(time.Second)/int(row.took))
			time.Sleep(time.Minute)
			if writes, _ := many.within(); writes < alone*9/10 {
				t.Errorf("%s each: alone it writes %d times in ten seconds, want %d", row.took, writes, alone)
			}
			one := func(ctx context.Context) {
				for ctx.Err() == nil {
					began := time.Now()
					done, err := many.turns.Wait(ctx, webKey)
					if waited := time.Since(began); err == nil && waited > 81*time.Millisecond {
						t.Errorf("%s each: a set of another namespace waits %s", row.took, waited)
					}
					if err == nil {
						time.Sleep(time.Millisecond)
						done()
					}
					time.Sleep(time.Second)
				}
			}
			beside, leave := context.WithCancel(ctx)
			go one(beside)
			time.Sleep(10*time.Second + row.took) // what is under way ends, and what was not used up is
			writes, most := many.within()
			if writes < row.beside*8/10 || writes > row.beside*12/10 || most > row.besideMost {
				t.Errorf("%s each: beside another it writes %d times in ten seconds, %d at once, want %d and %d", row.took, writes, most, row.beside, row.besideMost)
			}
			leave()
			time.Sleep(time.Minute) // the other is forgotten
			if writes, _ := many.within(); writes < alone*9/10 {
				t.Errorf("%s each: alone again it writes %d times in ten seconds, want %d", row.took, writes, alone)
			}
			cancel()
			time.Sleep(time.Minute)
			synctest.Wait()
			if many.writing != 0 {
				t.Errorf("%d writes are in progress", many.writing)
			}
			done, err := many.turns.Wait(t.Context(), webKey)
			if err != nil {
				t.Fatal(err)
			}
			if done(); len(many.turns.of) > 1 {
				t.Errorf("%d namespaces are remembered", len(many.turns.of))
			}
		})
	}
}

// TestTurnsEnd: a write leaves when its context ends, wherever it waits, and its turn goes to the next.
func TestTurnsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns(1, 1)
		other, err := turns.Wait(t.Context(), webKey) // the bucket is empty now
		if err != nil {
			t.Fatal(err)
		}
		gone, leave := context.WithCancel(t.Context())
		left := make(chan error)
		for range 20 { // one waits for the limit, the others in line
			go func() {
				_, err := turns.Wait(gone, adapters.Key{Namespace: "a"})
				left <- err
			}()
		}
		synctest.Wait()
		leave()
		for range 20 {
			if err := <-left; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		if _, err := turns.Wait(gone, webKey); !errors.Is(err, context.Canceled) {
			t.Errorf("a write whose context had ended: %v", err)
		}
		began := time.Now()
		done, err := turns.Wait(t.Context(), adapters.Key{Namespace: "a"})
		if waited := time.Since(began); err != nil || waited > time.Second {
			t.Errorf("the next one waits %s: %v", waited, err)
		}
		other()
		done()
		for name, of := range turns.of {
			if of.users != 0 || of.writing != 0 || len(of.line) != 0 {
				t.Errorf("left in %s: %+v", name, of)
			}
		}
		for _, limit := range []float32{0, -1} {
			free := NewTurns(limit, 0)
			for range 1000 {
				if _, err := free.Wait(t.Context(), webKey); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
