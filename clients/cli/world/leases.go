package world

import (
	"context"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/setplan/setplan/adapters/kube"
)

// leases reads the leases under which adapters may work on the sets of a namespace. Few people may read leases in kube-system, and
// nobody needs to: without permission nothing is said about them.
func (c *Cluster) leases(ctx context.Context, w *World, namespace string) {
	for _, name := range c.kind.LeasesOver(namespace) {
		if _, known := w.Leases[name]; known {
			continue
		}
		object, err := c.clients.Dynamic.Resource(coordinationv1.SchemeGroupVersion.WithResource("leases")).Namespace(kube.LeaseNamespace).
			Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			w.Leases[name] = nil
			continue
		}
		lease := &coordinationv1.Lease{}
		if err == nil && runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, lease) == nil {
			w.Leases[name] = lease
		}
	}
}
