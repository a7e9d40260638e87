package hostile

import (
	"context"
	"errors"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// patience is the limit for one act; a set that waits longer starves.
const patience = 2 * time.Minute

var errStarves = errors.New("the healthy set starves")

// acts are what the user does to the healthy set, in this order.
var acts = []string{"create", "scale", "edit"}

// life is how long each act took.
type life map[string]time.Duration

// live runs the life of a healthy set once, in its own namespace. The set stays; it does nothing more.
func live(ctx context.Context, p *place) (life, error) {
	ctx, cancel := p.whileAlive(ctx)
	defer cancel()
	namespace, err := newNamespace(ctx, p.ControlPlane, "healthy-")
	if err != nil {
		return nil, err
	}
	sets := p.Client.AppsV1().StatefulSets(namespace)
	patch := func(text string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := sets.Patch(ctx, "web", types.StrategicMergePatchType, []byte(text), metav1.PatchOptions{})
			return err
		}
	}
	took := life{}
	for i, do := range []func(context.Context) error{
		func(ctx context.Context) error {
			_, err := sets.Create(ctx, webSet("web", 3), metav1.CreateOptions{})
			return err
		},
		patch(`{"spec":{"replicas":4}}`),
		patch(`{"spec":{"template":{"spec":{"containers":[{"name":"nginx","image":"registry.example/nginx:2"}]}}}}`),
	} {
		began := time.Now()
		if err := do(ctx); err != nil {
			return nil, err
		}
		if err := untilComplete(ctx, sets, int64(i+1)); err != nil {
			return nil, fmt.Errorf("%s: %w", acts[i], err)
		}
		took[acts[i]] = time.Since(began)
	}
	return took, nil
}

// untilComplete returns when the set has everything that its spec of this generation asks for.
func untilComplete(ctx context.Context, sets appsclient.StatefulSetInterface, generation int64) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for ctx.Err() == nil {
		events, err := sets.Watch(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for event := range events.ResultChan() { // until the watch ends, as watches do; the next begins with the current set
			if set, ok := event.Object.(*appsv1.StatefulSet); ok && set.Generation == generation && testbed.Complete(set) {
				events.Stop()
				return nil
			}
		}
	}
	return fmt.Errorf("%w: %w", errStarves, ctx.Err())
}

func newNamespace(ctx context.Context, plane *testbed.ControlPlane, prefix string) (string, error) {
	namespace, err := plane.Client.CoreV1().Namespaces().Create(ctx,
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: prefix}}, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	return namespace.Name, nil
}
