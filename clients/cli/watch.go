package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/adapters/narrate"
	"github.com/setplan/setplan/clients/cli/live"
	"github.com/setplan/setplan/clients/cli/show"
)

func watchCommand(o *options) *cobra.Command {
	var untilDone bool
	c := &cobra.Command{
		Use:   "watch SET",
		Short: "Follow a set: its pods, what is done to them, how far it is",
		Long: `Follows a set until Ctrl-C: each ordinal with its revision, its state and what the plan does to it, how far the set is,
and how long it will take if it goes on as it did since the command began.

On a terminal the picture is drawn anew when something changes. Elsewhere each change is a line.`,
		Example: `  setplan watch web

  # in a script: wait until a rollout is through
  setplan watch web --until-done`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: o.completeSets,
		RunE:              func(c *cobra.Command, args []string) error { return o.runWatch(c.Context(), args[0], untilDone) },
	}
	c.Flags().BoolVar(&untilDone, "until-done", false, "end once the set is as it should be")
	return c
}

// errInterrupted is the end of --until-done by Ctrl-C.
var errInterrupted = errors.New("stopped before the set was as it should be")

func (o *options) runWatch(ctx context.Context, arg string, untilDone bool) error {
	name, err := setName(arg)
	if err != nil {
		return err
	}
	behavior, err := o.preset()
	if err != nil {
		return err
	}
	namespace, err := o.namespace()
	if err != nil {
		return err
	}
	p, err := o.newPlanner()
	if err != nil {
		return err
	}
	defer p.close()
	key := adapters.Key{Namespace: namespace, Name: name}
	source, changed, err := o.follow(ctx, key)
	if err != nil {
		return ended(ctx, err, untilDone)
	}
	w := &watcher{key: key, asker: newAsker(source, p, behavior), picture: o.newPicture(key)}
	return ended(ctx, w.run(ctx, changed, untilDone), untilDone)
}

// ended: Ctrl-C is the usual end, and no failure unless an answer was waited for.
func ended(ctx context.Context, err error, untilDone bool) error {
	if ctx.Err() == nil {
		return err
	}
	if untilDone {
		return errInterrupted
	}
	return nil
}

// follow watches what the set's snapshot is made of, as an adapter does, and tells when something of it has changed.
func (o *options) follow(ctx context.Context, key adapters.Key) (adapters.Source, <-chan struct{}, error) {
	clients, err := o.clients()
	if err != nil {
		return nil, nil, err
	}
	caches := kube.NewCaches(kube.StatefulSets(), clients, []string{key.Namespace})
	changed := make(chan struct{}, 1)
	if err := caches.Watch(func(of adapters.Key, _ kube.Change) {
		if of == key {
			select {
			case changed <- struct{}{}:
			default: // somebody will look anyway
			}
		}
	}); err != nil {
		return nil, nil, err
	}
	log := slog.New(slog.NewTextHandler(o.config.Streams.ErrOut, nil))
	if err := caches.Start(ctx, log); err != nil {
		return nil, nil, err
	}
	source := kube.NewSource(kube.StatefulSets(), caches, clients.API, time.Now)
	if _, err := source.Set(ctx, key); errors.Is(err, adapters.ErrGone) {
		there, err := o.setsThere(ctx)
		if err != nil {
			return nil, nil, err
		}
		_, err = pick(there, key.Namespace, []string{key.Name})
		return nil, nil, err
	}
	return source, changed, nil
}

// watcher asks again whenever something changes.
type watcher struct {
	key     adapters.Key
	asker   *asker
	picture picture
}

func (w *watcher) run(ctx context.Context, changed <-chan struct{}, untilDone bool) error {
	second := time.NewTicker(time.Second) // for what only time changes
	defer second.Stop()
	for {
		answer, err := w.asker.ask(ctx, w.key)
		if errors.Is(err, adapters.ErrGone) {
			return fmt.Errorf("%s is gone", w.key)
		}
		if err != nil {
			return err
		}
		if err := w.picture.show(answer); err != nil {
			return err
		}
		if untilDone && answer.plan.GetConverged() {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		case <-second.C:
		}
	}
}

// picture is where plans are shown.
type picture interface{ show(exchange) error }

func (o *options) newPicture(key adapters.Key) picture {
	out := o.config.Streams.Out
	if show.Terminal(out) {
		return &drawn{screen: live.NewScreen(out), style: o.style()}
	}
	return &told{key: key, narrator: narrate.New(out, time.Now), out: out}
}

// drawn redraws a terminal.
type drawn struct {
	screen *live.Screen
	style  show.Style
	pace   live.Pace
}

func (d *drawn) show(answer exchange) error {
	now := answer.request.GetSnapshot().GetObservedAt().AsTime()
	view := live.NewView(answer.request.GetSnapshot(), answer.plan)
	d.pace.Saw(view.Total-view.Done, now)
	_, rows := d.screen.Size()
	return d.screen.Draw(view.Text(d.style, &d.pace, now, rows))
}

// told writes a line for each change, the progress among them.
type told struct {
	key      adapters.Key
	narrator *narrate.Narrator
	out      io.Writer
	progress string
}

func (t *told) show(answer exchange) error {
	t.narrator.Planned(t.key, answer.request.GetSnapshot(), answer.plan)
	view := live.NewView(answer.request.GetSnapshot(), answer.plan)
	if progress := fmt.Sprintf("%d of %s as they should be", view.Done, show.Count(view.Total, "pod")); progress != t.progress {
		t.progress = progress
		t.narrator.Saw("%s", progress)
	}
	return nil
}
