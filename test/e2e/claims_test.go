//go:build e2e

package e2e

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var podsAndClaims = []string{"Pod", "PersistentVolumeClaim"}

// TestScaledUpAgainBeforeTheClaimIsGone: the new pod must not start with its predecessor's claim, which is about to be deleted
// with all its data.
func TestScaledUpAgainBeforeTheClaimIsGone(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 2, retention(retain, remove)))
	s.settled("web")
	then(born("web-0"), born("web-1"))
	old := s.claim("www-web-1").UID
	s.pinClaim("www-web-1")
	s.scale("web", 1)
	then(gone("web-1"))
	s.scale("web", 2)
	s.observed("web")
	s.blocked("web", "CLAIM_STALE", "PersistentVolumeClaim/www-web-1")
	s.quiet(1500 * time.Millisecond)
	s.unpinClaim("www-web-1")
	s.settled("web")
	then(born("web-1"))
	s.inOrder(podsAndClaims, "+www-web-1", "+web-1", "gone web-1", "gone www-web-1", "+www-web-1", "+web-1")
	if now := s.claim("www-web-1").UID; now == old {
		t.Error("the pod has the claim that was condemned")
	}
	s.times("PersistentVolumeClaim", "+www-web-1", 2)
	s.times("PersistentVolumeClaim", "-www-web-0", 0)
	s.ownersBecome("www-web-1", "")
}

// TestScaledUpAgainBeforeThePodIsGone: the claim of a terminating pod loses the pod as its owner when the ordinal is wanted
// again, and stays. Upstream does so under Parallel only (rule WantedClaimsStay). The garbage collector is the real one.
func TestScaledUpAgainBeforeThePodIsGone(t *testing.T) {
	t.Parallel()
	for name, policy := range map[string]func(*appsv1.StatefulSet){"OrderedReady": ordered, "Parallel": parallel} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, shared.cluster)
			s.create(webSet("web", 2, policy, retention(retain, remove)))
			old := s.scaledDownAndUp()
			s.ownersBecome("www-web-1", "")
			s.unpin("web-1")
			s.settled("web")
			if now := string(s.claim("www-web-1").UID); now != old {
				t.Error("the claim was replaced")
			}
			s.times("PersistentVolumeClaim", "-www-web-1", 0)
			s.times("Pod", "+web-1", 2)
		})
	}
}

// scaledDownAndUp scales web to 1 and back to 2 while web-1 is terminating, and returns the uid of its claim.
func (s *scene) scaledDownAndUp() string {
	s.Helper()
	s.settled("web")
	s.pin("web-1")
	s.scale("web", 1)
	s.ownersBecome("www-web-1", "Pod/web-1*")
	eventually(s, 30*time.Second, "web-1 is terminating", func() error { return s.terminating("web-1") })
	s.scale("web", 2)
	s.observed("web")
	return string(s.claim("www-web-1").UID)
}

// TestTerminatingClaim: a pod waits until a claim that somebody deleted is gone, and gets a new one.
func TestTerminatingClaim(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 3))
	s.settled("web")
	then(born("web-0"), born("web-1"), born("web-2"))
	s.pinClaim("www-web-0")
	s.deleteClaim("www-web-0")
	s.quiet(time.Second) // a running pod is not touched
	s.deletePod("web-0")
	then(gone("web-0"))
	s.blocked("web", "CLAIM_TERMINATING", "PersistentVolumeClaim/www-web-0")
	// OrderedReady stops here, too.
	s.scale("web", 2)
	s.quiet(1500 * time.Millisecond)
	before := s.tries("create pods")
	s.unpinClaim("www-web-0")
	s.settled("web")
	then(born("web-0"), gone("web-2"))
	s.inOrder(podsAndClaims, "+www-web-0", "-www-web-0", "gone web-0", "gone www-web-0", "+www-web-0", "+web-0")
	s.times("PersistentVolumeClaim", "+www-web-0", 2)
	if tried := s.tries("create pods") - before; tried != 1 {
		t.Errorf("the pod was tried %d times after the claim was gone, want 1", tried)
	}
	if before != 3 {
		t.Errorf("%d tries to create pods before the claim was gone, want 3: none for the waiting one", before)
	}
}

// TestTerminatingClaimUnderParallel: the other ordinals do not wait for one whose claim is stuck.
func TestTerminatingClaimUnderParallel(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, parallel))
	s.settled("web")
	s.pinClaim("www-web-0")
	s.deleteClaim("www-web-0")
	s.deletePod("web-0")
	s.blocked("web", "CLAIM_TERMINATING", "PersistentVolumeClaim/www-web-0")
	s.scale("web", 4)
	s.podsBecome("web-1 web-2 web-3")
	s.stays(time.Second, "web-0", func() error { return s.absent("web-0") })
	s.unpinClaim("www-web-0")
	s.settled("web")
	s.inOrder(podsAndClaims, "gone www-web-0", "+www-web-0", "+web-0")
	for _, word := range []string{"+web-1", "+web-2", "+web-3"} {
		s.times("Pod", word, 1)
	}
}

// TestMissingClaimOfPendingPod: the missing claim of a pending pod is recreated, because the pod cannot start without it. That
// of a running pod is not.
func TestMissingClaimOfPendingPod(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 2, held, retention(remove, retain)))
	then("+web-0")
	s.ownersBecome("www-web-0", "StatefulSet/web*")
	pods, old := s.podUIDs(), s.claim("www-web-0").UID
	s.forceDeleteClaim("www-web-0")
	eventually(t, 30*time.Second, "the claim is made again", func() error { return s.claimAnew("www-web-0", old) })
	s.ownersBecome("www-web-0", "StatefulSet/web*")
	s.quiet(time.Second)
	s.samePods(pods)
	s.release("web-0")
	then("ready web-0", "+web-1")
	s.release("web-1")
	then("ready web-1")
	s.settled("web")
	s.times("PersistentVolumeClaim", "+www-web-0", 2)

	s.forceDeleteClaim("www-web-0")
	s.claimsStay(1500*time.Millisecond, "www-web-1")
	s.deletePod("web-0")
	then(gone("web-0"), "+web-0")
	s.inOrder(podsAndClaims, "gone web-0", "+www-web-0", "+web-0")
	s.release("web-0")
	s.settled("web")
	s.times("PersistentVolumeClaim", "+www-web-0", 3)
}

// TestClaimsAreFoundAgain: a set that is deleted and recreated finds its earlier claims, and a new set finds claims that a user
// made.
func TestClaimsAreFoundAgain(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2))
	s.settled("web")
	zero, one := s.claim("www-web-0").UID, s.claim("www-web-1").UID
	s.deleteSet("web", metav1.DeletePropagationForeground)
	s.setGone("web")
	s.podsBecome("")
	s.create(webSet("web", 2))
	s.settled("web")
	if s.claim("www-web-0").UID != zero || s.claim("www-web-1").UID != one {
		t.Error("the claims are new ones")
	}
	if tried := s.tries("create persistentvolumeclaims"); tried != 2 {
		t.Errorf("%d tries to create claims, want 2: none that meets one", tried)
	}
}
