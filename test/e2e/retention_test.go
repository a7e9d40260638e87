//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	retain = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
	remove = appsv1.DeletePersistentVolumeClaimRetentionPolicyType
)

func retention(whenDeleted, whenScaled appsv1.PersistentVolumeClaimRetentionPolicyType) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) {
		set.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
			WhenDeleted: whenDeleted, WhenScaled: whenScaled}
	}
}

func TestRetention(t *testing.T) {
	t.Parallel()
	for _, whenDeleted := range []appsv1.PersistentVolumeClaimRetentionPolicyType{retain, remove} {
		for _, whenScaled := range []appsv1.PersistentVolumeClaimRetentionPolicyType{retain, remove} {
			t.Run(fmt.Sprintf("deleted %s scaled %s", whenDeleted, whenScaled), func(t *testing.T) {
				t.Parallel()
				testRetention(t, whenDeleted, whenScaled)
			})
		}
	}
}

// testRetention scales a set down and up again and deletes it. The real controller manager's garbage collector deletes the
// claims, or leaves them.
func testRetention(t *testing.T, whenDeleted, whenScaled appsv1.PersistentVolumeClaimRetentionPolicyType) {
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, parallel, retention(whenDeleted, whenScaled)))
	s.settled("web")
	inRange := map[appsv1.PersistentVolumeClaimRetentionPolicyType]string{retain: "", remove: "StatefulSet/web*"}[whenDeleted]
	s.ownersBecome("www-web-0", inRange)
	s.ownersBecome("www-web-1", inRange)
	first := s.claim("www-web-0").UID

	s.scale("web", 1)
	s.settled("web")
	created := 1
	if whenScaled == remove {
		created = 2
		s.claimsBecome("www-web-0")
		s.ownedBefore("www-web-1", "Pod/web-1*", "web-1")
	} else {
		s.claimsStay(1500*time.Millisecond, "www-web-0 www-web-1")
		s.ownersBecome("www-web-1", inRange)
	}
	s.scale("web", 2)
	s.settled("web")
	s.ownersBecome("www-web-1", inRange)

	s.deleteSet("web", metav1.DeletePropagationBackground)
	s.setGone("web")
	s.podsBecome("")
	if whenDeleted == remove {
		s.claimsBecome("")
	} else {
		s.claimsStay(1500*time.Millisecond, "www-web-0 www-web-1")
		s.ownersBecome("www-web-0", "")
		if now := s.claim("www-web-0").UID; now != first {
			t.Errorf("www-web-0 is %s, and was %s", now, first)
		}
	}
	s.times("PersistentVolumeClaim", "+www-web-0", 1)
	s.times("PersistentVolumeClaim", "+www-web-1", created)
	if whenDeleted == retain && whenScaled == retain {
		for _, c := range s.all() {
			if c.kind() == "PersistentVolumeClaim" && owners(c.object) != "" {
				t.Errorf("%s was owned by %s", c.name(), owners(c.object))
			}
		}
	}
	for _, w := range s.written() {
		if w.what() == "delete persistentvolumeclaims" {
			t.Errorf("the adapter deleted claim %s; that is left to the garbage collector", w.ObjectRef.Name)
		}
	}
}

// ownedBefore checks that a claim had its owners before the pod was deleted.
func (s *scene) ownedBefore(claim, want, pod string) {
	s.Helper()
	owned := false
	for _, c := range s.all() {
		owned = owned || c.name() == claim && owners(c.object) == want
		if c.name() == pod && (c.object.GetDeletionTimestamp() != nil || c.event == "DELETED") {
			if !owned {
				s.Errorf("%s was deleted before %s was owned by %s", pod, claim, want)
			}
			return
		}
	}
	s.Errorf("%s was not deleted", pod)
}

func (s *scene) claimsStay(d time.Duration, want string) {
	s.Helper()
	s.stays(d, "claims "+want, func() error {
		if got := s.claimNames(); got != want {
			return fmt.Errorf("they are %q", got)
		}
		return nil
	})
}

// TestRetentionChanged: the policy may change at any time, and only owner references follow it.
func TestRetentionChanged(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	set := s.create(webSet("web", 2, parallel))
	s.settled("web")
	pods, story := s.podUIDs(), s.pods()
	s.patch("web", `{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete","whenScaled":"Delete"}}}`)
	s.ownersBecome("www-web-0", "StatefulSet/web*")
	s.ownersBecome("www-web-1", "StatefulSet/web*")
	// A reference that a user wrote without the controller flag gets it.
	s.patchClaim("www-web-1", fmt.Sprintf(`{"metadata":{"ownerReferences":[{"uid":%q,"controller":null}]}}`, set.UID))
	s.ownersBecome("www-web-1", "StatefulSet/web*")
	s.patch("web", `{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain"}}}`)
	s.ownersBecome("www-web-0", "")
	s.ownersBecome("www-web-1", "")
	s.samePods(pods)
	s.wantPods(story)
	if got := len(s.revisions()); got != 1 {
		t.Errorf("%d revisions, want 1: the policy is no part of the template", got)
	}
	s.deleteSet("web", metav1.DeletePropagationBackground)
	s.setGone("web")
	s.podsBecome("")
	s.claimsStay(time.Second, "www-web-0 www-web-1")
}

