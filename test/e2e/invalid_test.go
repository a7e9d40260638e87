//go:build e2e

package e2e

import (
	"context"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// These specs are valid for the API server, but no pod can be made from them. Each is reported on its set, retried with a
// back-off, and delays no other set.

// patience is how long failures are watched. mostTries is how many tries a doubling back-off from 50 ms makes in it, and a few
// more for changes of the set's status and of its pods.
const (
	patience  = 3 * time.Second
	mostTries = 12
)

// othersGoOn checks that a healthy set in the namespace comes up and is updated meanwhile.
func (s *scene) othersGoOn() {
	s.Helper()
	s.create(webSet("other", 2, withoutClaims))
	s.settled("other")
	s.image("other", "registry.example/nginx:2")
	s.settled("other")
}

// triedSeldom checks that a failing create is repeated, but not often.
func (s *scene) triedSeldom(what, name string) {
	s.Helper()
	count := func() (n int) {
		for _, w := range s.written() {
			if w.what() == what && w.ObjectRef.Name == name || w.what() == what && w.ObjectRef.Name == "" && w.Response.Code >= 400 {
				n++
			}
		}
		return n
	}
	before := count()
	time.Sleep(patience)
	if n := count() - before; n > mostTries {
		s.Errorf("%s %s was tried %d times within %v, want no more than %d", what, name, n, patience, mostTries)
	}
	if count() < 2 {
		s.Errorf("%s %s was tried %d times, want it tried again", what, name, count())
	}
}

// quota limits the number of pods in the namespace.
func (s *scene) quota(pods int64) {
	s.Helper()
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "pods"}, Spec: corev1.ResourceQuotaSpec{
		Hard: corev1.ResourceList{corev1.ResourcePods: *resource.NewQuantity(pods, resource.DecimalSI)}}}
	client := s.client.CoreV1().ResourceQuotas(s.namespace)
	_, err := client.Update(context.Background(), quota, metav1.UpdateOptions{})
	if err != nil {
		_, err = client.Create(context.Background(), quota, metav1.CreateOptions{})
	}
	if err != nil {
		s.Fatal(err)
	}
	eventually(s, 60*time.Second, "the quota is in force", func() error { return s.quotaInForce(pods) })
}

// TestAdmissionRejectsPods: an admission policy of the namespace forbids the template's pods.
func TestAdmissionRejectsPods(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.podSecurity("restricted")
	set := s.create(webSet("web", 2))
	s.warned(set.UID, "FailedCreate", "violates PodSecurity")
	s.blocked("web", "ACTION_FAILED_BEFORE", "Pod/web-0")
	s.triedSeldom("create pods", "web-0")
	s.wantPods()
	s.times("PersistentVolumeClaim", "+www-web-0", 1)
	s.times("PersistentVolumeClaim", "+www-web-1", 0)
	s.podSecurity("privileged")
	s.settled("web")
	then(born("web-0"), born("web-1"))
	s.othersGoOn()
}

// TestInvalidClaimTemplate: apps/v1 does not validate the labels of claim templates. The pod is not tried without its claim.
func TestInvalidClaimTemplate(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	set := s.create(webSet("web", 2, func(set *appsv1.StatefulSet) {
		set.Spec.VolumeClaimTemplates[0].Labels = map[string]string{"tier": "no label!"}
	}))
	s.warned(set.UID, "FailedCreate", "failed to create PVC www-web-0")
	s.blocked("web", "ACTION_FAILED_BEFORE", "PersistentVolumeClaim/www-web-0")
	s.triedSeldom("create persistentvolumeclaims", "www-web-0")
	if tried := s.tries("create pods"); tried != 0 {
		t.Errorf("%d tries to create a pod without its claim", tried)
	}
	s.othersGoOn()
}
