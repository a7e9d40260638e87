package verdicts

import (
	"context"
	"errors"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/statusreaders"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// kstatus is the library by which Flux and Helm 4 judge every object, in the form in which they use it: of a set that is
// in progress it looks at the pods too. Both end a deployment at once where it says Failed.
func kstatus(s seen) (string, error) {
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{corev1.SchemeGroupVersion, appsv1.SchemeGroupVersion})
	mapper.Add(appsv1.SchemeGroupVersion.WithKind("StatefulSet"), meta.RESTScopeNamespace)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
	result, err := statusreaders.NewStatusReader(mapper).ReadStatusForObject(context.Background(), podLister(s.pods), s.set)
	if err != nil {
		return "", err
	}
	return string(result.Status), nil // the status of a set whose selector cannot be read is Unknown, with an error
}

// podLister is the cluster as kstatus reads it.
type podLister []unstructured.Unstructured

var errNotAsked = errors.New("only the pods of one namespace can be listed")

func (p podLister) ListNamespaceScoped(_ context.Context, list *unstructured.UnstructuredList, namespace string, selector labels.Selector) error {
	if list.GetKind() != "PodList" && list.GetKind() != "Pod" {
		return errNotAsked
	}
	for _, pod := range p {
		if pod.GetNamespace() == namespace && selector.Matches(labels.Set(pod.GetLabels())) {
			list.Items = append(list.Items, pod)
		}
	}
	return nil
}

func (podLister) ListClusterScoped(context.Context, *unstructured.UnstructuredList, labels.Selector) error {
	return errNotAsked
}
func (podLister) Get(context.Context, client.ObjectKey, *unstructured.Unstructured) error {
	return errNotAsked
}
func (podLister) Sync(context.Context) error { return nil }
