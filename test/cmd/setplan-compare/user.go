package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// patience is for one scenario on a machine that has other things to do.
const patience = 5 * time.Minute

// user asks for sets in a namespace of its own and waits for them.
type user struct {
	plane     *controlPlane
	scenario  scenario
	namespace string
}

func (p *controlPlane) newUser(ctx context.Context, s scenario) (*user, error) {
	namespace, err := p.Client.CoreV1().Namespaces().Create(ctx,
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: s.name + "-"}}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	return &user{plane: p, scenario: s, namespace: namespace.Name}, nil
}

func (u *user) sets() appsclient.StatefulSetInterface {
	return u.plane.Client.AppsV1().StatefulSets(u.namespace)
}

// create asks for the sets and returns when all are complete.
func (u *user) create(ctx context.Context) (time.Duration, error) {
	return u.write(ctx, func(ctx context.Context, name string) error {
		_, err := u.sets().Create(ctx, u.scenario.set(name), metav1.CreateOptions{})
		return err
	})
}

// update gives the sets a new template and returns when all are complete.
func (u *user) update(ctx context.Context) (time.Duration, error) {
	const patch = `{"spec":{"template":{"spec":{"containers":[{"name":"nginx","image":"registry.k8s.io/nginx-slim:0.9"}]}}}}`
	return u.write(ctx, func(ctx context.Context, name string) error {
		_, err := u.sets().Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
		return err
	})
}

// write does something to every set, ten at a time, and takes the time from the first write to the last completion.
func (u *user) write(ctx context.Context, one func(ctx context.Context, name string) error) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	list, err := u.sets().List(ctx, metav1.ListOptions{})
	if err != nil {
		return 0, err
	}
	watching, err := u.sets().Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
	if err != nil {
		return 0, err
	}
	defer watching.Stop()

	began := time.Now()
	errs := make([]error, u.scenario.sets)
	slots := make(chan struct{}, 10)
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := range errs {
			slots <- struct{}{}
			writing.Go(func() {
				defer func() { <-slots }()
				errs[i] = one(ctx, fmt.Sprintf("web%d", i))
			})
		}
	})
	waitErr := u.waitForAll(ctx, watching)
	took := time.Since(began)
	writing.Wait()
	return took, errors.Join(append(errs, waitErr)...)
}

// waitForAll returns when the newest version of each set is complete.
func (u *user) waitForAll(ctx context.Context, watching watch.Interface) error {
	done := map[string]bool{}
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d sets are complete: %w", len(done), u.scenario.sets, ctx.Err())
		case event, open := <-watching.ResultChan():
			if !open {
				return errors.New("the watch has ended")
			}
			set, ok := event.Object.(*appsv1.StatefulSet)
			if !ok {
				return fmt.Errorf("the watch sent %s %T", event.Type, event.Object)
			}
			delete(done, set.Name)
			if testbed.Complete(set) {
				done[set.Name] = true
			}
			if len(done) == u.scenario.sets {
				return nil
			}
		}
	}
}

// leave removes everything and waits until it is gone: the next side finds the control plane as this one did.
func (u *user) leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	core := u.plane.Client.CoreV1()
	if err := core.Namespaces().Delete(ctx, u.namespace, metav1.DeleteOptions{}); err != nil {
		return err
	}
	for {
		_, err := core.Namespaces().Get(ctx, u.namespace, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			volumes, err := core.PersistentVolumes().List(ctx, metav1.ListOptions{})
			if err != nil || len(volumes.Items) == 0 {
				return err
			}
		} else if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for the end of namespace %s and its volumes: %w", u.namespace, ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
}