// TestRetentionChangedForLeftovers: claims outside the range have no pod, but follow a policy that keeps them all the same.
func TestRetentionChangedForLeftovers(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, retention(remove, retain)))
	s.settled("web")
	s.ownersBecome("www-web-2", "StatefulSet/web*")
	s.scale("web", 1)
	s.settled("web")
	s.patch("web", `{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain"}}}`)
	for _, claim := range []string{"www-web-0", "www-web-1", "www-web-2"} {
		s.ownersBecome(claim, "")
	}
	s.deleteSet("web", metav1.DeletePropagationBackground)
	s.setGone("web")
	s.podsBecome("")
	s.claimsStay(1500*time.Millisecond, "www-web-0 www-web-1 www-web-2")
}

// TestRetentionKeepsClaimsOfReplacedPods: failed, evicted, deleted and updated pods are recreated with their claims, whatever
// the policy.
func TestRetentionKeepsClaimsOfReplacedPods(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 1, retention(remove, remove)))
	s.settled("web")
	s.ownersBecome("www-web-0", "StatefulSet/web*")
	before := s.claim("www-web-0")
	then(born("web-0"))
	s.podStatus("web-0", `{"status":{"phase":"Failed","reason":"Evicted"}}`)
	then(replaced("web-0"))
	s.deletePod("web-0")
	then(replaced("web-0"))
	s.image("web", "registry.example/nginx:2")
	then(replaced("web-0"))
	s.settled("web")
	after := s.claim("www-web-0")
	if after.UID != before.UID || owners(after) != "StatefulSet/web*" {
		t.Errorf("the claim is %s of %s, and was %s", after.UID, owners(after), before.UID)
	}
	for _, c := range s.all() {
		if c.kind() == "PersistentVolumeClaim" && owners(c.object) == "Pod/web-0*" {
			t.Error("the claim was handed to a pod of the range")
		}
	}
}

// TestRetentionForeignController: a claim that another object controls is left alone.
func TestRetentionForeignController(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	keeper, err := s.client.CoreV1().ConfigMaps(s.namespace).Create(context.Background(),
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "keeper"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	set := webSet("web", 3, parallel, retention(remove, remove))
	foreign := set.Spec.VolumeClaimTemplates[0].DeepCopy()
	foreign.Name = "www-web-0"
	foreign.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(keeper, corev1.SchemeGroupVersion.WithKind("ConfigMap"))}
	if _, err := s.client.CoreV1().PersistentVolumeClaims(s.namespace).Create(context.Background(), foreign, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	set = s.create(set)
	s.settled("web")
	s.ownersBecome("www-web-2", "StatefulSet/web*")
	s.blocked("web", "CLAIM_FOREIGN_CONTROLLER", "PersistentVolumeClaim/www-web-0")
	if n := s.warned(set.UID, "ConflictingController", "Another object controls the claim"); n != 1 {
		t.Errorf("the event occurred %d times, want once", n)
	}

	// A claim that was ours gets another controller: our reference is removed.
	s.ownersBecome("www-web-1", "StatefulSet/web*")
	s.patchClaim("www-web-1", fmt.Sprintf(`{"metadata":{"ownerReferences":[{"uid":%q,"controller":null},
		{"apiVersion":"v1","kind":"ConfigMap","name":"keeper","uid":%q,"controller":true}]}}`, set.UID, keeper.UID))
	s.ownersBecome("www-web-1", "ConfigMap/keeper*")

	s.scale("web", 0)
	s.settled("web")
	s.claimsBecome("www-web-0 www-web-1")
	s.deleteSet("web", metav1.DeletePropagationBackground)
	s.setGone("web")
	s.claimsStay(1500*time.Millisecond, "www-web-0 www-web-1")
	s.caughtUp(s)
	for _, c := range s.all() {
		if c.name() == "www-web-0" && owners(c.object) != "ConfigMap/keeper*" {
			t.Errorf("www-web-0 was owned by %q", owners(c.object))
		}
	}
	for _, w := range s.written() {
		if w.what() == "patch persistentvolumeclaims" && w.ObjectRef.Name == "www-web-0" {
			t.Error("the adapter wrote to www-web-0, which never was its own")
		}
	}
	// This proves that the garbage collector acts on a reference.
	if err := s.client.CoreV1().ConfigMaps(s.namespace).Delete(context.Background(), "keeper", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	s.claimsBecome("")
}
