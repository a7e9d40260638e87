package convert

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// reader fills in a case. A kind that the API server does not have has no objects; what it forbids to read is listed in Unread.
type reader struct {
	client dynamic.Interface
	of     *Case
	err    error
}

// Read reads what is around the set of a case. It fails if an API server does not answer, or an object cannot be decoded.
func Read(ctx context.Context, client dynamic.Interface, c *Case) error {
	if err := c.decode(); err != nil {
		return fmt.Errorf("%s does not have the spec of a StatefulSet: %w", c.name(), err)
	}
	r := &reader{client: client, of: c}
	into(ctx, r, "", "v1", "pods", &c.Pods)
	into(ctx, r, "", "v1", "persistentvolumeclaims", &c.Claims)
	into(ctx, r, "apps", "v1", "controllerrevisions", &c.Revisions)
	for _, kind := range []schema.GroupVersionResource{
		{Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers"},
		{Group: "keda.sh", Version: "v1alpha1", Resource: "scaledobjects"},
		{Group: "autoscaling.k8s.io", Version: "v1", Resource: "verticalpodautoscalers"},
	} {
		c.Scalers = append(c.Scalers, r.list(ctx, kind)...)
	}
	c.Budgets = r.list(ctx, schema.GroupVersionResource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"})
	for _, kind := range []schema.GroupVersionResource{
		{Group: "apps", Version: "v1", Resource: "replicasets"}, {Group: "apps", Version: "v1", Resource: "daemonsets"},
		{Version: "v1", Resource: "replicationcontrollers"}, {Group: "batch", Version: "v1", Resource: "jobs"},
	} {
		c.Adopters = append(c.Adopters, r.list(ctx, kind)...)
	}
	r.target(ctx)
	r.defaults(ctx)
	return r.err
}

// list lists a kind in the set's namespace.
func (r *reader) list(ctx context.Context, kind schema.GroupVersionResource) []unstructured.Unstructured {
	list, err := r.client.Resource(kind).Namespace(r.of.Set.GetNamespace()).List(ctx, metav1.ListOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil // no such kind
	case apierrors.IsForbidden(err):
		r.of.Unread = append(r.of.Unread, err.Error())
		return nil
	case err != nil:
		r.err = err
		return nil
	}
	return list.Items
}

// into lists a kind that has a Go type.
func into[T any](ctx context.Context, r *reader, group, version, resource string, to *[]T) {
	for _, item := range r.list(ctx, schema.GroupVersionResource{Group: group, Version: version, Resource: resource}) {
		var object T
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(item.Object, &object); err != nil {
			r.err = fmt.Errorf("%s %s: %w", resource, item.GetName(), err)
			return
		}
		*to = append(*to, object)
	}
}

// target finds out whether the API server has the other kind, and whether the set exists there already.
func (r *reader) target(ctx context.Context) {
	c := r.of
	objects := r.client.Resource(c.To.GVR()).Namespace(c.Set.GetNamespace())
	switch _, err := objects.List(ctx, metav1.ListOptions{Limit: 1}); {
	case apierrors.IsNotFound(err):
		return
	case apierrors.IsForbidden(err):
		c.Unread = append(c.Unread, err.Error())
	case err != nil:
		r.err = err
		return
	}
	c.Served = true
	there, err := objects.Get(ctx, c.name(), metav1.GetOptions{})
	switch {
	case err == nil:
		c.There = there
	case apierrors.IsNotFound(err):
		r.trial(ctx)
	case !apierrors.IsForbidden(err):
		r.err = err
	}
}

// trial has the API server check the new set in a dry run, as strictly as kubectl create does.
func (r *reader) trial(ctx context.Context) {
	c := r.of
	_, err := r.client.Resource(c.To.GVR()).Namespace(c.Set.GetNamespace()).Create(ctx, &unstructured.Unstructured{Object: c.manifest()},
		metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict})
	switch {
	case apierrors.IsForbidden(err):
		c.Unread = append(c.Unread, err.Error())
	case apierrors.IsInvalid(err), apierrors.IsBadRequest(err):
		c.Rejected = err.Error()
	case err != nil:
		r.err = err
	}
}

// defaults gets the template with its defaults. Sets of apps/v1 have them; for other kinds it is a dry run under apps/v1.
func (r *reader) defaults(ctx context.Context) {
	c := r.of
	set := c.Set
	if c.From.Group != BuiltIn.Group {
		spec, _ := c.newSpec()
		asked := &unstructured.Unstructured{Object: map[string]any{"apiVersion": BuiltIn.APIVersion(), "kind": BuiltIn.Kind, "spec": spec}}
		asked.SetGenerateName("setplan-convert-")
		asked.SetNamespace(set.GetNamespace())
		var err error
		set, err = r.client.Resource(BuiltIn.GVR()).Namespace(set.GetNamespace()).Create(ctx, asked, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		switch {
		case apierrors.IsForbidden(err):
			c.Unread = append(c.Unread, err.Error())
			return
		case apierrors.IsInvalid(err), apierrors.IsBadRequest(err):
			c.Refused = err.Error()
			return
		case err != nil:
			r.err = err
			return
		}
	}
	c.Template, _, _ = unstructured.NestedMap(set.Object, "spec", "template")
}
