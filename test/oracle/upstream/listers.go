package upstream

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/kubernetes/pkg/controller/history"
)

// The listers are the caches of one pass: the world, whatever the pass has written since. As in the API, embedded interfaces
// are nil, so that an unexpected use panics.

type podLister struct {
	corelisters.PodLister
	corelisters.PodNamespaceLister
	api *api
}

func (l podLister) Pods(string) corelisters.PodNamespaceLister { return l }
func (l podLister) List(labels.Selector) ([]*corev1.Pod, error) {
	panic("upstream lists pods in a new way")
}
func (l podLister) Get(name string) (*corev1.Pod, error) {
	return notFound(l.api.w.Pod(name), "pods", name)
}

type claimLister struct {
	corelisters.PersistentVolumeClaimLister
	corelisters.PersistentVolumeClaimNamespaceLister
	api *api
}

func (l claimLister) PersistentVolumeClaims(string) corelisters.PersistentVolumeClaimNamespaceLister {
	return l
}
func (l claimLister) List(labels.Selector) ([]*corev1.PersistentVolumeClaim, error) {
	panic("upstream lists claims in a new way")
}
func (l claimLister) Get(name string) (*corev1.PersistentVolumeClaim, error) {
	return notFound(l.api.w.Claim(name), "persistentvolumeclaims", name)
}

type setLister struct {
	appslisters.StatefulSetLister
	appslisters.StatefulSetNamespaceLister
	api *api
}

func (l setLister) StatefulSets(string) appslisters.StatefulSetNamespaceLister { return l }
func (l setLister) List(labels.Selector) ([]*appsv1.StatefulSet, error) {
	panic("upstream lists sets in a new way")
}
func (l setLister) Get(string) (*appsv1.StatefulSet, error) { return l.api.w.Set, nil }

type revisionLister struct {
	appslisters.ControllerRevisionLister
	appslisters.ControllerRevisionNamespaceLister
	api *api
}

func (l revisionLister) ControllerRevisions(string) appslisters.ControllerRevisionNamespaceLister {
	return l
}
func (l revisionLister) List(selector labels.Selector) ([]*appsv1.ControllerRevision, error) {
	var out []*appsv1.ControllerRevision
	for _, revision := range l.api.w.Revisions {
		if selector.Matches(labels.Set(revision.Labels)) {
			out = append(out, revision)
		}
	}
	if l.api.w.Fault != nil {
		// Upstream adopts in the order of its cache, which is random, and ends at the first refusal. Here it uses our order.
		history.SortControllerRevisions(out)
	}
	return out, nil
}
func (l revisionLister) Get(name string) (*appsv1.ControllerRevision, error) {
	return notFound(l.api.w.Revision(name), "controllerrevisions", name)
}
