package scale

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/kubernetes"

	"github.com/setplan/setplan/test/cmd/internal/crowd"
)

// pattern is one set with a pod, made as users and controllers make them, through the API server, and so with all defaults and
// managed fields.
type pattern struct {
	maker    *crowd.Maker
	nodes    int
	set      *appsv1.StatefulSet
	revision *appsv1.ControllerRevision
	pod      *corev1.Pod
}

// makePattern makes the first of the sets.
func makePattern(ctx context.Context, client kubernetes.Interface, m *member, nodes int) (*pattern, error) {
	p := &pattern{maker: crowd.NewMaker(), nodes: nodes}
	apps, core := client.AppsV1(), client.CoreV1()
	set, err := apps.StatefulSets(m.namespace).Create(ctx, m.set(), metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	belongings, err := p.maker.Make(ctx, set)
	if err != nil {
		return nil, err
	}
	if p.revision, err = apps.ControllerRevisions(m.namespace).Create(ctx, belongings.Revision, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	for _, pod := range belongings.Pods {
		pod.Spec.NodeName = p.node(0)
		if p.pod, err = core.Pods(m.namespace).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return nil, err
		}
		p.pod.Status = ready(p.pod.Status)
		p.pod.ResourceVersion = "" // kwok may already have written it
		if p.pod, err = core.Pods(m.namespace).UpdateStatus(ctx, p.pod, metav1.UpdateOptions{}); err != nil {
			return nil, err
		}
	}
	set.Status = crowd.Status(set, p.revision.Name)
	p.set, err = apps.StatefulSets(m.namespace).UpdateStatus(ctx, set, metav1.UpdateOptions{})
	return p, err
}

// ready keeps the other fields of a status.
func ready(status corev1.PodStatus) corev1.PodStatus {
	out := crowd.Ready(time.Now().Add(-time.Hour))
	out.QOSClass = status.QOSClass
	return out
}

func (p *pattern) node(i int) string { return fmt.Sprintf("node-%d", i%p.nodes) }

// like returns another set with everything that belongs to it, in the order of its creation.
func (p *pattern) like(ctx context.Context, i int, m *member) ([]stored, error) {
	wanted := m.set()
	set := p.set.DeepCopy()
	p.identify(&set.ObjectMeta, wanted.ObjectMeta)
	set.Spec.Replicas, set.Spec.ServiceName, set.Spec.Selector = wanted.Spec.Replicas, wanted.Spec.ServiceName, wanted.Spec.Selector
	set.Spec.Template.Labels = wanted.Spec.Template.Labels
	set.Status = appsv1.StatefulSetStatus{}
	belongings, err := p.maker.Make(ctx, set)
	if err != nil {
		return nil, err
	}
	revision := belongings.Revision
	p.identify(&revision.ObjectMeta, revision.ObjectMeta)
	revision.ManagedFields = p.revision.ManagedFields
	set.Status = crowd.Status(set, revision.Name)
	all := []stored{
		{"/registry/statefulsets/" + m.namespace + "/" + m.name, set},
		{"/registry/controllerrevisions/" + m.namespace + "/" + revision.Name, revision},
	}
	for _, made := range belongings.Pods {
		pod := p.pod.DeepCopy()
		p.identify(&pod.ObjectMeta, made.ObjectMeta)
		pod.OwnerReferences = made.OwnerReferences
		pod.Spec.Hostname, pod.Spec.Subdomain, pod.Spec.NodeName = made.Spec.Hostname, made.Spec.Subdomain, p.node(i)
		all = append(all, stored{"/registry/pods/" + m.namespace + "/" + pod.Name, pod})
	}
	return all, nil
}

// identify gives an object its own identity, as the API server does.
func (p *pattern) identify(meta *metav1.ObjectMeta, as metav1.ObjectMeta) {
	meta.Namespace, meta.Name, meta.Labels, meta.Annotations = as.Namespace, as.Name, as.Labels, as.Annotations
	meta.UID, meta.ResourceVersion = uuid.NewUUID(), ""
	meta.CreationTimestamp = p.set.CreationTimestamp
}
