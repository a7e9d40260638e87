package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"github.com/setplan/setplan/adapters"
)

func watchCommand(o *options) *cobra.Command {
	var untilDone bool
	var timeout time.Duration
	c := &cobra.Command{
		Use:   "watch SET",
		Short: "Follow a set: its pods, what happens to them, and its progress",
		Long: `Follows a set until Ctrl-C or --timeout: each ordinal with its revision, its state and what the plan does to it, the
progress of the set, and an estimate of the time left at the pace seen so far.

On a terminal the picture is redrawn on every change. Elsewhere each change is a line.

If the API server or the planner does not answer, watch says so, keeps showing the last state, and retries. It fails only at
its start, if there is no such set or access is forbidden. If the set is deleted, watch waits for it to be recreated, as
kubectl get -w does; with --until-done it fails, as kubectl rollout status does.`,
		Example: `  setplan watch web

  # in a script: wait until a rollout is through, but not for ever
  setplan watch web --until-done --timeout 10m`,
		Args:              oneSet,
		ValidArgsFunction: o.completeSets,
		RunE: func(c *cobra.Command, args []string) error {
			return o.runWatch(c.Context(), args[0], untilDone, timeout)
		},
	}
	c.Flags().BoolVarP(&o.allNamespaces, "all-namespaces", "A", false, "search all namespaces for the set")
	c.Flags().BoolVar(&untilDone, "until-done", false, "exit once the set is in the desired state")
	c.Flags().DurationVar(&timeout, "timeout", 0, "exit after this long, such as 10m; 0 is never")
	return c
}

// errInterrupted means that Ctrl-C ended --until-done.
var errInterrupted = errors.New("stopped before the set was in the desired state")

func (o *options) runWatch(ctx context.Context, arg string, untilDone bool, timeout time.Duration) error {
	if timeout < 0 {
		return fmt.Errorf("--timeout is %s, must not be negative", timeout)
	}
	what, err := o.oneSought(arg)
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
	key := adapters.Key{Namespace: namespace, Name: what.names[0]}
	if o.allNamespaces {
		if key, err = o.anywhere(ctx, what); err != nil {
			return err
		}
	}
	if timeout > 0 {
		late := fmt.Errorf("%s was not in the desired state within %s", key, timeout)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, late)
		defer cancel()
	}
	// The picture shows the errors of watches. client-go's log lines would break it.
	restarts := &restarts{count: map[string]int32{}}
	f, err := o.follow(klog.NewContext(ctx, klog.Logger{}), what.kind, key.Namespace, news{pod: restarts.saw, changed: func(of adapters.Key) bool { return of == key }})
	if err != nil {
		return err
	}
	w := &watcher{key: key, begun: time.Now(), followed: f, asker: newAsker(f.source, p, behavior), picture: o.newPicture(key, restarts),
		missing: func(ctx context.Context) error { return o.missing(ctx, what, key) }}
	return ended(ctx, w.run(ctx, untilDone), untilDone)
}

// anywhere finds the set of a name in any namespace.
func (o *options) anywhere(ctx context.Context, what sought) (adapters.Key, error) {
	there, err := o.setsThere(ctx, what.kind)
	if err != nil {
		return adapters.Key{}, err
	}
	picked, err := what.pick(there, "")
	if err != nil {
		return adapters.Key{}, o.orElsewhere(ctx, what, err)
	}
	return picked[0], nil
}

// ended returns the error for the end of a watch. Ctrl-C and --timeout are normal ends, unless the user waits for a result.
func ended(ctx context.Context, err error, untilDone bool) error {
	switch {
	case ctx.Err() == nil || err == nil:
		return err
	case !untilDone:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return context.Cause(ctx)
	default:
		return errInterrupted
	}
}

// noSuchSet is the error that lists the existing sets.
type noSuchSet struct{ error }

// missing returns the error for a missing set, with the existing ones; nil if it exists by now.
func (o *options) missing(ctx context.Context, what sought, key adapters.Key) error {
	there, err := o.setsThere(ctx, what.kind)
	if err != nil {
		return err
	}
	if _, err = what.pick(there, key.Namespace); err != nil {
		return noSuchSet{o.orElsewhere(ctx, what, err)}
	}
	return nil
}
