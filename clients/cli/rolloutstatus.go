package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"k8s.io/klog/v2"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/rollout"
)

// followedRollout holds the flags of rollout status.
type followedRollout struct {
	untilDone bool
	revision  int64
	timeout   time.Duration
}

func rolloutStatusCommand(o *options) *cobra.Command {
	var f followedRollout
	c := &cobra.Command{
		Use:   "status SET...",
		Short: "Show the status of the rollout",
		Long: `Shows the status of the rollout and waits until it is done, as kubectl rollout status does. The exit code is 0 once it is done,
and 1 on a timeout, when the set is deleted, and for the update strategy OnDelete.

If another rollout starts meanwhile, the command waits for that one, too, or fails with --revision.`,
		Example: `  setplan rollout status ssts/web

  # in a script
  setplan rollout status ssts/web --timeout 10m`,
		Args:              someSetsOfAnyKind,
		ValidArgsFunction: o.completeSets,
		RunE:              func(c *cobra.Command, args []string) error { return o.runRolloutStatus(c.Context(), args, f) },
	}
	c.Flags().BoolVarP(&f.untilDone, "watch", "w", true, "wait until the rollout is done")
	c.Flags().Int64Var(&f.revision, "revision", 0, "fail unless this revision is rolled out; 0 is the latest")
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "fail after this long, such as 10m; 0 is never")
	return c
}

func (o *options) runRolloutStatus(ctx context.Context, args []string, f followedRollout) error {
	switch {
	case f.revision < 0:
		return fmt.Errorf("revision must be a positive integer: %v", f.revision)
	case f.timeout < 0:
		return fmt.Errorf("--timeout is %s, must not be negative", f.timeout)
	}
	sets, clients, err := o.setsThrough(ctx, args)
	if err != nil {
		return err
	}
	for _, set := range sets {
		annotation, field := rollout.Pauses(set.Unstructured)
		if mode := cmp.Or(annotation, field); mode != "" {
			o.note("%s is paused: %s=%s holds the rollout back until rollout resume", set.GetName(), rollout.AnnotationPause, mode)
		}
		if err := o.followRollout(ctx, clients, set, f); err != nil {
			return err
		}
	}
	return nil
}

// followRollout prints a line for each change of a set until its rollout is done.
func (o *options) followRollout(ctx context.Context, clients *kube.Clients, set anySet, f followedRollout) error {
	ctx, cancel := watchtools.ContextWithOptionalTimeout(klog.NewContext(ctx, klog.Logger{}), f.timeout)
	defer cancel()
	objects := clients.Dynamic.Resource(set.resource).Namespace(set.GetNamespace())
	named := fields.OneTermEqualSelector(metav1.ObjectNameField, set.GetName()).String()
	lists := cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.FieldSelector = named
			return objects.List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.FieldSelector = named
			return objects.Watch(ctx, options)
		},
	}, clients.Dynamic)
	_, err := watchtools.UntilWithSync(ctx, lists, &unstructured.Unstructured{}, nil, func(event watch.Event) (bool, error) {
		switch event.Type {
		case watch.Added, watch.Modified:
			return o.tellRollout(ctx, clients, event.Object.(*unstructured.Unstructured), f)
		case watch.Deleted:
			return true, errors.New("object has been deleted") // a new set of the same name is another one
		default:
			return true, fmt.Errorf("unexpected event %s", event.Type)
		}
	})
	return err
}

// tellRollout prints how far a rollout is, and reports whether to stop following it.
func (o *options) tellRollout(ctx context.Context, clients *kube.Clients, set *unstructured.Unstructured, f followedRollout) (bool, error) {
	if err := f.pinned(ctx, clients, set); err != nil {
		return true, err
	}
	text, done, err := rollout.Status(set)
	if err != nil {
		return true, err
	}
	_, err = fmt.Fprint(o.text(), text)
	return done || !f.untilDone, err
}

// pinned fails if another revision is rolled out than the one that --revision names.
func (f followedRollout) pinned(ctx context.Context, clients *kube.Clients, set *unstructured.Unstructured) error {
	if f.revision == 0 {
		return nil
	}
	name, err := rollout.Running(set)
	if err != nil || name == "" {
		return err
	}
	running, err := clients.Apps.ControllerRevisions(set.GetNamespace()).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return apiError(err)
	}
	if running.Revision != f.revision {
		return fmt.Errorf("desired revision (%d) is different from the running revision (%d)", f.revision, running.Revision)
	}
	return nil
}
