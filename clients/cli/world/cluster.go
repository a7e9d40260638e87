package world

import (
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/pager"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
)

// Cluster reads from an API server, and stores nothing there.
type Cluster struct {
	clients *kube.Clients
	kind    kube.SetKind
}

// NewCluster is for the sets of a kind. It does not connect.
func NewCluster(clients *kube.Clients, kind kube.SetKind) *Cluster {
	return &Cluster{clients: clients, kind: kind}
}

// Read lists the objects of a namespace that snapshots are made from; an empty namespace means all. The sets come last: whatever a
// set's status counts existed before.
func (c *Cluster) Read(ctx context.Context, namespace string) (*World, error) {
	w := empty(c.kind)
	w.api = c.clients.API
	options := metav1.ListOptions{}
	pods, err := c.clients.Core.Pods(namespace).List(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("list pods: %w", err)
	}
	claims, err := c.clients.Core.PersistentVolumeClaims(namespace).List(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("list claims: %w", err)
	}
	revisions, err := c.clients.Apps.ControllerRevisions(namespace).List(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("list revisions: %w", err)
	}
	classes, err := c.clients.Storage.StorageClasses().List(ctx, options)
	switch {
	case err == nil:
		w.StorageClasses = listed(classes.Items, classes.ResourceVersion)
	case !apierrors.IsForbidden(err) && !apierrors.IsNotFound(err): // where classes must not be read, or are not served, a forecast knows less
		return nil, fmt.Errorf("list storage classes: %w", err)
	}
	sets, err := c.sets(ctx, namespace)
	if err != nil {
		return nil, err
	}
	w.Pods = listed(pods.Items, pods.ResourceVersion)
	w.Claims = listed(claims.Items, claims.ResourceVersion)
	w.Revisions = listed(revisions.Items, revisions.ResourceVersion)
	w.Sets = listed(sets.Items, sets.GetResourceVersion())
	return w, nil
}

func (c *Cluster) sets(ctx context.Context, namespace string) (*unstructured.UnstructuredList, error) {
	list, err := c.clients.Dynamic.Resource(c.kind.GVR()).Namespace(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", c.kind.Name(), err)
	}
	return list, nil
}

// DryRun returns a set as the API server would store it, with defaults and after admission. Nothing is stored.
func (c *Cluster) DryRun(ctx context.Context, set *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	return c.clients.Dynamic.Resource(c.kind.GVR()).Namespace(set.GetNamespace()).Update(ctx, set,
		metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict})
}

// Keys lists only the sets of a namespace.
func (c *Cluster) Keys(ctx context.Context, namespace string) ([]adapters.Key, error) {
	w, err := c.ReadSets(ctx, namespace)
	if err != nil {
		return nil, err
	}
	return w.Keys(namespace), nil
}

// ReadSets lists the sets of a namespace and nothing that belongs to them.
func (c *Cluster) ReadSets(ctx context.Context, namespace string) (*World, error) {
	sets, err := c.sets(ctx, namespace)
	if err != nil {
		return nil, err
	}
	w := empty(c.kind)
	w.Sets = listed(sets.Items, sets.GetResourceVersion())
	return w, nil
}

// page is how many sets one answer has where only their namespaces are wanted.
const page = 500

// Namespaces lists the namespaces that have sets whose labels match, in order, and how many sets they have. It holds a page of sets at a time.
func (c *Cluster) Namespaces(ctx context.Context, selector string) (namespaces []string, sets int, err error) {
	list := func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return c.clients.Dynamic.Resource(c.kind.GVR()).List(ctx, options)
	}
	pages := pager.New(list)
	pages.PageSize, pages.FullListIfExpired = page, false
	has := map[string]bool{}
	err = pages.EachListItem(ctx, metav1.ListOptions{LabelSelector: selector}, func(object runtime.Object) error {
		has[object.(*unstructured.Unstructured).GetNamespace()] = true
		sets++
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list %s: %w", c.kind.Name(), err)
	}
	return slices.Sorted(maps.Keys(has)), sets, nil
}

// Witness reads what explains the state of a set's pods and claims: warnings, what went well, the pods' nodes, the claims' storage classes, and
// the adapters' leases. What must not be read becomes a note, because the rest helps without it.
func (c *Cluster) Witness(ctx context.Context, w *World, set adapters.Key) {
	c.warnings(ctx, w, set.Namespace)
	c.successes(ctx, w, set)
	c.leases(ctx, w, set.Namespace)
	for _, pod := range w.Pods.Items {
		if owner := metav1.GetControllerOfNoCopy(pod); owner != nil && owner.Name == set.Name && pod.Namespace == set.Namespace {
			c.node(ctx, w, pod.Spec.NodeName)
		}
	}
	for _, claim := range w.Claims.Items {
		if class := claim.Spec.StorageClassName; claim.Status.Phase != corev1.ClaimBound && class != nil && claim.Namespace == set.Namespace {
			c.class(ctx, w, *class)
		}
	}
}

// warnings reads the warnings once for all sets of a namespace, and which volumes have been attached since.
func (c *Cluster) warnings(ctx context.Context, w *World, namespace string) {
	if w.warned[namespace] {
		return
	}
	w.warned[namespace] = true
	for _, which := range []string{"type=" + corev1.EventTypeWarning, "type=" + corev1.EventTypeNormal + ",reason=SuccessfulAttachVolume"} {
		events, err := c.clients.Core.Events(namespace).List(ctx, metav1.ListOptions{FieldSelector: which})
		if err != nil {
			w.note("events could not be read: %v", err)
			return
		}
		w.Events = append(w.Events, events.Items...)
	}
}

// successes reads what the set's events say went well: a refusal before that is over.
func (c *Cluster) successes(ctx context.Context, w *World, set adapters.Key) {
	events, err := c.clients.Core.Events(set.Namespace).List(ctx, metav1.ListOptions{
		FieldSelector: "type=" + corev1.EventTypeNormal + ",involvedObject.kind=" + c.kind.Kind + ",involvedObject.name=" + set.Name})
	if err == nil { // if not, a note says already that events cannot be read
		w.Events = append(w.Events, events.Items...)
	}
}

func (c *Cluster) node(ctx context.Context, w *World, name string) {
	if _, known := w.Nodes[name]; known || name == "" {
		return
	}
	node, err := c.clients.Core.Nodes().Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		w.Nodes[name] = nil
	case err != nil:
		w.note("node %s could not be read: %v", name, err)
	default:
		w.Nodes[name] = node
	}
}

var storageClasses = schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"}

func (c *Cluster) class(ctx context.Context, w *World, name string) {
	if _, known := w.Classes[name]; known || name == "" {
		return
	}
	_, err := c.clients.Dynamic.Resource(storageClasses).Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		w.Classes[name] = false
	case err != nil:
		w.note("storage class %s could not be read: %v", name, err)
	default:
		w.Classes[name] = true
	}
}

// listed takes a complete list without copying its objects.
func listed[T any, P interface {
	*T
	metav1.Object
}](items []T, version string) kube.Listed[P] {
	list := kube.Listed[P]{Items: make([]P, len(items)), Complete: true, Version: version}
	for i := range items {
		list.Items[i] = &items[i]
	}
	return list
}
