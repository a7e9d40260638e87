package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/setplan/setplan/adapters"
)

// watcher asks again whenever something changes.
type watcher struct {
	key      adapters.Key
	begun    time.Time
	followed *followed
	asker    *asker
	picture  picture
	missing  func(context.Context) error // noSuchSet, which says which ones there are

	seen  bool // there was a picture of the set
	pause pause
}

// run shows the set until the context ends or there is something that waiting does not mend.
func (w *watcher) run(ctx context.Context, untilDone bool) error {
	second := time.NewTicker(time.Second) // for what only time changes
	defer second.Stop()
	for {
		done, err := w.look(ctx)
		switch {
		case errors.Is(err, adapters.ErrGone) && untilDone:
			return fmt.Errorf("%s is gone", w.key)
		case errors.Is(err, adapters.ErrGone):
			err = w.picture.gone()
		case err != nil && ctx.Err() == nil && !w.hopeless(err):
			err = w.picture.trouble(err)
		}
		if err != nil || done && untilDone {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-w.followed.changed:
		case <-second.C:
		}
	}
}

// firstAnswer is how long an API server may take before something is said about it.
const firstAnswer = 5 * time.Second

// look shows the set as it is now. An error is why it cannot be shown.
func (w *watcher) look(ctx context.Context) (done bool, err error) {
	if err := w.followed.trouble(); err != nil {
		return false, err
	}
	if !w.followed.synced() {
		if time.Since(w.begun) > firstAnswer {
			return false, errors.New("the API server has not answered yet")
		}
		return false, nil
	}
	if last := w.pause.last(time.Now()); last != nil {
		return false, last
	}
	answer, err := w.asker.ask(ctx, w.key)
	switch {
	case errors.Is(err, adapters.ErrGone) && !w.seen:
		return false, w.missing(ctx)
	case errors.Is(err, adapters.ErrGone):
		w.pause = pause{}
		return false, err
	case err != nil:
		w.pause.longer(err, time.Now())
		return false, err
	}
	w.seen, w.pause = true, pause{}
	return answer.plan.GetConverged(), w.picture.show(answer)
}

// hopeless reports whether waiting does not mend an error. What has worked once will work again: an API server that
// starts refuses everything for a moment.
func (w *watcher) hopeless(err error) bool {
	var none noSuchSet
	return !w.seen && (errors.As(err, &none) || refused(err))
}

// pause lies between two questions to a planner that does not answer. It grows, so that many who wait do not keep a server
// from starting.
type pause struct {
	err    error
	until  time.Time
	length time.Duration
}

const (
	firstPause = time.Second
	lastPause  = 30 * time.Second
)

// last is the error that is waited out, nil where it is time to ask.
func (p *pause) last(now time.Time) error {
	if now.Before(p.until) {
		return p.err
	}
	return nil
}

func (p *pause) longer(err error, now time.Time) {
	p.length = min(max(2*p.length, firstPause), lastPause)
	p.err, p.until = err, now.Add(p.length)
}
