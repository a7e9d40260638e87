package compare

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
)

// patience is for one scenario on a busy machine.
const patience = 5 * time.Minute

// user creates sets in its own namespace and waits for them.
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

// create creates the sets and returns when all are complete.
func (u *user) create(ctx context.Context) (taken, error) {
	return u.write(ctx, func(ctx context.Context, name string) error {
		_, err := u.sets().Create(ctx, u.scenario.set(name), metav1.CreateOptions{})
		return err
	})
}

// update gives the sets a new template and returns when all are complete.
func (u *user) update(ctx context.Context) (taken, error) {
	const patch = `{"spec":{"template":{"spec":{"containers":[{"name":"nginx","image":"registry.k8s.io/nginx-slim:0.9"}]}}}}`
	return u.write(ctx, func(ctx context.Context, name string) error {
		_, err := u.sets().Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
		return err
	})
}

// write does something to every set, ten at a time or one after the other, and measures the time.
func (u *user) write(ctx context.Context, one func(ctx context.Context, name string) error) (taken, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	list, err := u.sets().List(ctx, metav1.ListOptions{})
	if err != nil {
		return taken{}, err
	}
	watching, err := u.sets().Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
	if err != nil {
		return taken{}, err
	}
	defer watching.Stop()

	w := newWatcher(u.scenario.sets)
	errs := make([]error, u.scenario.sets)
	atOnce := 10
	if u.scenario.oneByOne {
		atOnce = 1
	}
	slots := make(chan struct{}, atOnce)
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := range errs {
			slots <- struct{}{}
			writing.Go(func() {
				defer func() { <-slots }()
				name := fmt.Sprintf("web%d", i)
				completed := w.begin(name)
				if errs[i] = one(ctx, name); errs[i] != nil || !u.scenario.oneByOne {
					return
				}
				select {
				case <-completed:
				case <-ctx.Done():
				}
			})
		}
	})
	waitErr := w.waitForAll(ctx, watching)
	if waitErr != nil {
		cancel()
	}
	writing.Wait()
	return w.taken(), errors.Join(append(errs, waitErr)...)
}

// leave removes everything and waits until it is gone: the next side gets the same control plane.
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
