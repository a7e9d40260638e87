//go:build e2e

package e2e

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
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

var podsAndClaims = []string{"Pod", "PersistentVolumeClaim"}
