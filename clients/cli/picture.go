package cli

import (
	"fmt"
	"time"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/live"
	"github.com/setplan/setplan/clients/cli/narrate"
	"github.com/setplan/setplan/clients/cli/show"
)

// picture shows a set.
type picture interface {
	show(exchange) error
	// trouble shows why there is nothing new to show.
	trouble(error) error
	// gone shows that the set was deleted.
	gone() error
}

func (o *options) newPicture(key adapters.Key, restarts *restarts) picture {
	out := o.config.Streams.Out
	if show.Drawable(out) {
		return &drawn{key: key, screen: live.NewScreen(out), style: o.style(), restarts: restarts}
	}
	narrator := narrate.New(o.text(), time.Now)
	narrator.Flags = o.givenFlags()
	return &told{key: key, narrator: narrator}
}

// drawn redraws a terminal.
type drawn struct {
	key    adapters.Key
	screen *live.Screen
	style  show.Style
	pace   live.Pace
	undone live.Undone

	restarts *restarts

	last  string    // the picture that was shown last
	since time.Time // when the trouble began; zero: there is none
}

func (d *drawn) show(answer exchange) error {
	now := answer.request.GetSnapshot().GetObservedAt().AsTime()
	view := live.NewView(answer.request.GetSnapshot(), answer.plan)
	view.Restarts = d.restarts.of
	d.pace.Saw(view.Total-view.Done, now)
	view.Undone = d.undone.Saw(answer.plan, now)
	_, rows := d.screen.Size()
	d.last, d.since = view.Text(d.style, &d.pace, now, rows), time.Time{}
	return d.screen.Draw(d.last)
}

func (d *drawn) trouble(err error) error {
	if d.since.IsZero() {
		d.since = time.Now()
	}
	below := d.last
	if below == "" {
		below = d.style.Paint(show.Bold, d.key.String()) + "\n"
	}
	columns, _ := d.screen.Size()
	return d.screen.Draw(live.Trouble(d.style, err, time.Since(d.since), columns) + below)
}

func (d *drawn) gone() error {
	d.pace, d.undone, d.since = live.Pace{}, live.Undone{}, time.Time{}
	d.last = d.style.Paint(show.Bold, d.key.String()) + "  was deleted; waiting for it to be recreated\n"
	return d.screen.Draw(d.last)
}

// told writes a line for each change, also of the progress.
type told struct {
	key      adapters.Key
	narrator *narrate.Narrator
	progress string
	undone   live.Undone
	idle     bool // it was told that nobody acts
	troubled bool
}

func (t *told) show(answer exchange) error {
	if t.troubled {
		t.narrator.Saw("%s is visible again", t.key.Name)
		t.troubled = false
	}
	t.narrator.Planned(t.key, answer.request.GetSnapshot(), answer.plan)
	view := live.NewView(answer.request.GetSnapshot(), answer.plan)
	if progress := fmt.Sprintf("%d of %s in the desired state", view.Done, show.Count(view.Total, "pod")); progress != t.progress {
		t.progress = progress
		t.narrator.Saw("%s", progress)
	}
	idle := t.undone.Saw(answer.plan, answer.request.GetSnapshot().GetObservedAt().AsTime())
	if idle > 0 && !t.idle {
		t.narrator.Saw("the plan has not been carried out for %s; run setplan why", idle.Round(time.Second))
	}
	t.idle = idle > 0
	return nil
}

func (t *told) trouble(err error) error {
	t.troubled = true
	t.narrator.Held(t.key, "no news", err)
	return nil
}

func (t *told) gone() error {
	t.progress, t.undone, t.idle, t.troubled = "", live.Undone{}, false, false
	t.narrator.Forgotten(t.key)
	return nil
}
