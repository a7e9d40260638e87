package scale

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// roll gives some sets a new template at once, and measures how long the roll takes, and how long edits of others wait
// meanwhile. An edit after the end of the roll counts too; their number is printed.
func (p *place) roll(ctx context.Context, s *testbed.Side, _ *testbed.Running) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	sets := p.sets.rolling()
	watching, err := p.watchRolling(ctx)
	if err != nil {
		return err
	}
	defer watching.Stop()
	p.edition++
	patch := fmt.Appendf(nil, `{"spec":{"template":{"spec":{"containers":[{"name":"db","image":"registry.example/storage/database:14.2.1-%d"}]}}}}`, p.edition)
	began := time.Now()
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error {
		return many(ctx, sets, 10, func(m *member) error {
			_, err := p.Client.AppsV1().StatefulSets(m.namespace).Patch(ctx, m.name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
			return err
		})
	})
	both.Go(func() error {
		waits, err := p.edit(ctx, s)
		if err == nil {
			fmt.Printf("    the edits took %.0f s\n", time.Since(began).Seconds())
			p.reportWaits(s, "rolling", waits)
		}
		return err
	})
	both.Go(func() error {
		err := untilRolled(ctx, watching, len(sets))
		if err == nil {
			p.report(s, "rolling", "wall", time.Since(began).Seconds())
		}
		return err
	})
	return both.Wait()
}

// watchRolling watches the rolling sets from now on.
func (p *place) watchRolling(ctx context.Context) (watch.Interface, error) {
	all, options := p.Client.AppsV1().StatefulSets(metav1.NamespaceAll), metav1.ListOptions{LabelSelector: labelRolls}
	list, err := all.List(ctx, options)
	if err != nil {
		return nil, err
	}
	options.ResourceVersion = list.ResourceVersion
	return all.Watch(ctx, options)
}

// untilRolled returns when this many sets have rolled.
func untilRolled(ctx context.Context, watching watch.Interface, sets int) error {
	done := map[string]bool{}
	for len(done) < sets {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d sets have rolled: %w", len(done), sets, ctx.Err())
		case event, open := <-watching.ResultChan():
			if !open {
				return errors.New("the watch has ended")
			}
			set, ok := event.Object.(*appsv1.StatefulSet)
			if !ok {
				return fmt.Errorf("the watch sent %s %T", event.Type, event.Object)
			}
			if delete(done, set.Name); testbed.Complete(set) {
				done[set.Name] = true
			}
		}
	}
	return nil
}
