package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/setplan/setplan/test/cmd/internal/crowd"
	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// populate makes what there is not yet: sets with their revisions and pods, and the status of all of them as it is at rest. No
// controller takes part, nor does a scheduler.
func populate(ctx context.Context, plane *testbed.ControlPlane, sets members) error {
	client, err := plane.Unlimited()
	if err != nil {
		return err
	}
	began, missing := time.Now(), sets.of(func(m *member) bool { return !m.made })
	var done atomic.Int64
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(10 * time.Second):
				fmt.Printf("  %d of %d sets are made\n", done.Load(), len(missing))
			}
		}
	}()
	b := &builder{client: client, maker: crowd.NewMaker(), nodes: sets.nodes()}
	err = many(ctx, missing, 32, func(i int, m *member) error {
		err := b.build(ctx, i, m)
		done.Add(1)
		return err
	})
	fmt.Printf("%d sets with %d pods are there; %.0f s to make %d of them\n", len(sets), sets.pods(), time.Since(began).Seconds(), len(missing))
	return err
}

// many does something to each set, so many at a time, until something fails.
func many(ctx context.Context, sets members, atOnce int, do func(i int, m *member) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(sets)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if err := do(int(i), sets[i]); err != nil {
					stop(fmt.Errorf("%s/%s: %w", sets[i].namespace, sets[i].name, err))
				}
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

type builder struct {
	client kubernetes.Interface
	maker  *crowd.Maker
	nodes  int
	spaces sync.Map // the namespaces that are there
}

func (b *builder) build(ctx context.Context, i int, m *member) error {
	if err := b.space(ctx, m.namespace); err != nil {
		return err
	}
	apps, core := b.client.AppsV1(), b.client.CoreV1()
	set, err := apps.StatefulSets(m.namespace).Create(ctx, m.set(), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	belongings, err := b.maker.Make(ctx, set)
	if err != nil {
		return err
	}
	if _, err := apps.ControllerRevisions(m.namespace).Create(ctx, belongings.Revision, metav1.CreateOptions{}); err != nil {
		return err
	}
	for _, pod := range belongings.Pods {
		pod.Spec.NodeName = fmt.Sprintf("node-%d", i%b.nodes)
		made, err := core.Pods(m.namespace).Create(ctx, pod, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		made.Status = crowd.Ready(time.Now().Add(-time.Hour))
		made.ResourceVersion = "" // kwok may have been quicker
		if _, err := core.Pods(m.namespace).UpdateStatus(ctx, made, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	set.Status = crowd.Status(set, belongings.Revision.Name)
	if _, err := apps.StatefulSets(m.namespace).UpdateStatus(ctx, set, metav1.UpdateOptions{}); err != nil {
		return err
	}
	m.made = true
	return nil
}

func (b *builder) space(ctx context.Context, name string) error {
	made, _ := b.spaces.LoadOrStore(name, sync.OnceValue(func() error {
		_, err := b.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			err = nil
		}
		return err
	}))
	once, ok := made.(func() error)
	if !ok {
		return errors.New("no namespace was made")
	}
	return once()
}
