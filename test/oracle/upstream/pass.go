// Package upstream runs one pass of the StatefulSet controller of Kubernetes over a world. Everything that decides and
// everything that writes, down to the client's interface, is upstream's own code: only the caches and the API server behind
// that interface are ours.
package upstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/history"
	"k8s.io/kubernetes/pkg/controller/statefulset"
	consistencyutil "k8s.io/kubernetes/pkg/controller/util/consistency"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/setplan/setplan/test/oracle/world"
)

func init() {
	// Upstream logs errors that the oracle provokes on purpose, and slows down after each.
	utilruntime.ErrorHandlers = nil //nolint:reassign // there is no other switch
	klog.SetLogger(klog.Logger{})
}

// Outcome is what a pass did.
type Outcome struct {
	Writes []world.Write
	// Status is the status that the pass returned; nil if none.
	Status *appsv1.StatefulSetStatus
	// Requeue is when the controller would look again without an event; 0: never.
	Requeue time.Duration
	// Conflicting are the claims that a ConflictingController event names.
	Conflicting []string
	// Err is what the pass returned. The controller then tries again after a backoff.
	Err error
}

var kind = appsv1.SchemeGroupVersion.WithKind("StatefulSet")

// Pass is StatefulSetController.sync for the world's set. That method is not exported, so its few lines are repeated here:
// adopt revisions, claim pods, update the set, look again when a pod becomes available.
func Pass(w *world.World) Outcome {
	world.SetGate(w.Gate)
	api := newAPI(w)
	store := consistencyutil.NewNoopConsistencyStore()
	control := statefulset.NewDefaultStatefulSetControl(
		statefulset.NewStatefulPodControl(api, podLister{api: api}, claimLister{api: api}, api.recorder(), store),
		statefulset.NewRealStatefulSetStatusUpdater(api, setLister{api: api}, store),
		history.NewHistory(api, revisionLister{api: api}, nil))
	var out Outcome
	out.Status, out.Requeue, out.Err = pass(w, api, control)
	out.Writes, out.Conflicting = api.writes, api.conflicting
	return out
}

func pass(w *world.World, api *api, control statefulset.StatefulSetControlInterface) (*appsv1.StatefulSetStatus, time.Duration, error) {
	ctx := context.Background()
	set := w.Set
	selector, err := metav1.LabelSelectorAsSelector(set.Spec.Selector)
	if err != nil {
		return nil, 0, err
	}
	if err := adoptOrphanRevisions(ctx, api, set, control); err != nil {
		return nil, 0, err
	}
	pods, err := claimPods(ctx, api, set, selector, w.Pods)
	if err != nil {
		return nil, 0, err
	}
	status, err := control.UpdateStatefulSet(ctx, set, pods, w.Now)
	if err != nil {
		return nil, 0, err
	}
	return status, requeue(set, pods, status, w.Now), nil
}

// adoptOrphanRevisions is the controller's method of that name.
func adoptOrphanRevisions(ctx context.Context, api *api, set *appsv1.StatefulSet, control statefulset.StatefulSetControlInterface) error {
	revisions, err := control.ListRevisions(set)
	if err != nil {
		return err
	}
	var orphans []*appsv1.ControllerRevision
	for _, revision := range revisions {
		if metav1.GetControllerOf(revision) == nil {
			orphans = append(orphans, revision)
		}
	}
	if len(orphans) == 0 {
		return nil
	}
	if err := canAdopt(api, set)(ctx); err != nil {
		return fmt.Errorf("can't adopt ControllerRevisions: %w", err)
	}
	return control.AdoptOrphanRevisions(set, orphans)
}

// claimPods is getPodsForStatefulSet.
func claimPods(ctx context.Context, api *api, set *appsv1.StatefulSet, selector labels.Selector, all []*corev1.Pod) ([]*corev1.Pod, error) {
	var pods []*corev1.Pod
	for _, pod := range all { // controller.FilterPodsByOwner
		owner := metav1.GetControllerOf(pod)
		if owner == nil || owner.Kind == kind.Kind && owner.Name == set.Name && owner.UID == set.UID {
			pods = append(pods, pod)
		}
	}
	member := func(pod *corev1.Pod) bool { return parentName(pod.Name) == set.Name }
	podControl := controller.RealPodControl{KubeClient: api, Recorder: api.recorder()}
	manager := controller.NewPodControllerRefManager(podControl, set, selector, kind, canAdopt(api, set))
	return manager.ClaimPods(ctx, pods, member)
}

func canAdopt(api *api, set *appsv1.StatefulSet) func(context.Context) error {
	return controller.RecheckDeletionTimestamp(func(ctx context.Context) (metav1.Object, error) {
		fresh, err := api.AppsV1().StatefulSets(set.Namespace).Get(ctx, set.Name, metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		if fresh.UID != set.UID {
			return nil, errors.New("the set is another one by now")
		}
		return fresh, nil
	})
}

// requeue is the end of syncStatefulSet.
func requeue(set *appsv1.StatefulSet, pods []*corev1.Pod, status *appsv1.StatefulSetStatus, now time.Time) time.Duration {
	if set.Spec.MinReadySeconds <= 0 || status == nil || status.ReadyReplicas == status.AvailableReplicas {
		return 0
	}
	clock := clocktesting.NewFakePassiveClock(now)
	if next := controller.FindMinNextPodAvailabilityCheck(pods, set.Spec.MinReadySeconds, now, clock); next != nil {
		return *next
	}
	return time.Duration(set.Spec.MinReadySeconds) * time.Second
}
