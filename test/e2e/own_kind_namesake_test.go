//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestOwnKindNamesake: somebody applies a manifest under both kinds. The set of our own kind makes no pod on the other one's data, also while
// that one has no pods, and may be deleted again without loss; where the other one is deleted and its pods stay, it takes over.
func TestOwnKindNamesake(t *testing.T) {
	t.Parallel()
	s := onManaged(t)
	s.create(webSet("web", 3))
	s.settled("web")
	s.scale("web", 2)
	s.settled("web")
	const claims = "www-web-0 www-web-1 www-web-2"
	before := s.podUIDs()
	mine := webSet("web", 3, parallel, func(set *appsv1.StatefulSet) {
		set.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
			WhenDeleted: appsv1.DeletePersistentVolumeClaimRetentionPolicyType, WhenScaled: appsv1.DeletePersistentVolumeClaimRetentionPolicyType}
	})
	standsStill := func() {
		s.createUnder(ownSets, s.underKind(mine, ownKind, "StatefulSet"))
		eventually(s, 30*time.Second, "the set says who has its name", func() error {
			set, err := s.of(ownSets).Get(context.Background(), "web", metav1.GetOptions{})
			if err != nil {
				return err
			}
			if said := fmt.Sprint(set.Object["status"]); !strings.Contains(said, "StatefulSet web (apps/v1) controls this pod") {
				return fmt.Errorf("it says %s", said)
			}
			return nil
		})
		s.stays(2*time.Second, "everything", func() error {
			if pods, claims := s.podNames(), s.claimOwners(); pods != "web-0 web-1" || claims != "" {
				return fmt.Errorf("pods %s, claims have the owners %q", pods, claims)
			}
			return nil
		})
	}

	standsStill()
	s.own("delete", "ssts", "web")
	s.claimsStay(2*time.Second, claims)
	s.samePods(before)

	standsStill()
	s.scale("web", 0)
	eventually(s, 30*time.Second, "the other one has no pods", func() error {
		if pods := s.podNames(); pods != "" {
			return fmt.Errorf("pods %s", pods)
		}
		return nil
	})
	s.stays(2*time.Second, "nothing", func() error {
		if pods, claims := s.podNames(), s.claimOwners(); pods != "" || claims != "" {
			return fmt.Errorf("pods %s, claims have the owners %q", pods, claims)
		}
		return nil
	})
	s.scale("web", 2)
	s.settled("web")
	before = s.podUIDs()
	s.own("delete", "sts", "web", "--cascade=orphan")
	s.ownSettled(ownSets, "web", "web-0 web-1 web-2")
	s.ownersBecome("www-web-2", "StatefulSet/web*")
	delete(before, "web-2")
	for pod, uid := range before {
		if s.podUIDs()[pod] != uid {
			t.Errorf("%s was recreated", pod)
		}
	}
}

// TestOwnKindNamesakeGoes: the other set is deleted with its pods and claims. The set of our own kind starts on new claims: a pod on one that the
// garbage collector has not come to yet would lose its data later.
func TestOwnKindNamesakeGoes(t *testing.T) {
	t.Parallel()
	s := onManaged(t)
	const claims = "www-web-0 www-web-1"
	s.create(webSet("web", 2, func(set *appsv1.StatefulSet) {
		set.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
			WhenDeleted: appsv1.DeletePersistentVolumeClaimRetentionPolicyType, WhenScaled: appsv1.RetainPersistentVolumeClaimRetentionPolicyType}
	}))
	s.settled("web")
	before := map[string]types.UID{}
	for _, name := range strings.Fields(claims) {
		s.ownersBecome(name, "StatefulSet/web*")
		before[name] = s.claim(name).UID
	}
	s.createUnder(ownSets, s.underKind(webSet("web", 2, parallel), ownKind, "StatefulSet"))
	s.own("delete", "sts", "web")
	s.ownSettled(ownSets, "web", "web-0 web-1")
	s.claimsStay(2*time.Second, claims)
	for name, uid := range before {
		if is := s.claim(name); is.UID == uid || is.DeletionTimestamp != nil {
			t.Errorf("%s is the one that was to go: deleted at %v", name, is.DeletionTimestamp)
		}
	}
}

// claimOwners lists the owners of all claims.
func (s *scene) claimOwners() string {
	var all []string
	for _, name := range strings.Fields(s.claimNames()) {
		if is := owners(s.claim(name)); is != "" {
			all = append(all, name+" "+is)
		}
	}
	return strings.Join(all, ", ")
}
