package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/setplan/setplan/adapters"
)

// watcher asks for a plan whenever something changes.
type watcher struct {
	key      adapters.Key
	begun    time.Time
	followed *followed
	asker    *asker
	picture  picture
	missing  func(context.Context) error // noSuchSet, which lists the existing sets

	seen  bool // the set was shown before
	pause pause
}

// run shows the set until the context ends or an error occurs that waiting does not mend.
func (w *watcher) run(ctx context.Context, untilDone bool) error {
	second := time.NewTicker(time.Second) // for what changes with time alone
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

// firstAnswer is how long an API server may take before the user is told.
const firstAnswer = 5 * time.Second

// look shows the set as it is now, or returns why it cannot.
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
	done = answer.plan.GetConverged() || answer.plan.GetDone() && len(answer.plan.GetStages()) == 0 // the status says so too
	return done, w.picture.show(answer)
}

// hopeless reports whether an error will not mend itself. What has worked once will work again: a starting API server refuses
// everything for a moment.
func (w *watcher) hopeless(err error) bool {
	var none noSuchSet
	return !w.seen && (errors.As(err, &none) || refused(err))
}

// pause is the time between two calls to a planner that does not answer. It grows, so that many waiting callers do not keep a server
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

// last returns the error during the pause; nil when it is time to ask.
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
