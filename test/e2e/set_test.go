//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// scene is one test's namespace, with its history.
type scene struct {
	testing.TB
	*cluster
	namespace string
	*history
	plans *process // asked for its plans; nil is the shared adapter

	plannerService string // address of the servers that the chart has installed
}

// newScene makes a namespace for the test and deletes it at the end; a failed test prints its history.
func newScene(t testing.TB, c *cluster) *scene {
	t.Helper()
	name := strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()))
	namespace := must(c.client.CoreV1().Namespaces().Create(context.Background(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: name[:min(len(name), 50)] + "-"}}, metav1.CreateOptions{}))(t)
	s := &scene{TB: t, cluster: c, namespace: namespace.Name}
	s.history = recordHistory(t, c, s.namespace)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("history of %s:\n%s", s.namespace, s.dump())
		}
		secrets.inScene(s)
		_ = c.client.CoreV1().Namespaces().Delete(context.Background(), s.namespace, metav1.DeleteOptions{})
	})
	return s
}

// webSet is the Kubernetes manual's example: a set of nginx pods with one claim each, changed by the options.
func webSet(name string, replicas int32, options ...func(*appsv1.StatefulSet)) *appsv1.StatefulSet {
	labels := map[string]string{"app": name}
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &replicas, ServiceName: "nginx",
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					// Not 0: such a pod is deleted in two writes of one request, and nothing here finishes what a killed client
					// began.
					TerminationGracePeriodSeconds: new(int64(1)),
					Containers: []corev1.Container{{Name: "nginx", Image: "registry.example/nginx:1",
						VolumeMounts: []corev1.VolumeMount{{Name: "www", MountPath: "/usr/share/nginx/html"}}}},
				},
			},
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{
				ObjectMeta: metav1.ObjectMeta{Name: "www"},
				Spec: corev1.PersistentVolumeClaimSpec{
					AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
					Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{
						corev1.ResourceStorage: resource.MustParse("1Gi")}},
				},
			}},
		},
	}
	withSecrets(&set.Spec.Template, &set.Spec.VolumeClaimTemplates[0])
	for _, option := range options {
		option(set)
	}
	return set
}

func parallel(set *appsv1.StatefulSet) { set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement }
func withoutClaims(set *appsv1.StatefulSet) {
	set.Spec.VolumeClaimTemplates = nil
	set.Spec.Template.Spec.Containers[0].VolumeMounts = nil
}
func minReady(seconds int32) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Spec.MinReadySeconds = seconds }
}

func (s *scene) create(set *appsv1.StatefulSet) *appsv1.StatefulSet {
	s.Helper()
	created := must(s.sets().Create(context.Background(), byFields(s.underKind(set, underTest, "StatefulSet")), metav1.CreateOptions{}))(s)
	return s.typed(created)
}

func (s *scene) get(name string) *appsv1.StatefulSet {
	s.Helper()
	set := must(s.sets().Get(context.Background(), name, metav1.GetOptions{}))(s)
	return s.typed(set)
}

// patch applies a strategic merge patch to a set.
func (s *scene) patch(name, patch string) {
	s.Helper()
	noError(s, patched(s.sets(), name, []byte(patch)))
}

func (s *scene) scale(name string, replicas int) {
	s.Helper()
	s.patch(name, fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas))
}

func (s *scene) image(name, image string) {
	s.Helper()
	s.patch(name, fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"nginx","image":%q}]}}}}`, image))
}

// podStatus patches the status of a pod, as a kubelet would.
func (s *scene) podStatus(name, patch string) {
	s.Helper()
	must(s.client.CoreV1().Pods(s.namespace).Patch(context.Background(), name, types.StrategicMergePatchType,
		[]byte(patch), metav1.PatchOptions{}, "status"))(s)
}

// setReady makes a running pod ready or not.
func (s *scene) setReady(name string, ready bool) {
	s.Helper()
	status := map[bool]string{true: "True", false: "False"}[ready]
	s.podStatus(name, fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":%q,"lastTransitionTime":%q}]}}`,
		status, time.Now().UTC().Format(time.RFC3339)))
}

func (s *scene) pod(name string) *corev1.Pod {
	s.Helper()
	pod := must(s.client.CoreV1().Pods(s.namespace).Get(context.Background(), name, metav1.GetOptions{}))(s)
	return pod
}

// podNames lists the pods, sorted as the API does.
func (s *scene) podNames() string {
	s.Helper()
	list := must(s.client.CoreV1().Pods(s.namespace).List(context.Background(), metav1.ListOptions{}))(s)
	names := make([]string, 0, len(list.Items))
	for _, p := range list.Items {
		names = append(names, p.Name)
	}
	return strings.Join(names, " ")
}

// settled waits until a set's controller has observed the newest spec, all pods are available and updated, and there are no
// others.
func (s *scene) settled(name string) *appsv1.StatefulSet {
	s.Helper()
	eventually(s, 90*time.Second, name+" settles", func() error { return s.isSettled(name) })
	s.caughtUp(s)
	return s.get(name)
}

// isSettled returns nil once a set is settled.
func (s *scene) isSettled(name string) error {
	s.Helper()
	set := s.get(name)
	st, want := set.Status, *set.Spec.Replicas
	if st.ObservedGeneration != set.Generation || st.Replicas != want || st.ReadyReplicas != want ||
		st.AvailableReplicas != want || st.UpdatedReplicas != want {
		return fmt.Errorf("status is %+v", st)
	}
	if set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType && st.CurrentRevision != st.UpdateRevision {
		return fmt.Errorf("the update is not complete: %+v", st)
	}
	return nil
}

// stays checks that something holds for a while: that nothing happens.
func (s *scene) stays(d time.Duration, what string, check func() error) {
	s.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if err := check(); err != nil {
			s.Fatalf("%s does not stay: %v", what, err)
		}
	}
}
