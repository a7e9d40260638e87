package main

import (
	"context"
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/history"
	"k8s.io/kubernetes/pkg/controller/statefulset"
)

var kind = appsv1.SchemeGroupVersion.WithKind("StatefulSet")

func init() { klog.SetLogger(klog.Logger{}) }

// patch is the revision data that upstream stores for a set (getPatch, which is not exported).
func patch(set *appsv1.StatefulSet) (runtime.RawExtension, error) {
	data, err := runtime.Encode(scheme.Codecs.LegacyCodec(appsv1.SchemeGroupVersion), set)
	if err != nil {
		return runtime.RawExtension{}, err
	}
	var raw map[string]any
	if err := json.Unmarshal(data, &raw); err != nil {
		return runtime.RawExtension{}, err
	}
	template := raw["spec"].(map[string]any)["template"].(map[string]any)
	template["$patch"] = "replace"
	data, err = json.Marshal(map[string]any{"spec": map[string]any{"template": template}})
	return runtime.RawExtension{Raw: data}, err
}

// control is upstream's control over our caches and an API that accepts everything.
func (w *work) control() statefulset.StatefulSetControlInterface {
	return statefulset.NewDefaultStatefulSetControl(
		statefulset.NewStatefulPodControlFromManager(manager{w}, &record.FakeRecorder{}), statusUpdater{}, revisions{w: w})
}

// manager accepts every write and does nothing.
type manager struct{ w *work }

func (manager) CreatePod(context.Context, *corev1.Pod, *appsv1.StatefulSet) error { return nil }
func (manager) GetPod(_, name string) (*corev1.Pod, error) {
	return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "pods"}, name)
}
func (manager) UpdatePod(*corev1.Pod, *appsv1.StatefulSet) error                     { return nil }
func (manager) DeletePod(*corev1.Pod) error                                          { return nil }
func (manager) CreateClaim(*corev1.PersistentVolumeClaim, *appsv1.StatefulSet) error { return nil }
func (manager) UpdateClaim(*corev1.PersistentVolumeClaim, *appsv1.StatefulSet) error { return nil }
func (m manager) GetClaim(_, name string) (*corev1.PersistentVolumeClaim, error) {
	if claim := m.w.claims[name]; claim != nil {
		return claim, nil
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "persistentvolumeclaims"}, name)
}

type statusUpdater struct{}

func (statusUpdater) UpdateStatefulSetStatus(context.Context, *appsv1.StatefulSet, *appsv1.StatefulSetStatus) error {
	return nil
}

// revisions is a history that lists existing revisions and accepts writes.
type revisions struct {
	history.Interface
	w *work
}

func (r revisions) ListControllerRevisions(metav1.Object, schema.GroupVersionKind, labels.Selector) ([]*appsv1.ControllerRevision, error) {
	return []*appsv1.ControllerRevision{r.w.revision}, nil
}

func (r revisions) CreateControllerRevision(_ metav1.Object, revision *appsv1.ControllerRevision, _ *int32) (*appsv1.ControllerRevision, error) {
	return revision, nil
}
