//go:build e2e

package e2e

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// everyKind puts all kinds into one story.
var everyKind = []string{"StatefulSet", "ControllerRevision", "Pod", "PersistentVolumeClaim"}

// TestDeleteOrphan: only the set is deleted, and nobody touches the rest afterwards.
func TestDeleteOrphan(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, retention(remove, retain)))
	s.settled("web")
	s.ownersBecome("www-web-1", "StatefulSet/web*")
	pods := s.podUIDs()
	s.deleteSet("web", metav1.DeletePropagationOrphan)
	s.setGone("web")
	s.caughtUp(s)
	writes := len(s.written())
	s.quiet(1500 * time.Millisecond)
	s.samePods(pods)
	s.wantPods(born("web-0"), born("web-1"))
	for name := range pods {
		if got := owners(s.pod(name)); got != "" {
			t.Errorf("%s is owned by %s", name, got)
		}
	}
	s.claimsBecome("www-web-0 www-web-1")
	if now := len(s.written()); now != writes {
		t.Errorf("%d writes after the set was gone: %v", now-writes, s.written()[writes:])
	}
	// A lost orphan is not recreated: the set is gone.
	s.deletePod("web-0")
	s.podsBecome("web-1")
	s.quiet(time.Second)
}

// TestDeleteBackground: the set is deleted first, then the garbage collector deletes the pods, and none is recreated.
func TestDeleteBackground(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, parallel))
	s.settled("web")
	s.deleteSet("web", metav1.DeletePropagationBackground)
	s.setGone("web")
	s.podsBecome("")
	s.quiet(time.Second)
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		s.times("Pod", "+"+name, 1)
		s.inOrder(everyKind, "gone web", "-"+name, "gone "+name)
	}
	s.claimsBecome("www-web-0 www-web-1 www-web-2")
	s.noPodDeletes()
}

// TestDeleteForeground: the set stays until the garbage collector has deleted all that it owns. Meanwhile the adapter recreates
// nothing and keeps the status current.
func TestDeleteForeground(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, retention(remove, retain)))
	s.settled("web")
	s.pin("web-1")
	s.deleteSet("web", metav1.DeletePropagationForeground)
	s.podsBecome("web-1")
	s.blocked("web", "SET_DELETING", "StatefulSet/web")
	eventually(t, 30*time.Second, "the status counts one pod", func() error { return s.hasReplicas("web", 1) })
	// Neither a new template nor more replicas change anything now.
	s.image("web", "registry.example/nginx:2")
	s.scale("web", 5)
	s.observed("web")
	s.quiet(1500 * time.Millisecond)
	if tried := s.tries("create controllerrevisions"); tried != 1 {
		t.Errorf("%d tries to create a revision, want 1: none for a set that is being deleted", tried)
	}
	s.unpin("web-1")
	s.setGone("web")
	s.podsBecome("")
	s.claimsBecome("")
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		s.times("Pod", "+"+name, 1)
		s.inOrder(everyKind, "-web", "gone "+name, "gone web")
	}
	s.noPodDeletes()
}

// noPodDeletes checks that the adapter left the pods to the garbage collector.
func (s *scene) noPodDeletes() {
	s.Helper()
	if n := s.tries("delete pods"); n != 0 {
		s.Errorf("the adapter deleted pods %d times", n)
	}
}

// TestDeleteInTheMiddleOfARollout: the rollout does not go on.
func TestDeleteInTheMiddleOfARollout(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 3, withoutClaims))
	s.settled("web")
	then(born("web-0"), born("web-1"), born("web-2"))
	s.pin("web-2")
	s.image("web", "registry.example/nginx:2")
	then("-web-2")
	s.deleteSet("web", metav1.DeletePropagationBackground)
	s.setGone("web")
	s.podsBecome("web-2")
	s.unpin("web-2")
	s.podsBecome("")
	s.quiet(time.Second)
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		s.times("Pod", "+"+name, 1)
	}
	if n := s.tries("delete pods"); n != 1 {
		t.Errorf("the adapter deleted pods %d times, want once: web-2, before the set was deleted", n)
	}
}

// TestSetMadeAnewBesidePodsOfTheOld: the pods and claims of an earlier set with this name belong to its uid. The new set waits
// until they are gone, and adopts none.
func TestSetMadeAnewBesidePodsOfTheOld(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	old := s.create(webSet("web", 2, retention(remove, retain)))
	s.settled("web")
	s.ownersBecome("www-web-0", "StatefulSet/web*")
	s.ownersBecome("www-web-1", "StatefulSet/web*")
	s.pin("web-0")
	s.pin("web-1")
	s.deleteSet("web", metav1.DeletePropagationBackground)
	s.setGone("web")
	eventually(t, 60*time.Second, "web-0 is terminating", func() error { return s.terminating("web-0") })
	eventually(t, 60*time.Second, "web-1 is terminating", func() error { return s.terminating("web-1") })
	s.claimsTerminating("www-web-0", "www-web-1")
	anew := s.create(webSet("web", 2, retention(remove, retain)))
	s.observed("web")
	s.blocked("web", "CLAIM_TERMINATING", "PersistentVolumeClaim/www-web-0")
	s.quiet(1500 * time.Millisecond)
	s.times("Pod", "+web-0", 1)
	s.times("Pod", "+web-1", 1)
	s.unpin("web-1")
	s.podsBecome("web-0")
	s.quiet(time.Second)
	s.unpin("web-0")
	s.settled("web")
	for _, name := range []string{"web-0", "web-1"} {
		s.times("Pod", "+"+name, 2)
		s.times("PersistentVolumeClaim", "+www-"+name, 2)
		s.inOrder(everyKind, "gone web", "gone "+name, "gone www-"+name, "+www-"+name, "+"+name)
		if uid := s.pod(name).OwnerReferences[0].UID; uid != anew.UID {
			t.Errorf("%s is owned by %s, want the new set", name, uid)
		}
	}
	for _, c := range s.all() {
		if refs := c.object.GetOwnerReferences(); c.kind() == "Pod" && len(refs) != 1 || c.kind() == "Pod" && c.object.GetDeletionTimestamp() != nil && refs[0].UID != old.UID {
			t.Errorf("%s had the owners %v", c.name(), refs)
		}
	}
	if tried := s.tries("create pods"); tried != 4 {
		t.Errorf("%d tries to create pods, want 4: none while a pod of the old set exists", tried)
	}
}
