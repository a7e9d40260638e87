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
	turn turnFunc
	took time.Duration // each write

	mu                    sync.Mutex
	writing, most, writes int
}

func (w *writers) start(ctx context.Context, sets int) {
	for i := range sets {
		key := adapters.Key{Namespace: "many", Name: fmt.Sprint(i)}
		go func() {
			for {
				done, err := w.turn(ctx, key)
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

func free(context.Context, adapters.Key) error { return nil }

// TestBusyNamespaceRests: a namespace that writes continually sends one write at a time while another namespace writes too, and
// rests between writes; if each write takes very long, it may write as often as a fifth of the limit. Without others it writes
// as it likes.
func TestBusyNamespaceRests(t *testing.T) {
	for _, row := range []struct {
		took               time.Duration
		beside, besideMost int // in ten seconds: the writes, and the most at once
	}{
		{50 * time.Millisecond, 100, 1},
		{200 * time.Millisecond, 50, 1},
		{700 * time.Millisecond, 50, 5},
		{5 * time.Second, 16, 8},
	} {
		synctest.Test(t, func(t *testing.T) {
			rests := NewRests(25)
			many := &writers{turn: rests.before(free), took: row.took}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			many.start(ctx, 100)
			time.Sleep(time.Minute)
			if _, most := many.within(); most != 100 {
				t.Errorf("alone it writes %d at once", most)
			}
			one := adapters.Key{Namespace: "one", Name: "db"}
			for range 20 {
				began := time.Now()
				done, err := many.turn(ctx, one)
				if err != nil || time.Since(began) > 0 {
					t.Fatalf("a set of another namespace waits %s: %v", time.Since(began), err)
				}
				time.Sleep(time.Second / 20)
				done()
			}
			time.Sleep(row.took) // writes in progress end
			writes, most := many.within()
			if writes < row.beside*9/10 || writes > row.beside*11/10 || most > row.besideMost+1 {
				t.Errorf("%s each: beside another it writes %d times in ten seconds, %d at once, want %d and %d", row.took, writes, most, row.beside, row.besideMost)
			}
			time.Sleep(3 * time.Minute) // the other is forgotten
			if _, most := many.within(); most != 100 {
				t.Errorf("alone again it writes %d at once", most)
			}
			cancel()
			time.Sleep(time.Minute)
			synctest.Wait()
			if many.writing != 0 {
				t.Errorf("%d writes are in progress", many.writing)
			}
			if done, err := many.turn(t.Context(), one); err != nil {
				t.Fatal(err)
			} else if done(); len(rests.of) > 1 {
				t.Errorf("%d namespaces are remembered", len(rests.of))
			}
		})
	}
}

// TestRestsEnd: a write that waits here leaves without a turn when its context ends, and so does one that gets no turn further
// on.
func TestRestsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rests := NewRests(25)
		refused := errors.New("no turn")
		turn := rests.before(func(_ context.Context, key adapters.Key) error {
			if key.Name == "refused" {
				return refused
			}
			return nil
		})
		rests.had.of["one"] = share{had: time.Minute, at: time.Now()}
		rests.had.of["many"] = share{had: time.Minute, at: time.Now()}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done, err := turn(ctx, adapters.Key{Namespace: "many", Name: "first"})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() {
			_, err := turn(ctx, adapters.Key{Namespace: "many", Name: "second"})
			ended <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("waiting: %v", err)
		}
		done()
		if _, err := turn(t.Context(), adapters.Key{Namespace: "many", Name: "refused"}); !errors.Is(err, refused) {
			t.Errorf("without a turn: %v", err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if rests.of["many"].writing != 0 {
			t.Errorf("%d writes are in progress", rests.of["many"].writing)
		}
	})
}

// TestRestsWake: a write behind another gets its turn once that has ended and the same time has passed again, even if nobody
// else asks.
func TestRestsWake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rests := NewRests(0.01) // one write per 500 seconds
		rests.had.of["one"] = share{had: time.Hour, at: time.Now()}
		rests.had.of["many"] = share{had: time.Hour, at: time.Now()}
		turn := rests.before(free)
		first, err := turn(t.Context(), adapters.Key{Namespace: "many", Name: "first"})
		if err != nil {
			t.Fatal(err)
		}
		began, came := time.Now(), make(chan time.Duration)
		go func() {
			if _, err := turn(t.Context(), adapters.Key{Namespace: "many", Name: "second"}); err != nil {
				t.Error(err)
			}
			came <- time.Since(began)
		}()
		time.Sleep(time.Second)
		first()
		if after := <-came; after != 2*time.Second {
			t.Errorf("it came after %s", after)
		}
	})
}
