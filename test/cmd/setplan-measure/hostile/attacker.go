package hostile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// attacker may do everything in one namespace.
type attacker struct {
	*place
	ctx       context.Context
	namespace string

	end  context.CancelFunc
	busy sync.WaitGroup
	mu   sync.Mutex
	errs []error
}

func newAttacker(ctx context.Context, here *place) (*attacker, error) {
	namespace, err := newNamespace(ctx, here.ControlPlane, "hostile-")
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(ctx)
	return &attacker{place: here, ctx: ctx, namespace: namespace, end: end}, nil
}

// goesOn does something repeatedly in the background until the attacker is stopped.
func (a *attacker) goesOn(do func() error) {
	a.busy.Go(func() {
		for a.ctx.Err() == nil {
			if err := do(); err != nil && a.ctx.Err() == nil {
				a.mu.Lock()
				a.errs = append(a.errs, err)
				a.mu.Unlock()
				return
			}
		}
	})
}

// stop ends the background work. An error means that it had ended before, so nothing was measured.
func (a *attacker) stop() error {
	a.end()
	a.busy.Wait()
	return errors.Join(a.errs...)
}

// many does something n times, sixteen at a time.
func many(n int, do func(i int) error) error {
	errs := make([]error, n)
	slots := make(chan struct{}, 16)
	var running sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			errs[i] = do(i)
		})
	}
	running.Wait()
	return errors.Join(errs...)
}

// sets creates n sets; change edits each first.
func (a *attacker) sets(n int, change func(set *appsv1.StatefulSet)) error {
	return many(n, func(i int) error {
		set := webSet(fmt.Sprintf("web%d", i), 3)
		change(set)
		_, err := a.Client.AppsV1().StatefulSets(a.namespace).Create(a.ctx, set, metav1.CreateOptions{})
		return err
	})
}

// noPods allows no pods in the namespace.
func (a *attacker) noPods() error {
	_, err := a.Client.CoreV1().ResourceQuotas(a.namespace).Create(a.ctx, &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Name: "none"},
		Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourcePods: resource.MustParse("0")}},
	}, metav1.CreateOptions{})
	return err
}

// stuck creates sets whose pods are refused.
func (a *attacker) stuck(n int) error {
	if err := a.noPods(); err != nil {
		return err
	}
	return a.sets(n, func(*appsv1.StatefulSet) {})
}

// allSeen waits until each set has a status that says what is wrong; the built-in controller's only says that it has seen the
// set.
func (a *attacker) allSeen() error {
	_, silent := a.controller.(builtin)
	for deadline := time.Now().Add(10 * time.Minute); ; {
		list, err := a.Client.AppsV1().StatefulSets(a.namespace).List(a.ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		seen := 0
		for i := range list.Items {
			if silent && list.Items[i].Status.ObservedGeneration > 0 || slices.ContainsFunc(list.Items[i].Status.Conditions, func(c appsv1.StatefulSetCondition) bool {
				return c.Type == "Blocked" && c.Status == corev1.ConditionTrue
			}) {
				seen++
			}
		}
		if seen == len(list.Items) {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d of %d sets have been seen", seen, len(list.Items))
		}
		time.Sleep(2 * time.Second)
	}
}

func webSet(name string, replicas int32) *appsv1.StatefulSet {
	labels := map[string]string{"app": name}
	return &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{}},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &replicas, ServiceName: "nginx",
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					TerminationGracePeriodSeconds: new(int64(1)),
					Containers:                    []corev1.Container{{Name: "nginx", Image: "registry.example/nginx:1"}},
				},
			},
		},
	}
}
