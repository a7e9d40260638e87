package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"github.com/setplan/setplan/adapters"
)

func watchCommand(o *options) *cobra.Command {
	var untilDone bool
	c := &cobra.Command{
		Use:   "watch SET",
		Short: "Follow a set: its pods, what is done to them, how far it is",
		Long: `Follows a set until Ctrl-C: each ordinal with its revision, its state and what the plan does to it, how far the set is,
and how long it will take if it goes on as it did since the command began.

On a terminal the picture is drawn anew when something changes. Elsewhere each change is a line.

Where the API server or the planner does not answer, it says so, keeps what it knew last, and asks again. It ends only
for what does not mend by itself: there is no such set, or what it needs is forbidden, when it begins. A set that is
deleted meanwhile is waited for, as kubectl get -w does; with --until-done that is a failure, as in kubectl rollout status.`,
		Example: `  setplan watch web

  # in a script: wait until a rollout is through, but not for ever
  timeout 10m setplan watch web --until-done`,
		Args:              oneSet,
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
	// client-go logs what its watches run into; the picture says it, and log lines would tear it apart.
	f, err := o.follow(klog.NewContext(ctx, klog.Logger{}), key)
	if err != nil {
		return err
	}
	w := &watcher{key: key, begun: time.Now(), followed: f, asker: newAsker(f.source, p, behavior), picture: o.newPicture(key),
		missing: func(ctx context.Context) error { return o.missing(ctx, key) }}
	return ended(ctx, w.run(ctx, untilDone), untilDone)
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

// noSuchSet is the error that names the sets there are.
type noSuchSet struct{ error }

// missing says of a set that is not there which ones are; nil where it has come meanwhile.
func (o *options) missing(ctx context.Context, key adapters.Key) error {
	there, err := o.setsThere(ctx)
	if err != nil {
		return err
	}
	if _, err = pick(there, key.Namespace, []string{key.Name}); err != nil {
		return noSuchSet{err}
	}
	return nil
}
