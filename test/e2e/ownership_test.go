//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestOrphansAreAdopted: a set is deleted without its pods and recreated, and adopts pods and revisions as they are. Nothing
// restarts, no revision gets another number, and the claims are found too.
func TestOrphansAreAdopted(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 3, parallel, retention(remove, remove)))
	s.settled("web")
	s.image("web", "registry.example/nginx:2")
	before := s.settled("web")
	s.ownersBecome("www-web-2", "StatefulSet/web*")
	pods, revisions := s.podUIDs(), s.numbers()
	then(s.pods())
	s.deleteSet("web", metav1.DeletePropagationOrphan)
	s.setGone("web")
	for name := range pods {
		if got := owners(s.pod(name)); got != "" {
			t.Errorf("the orphan %s is owned by %s", name, got)
		}
	}

	anew := s.create(webSet("web", 3, parallel, retention(remove, remove), image("registry.example/nginx:2")))
	after := s.settled("web")
	s.quiet(time.Second)
	then()
	s.samePods(pods)
	if now := s.numbers(); !slices.Equal(now, revisions) {
		t.Errorf("the revisions are %v, and were %v", now, revisions)
	}
	if after.Status.CurrentRevision != before.Status.CurrentRevision || after.Status.UpdateRevision != before.Status.UpdateRevision {
		t.Errorf("the status is %+v, and was %+v", after.Status, before.Status)
	}
	for name := range pods {
		s.ownedBy(s.pod(name).OwnerReferences, name, anew.UID)
	}
	for _, revision := range s.revisions() {
		s.ownedBy(revision.OwnerReferences, revision.Name, anew.UID)
	}
	s.ownersBecome("www-web-2", "StatefulSet/web*")
	s.times("PersistentVolumeClaim", "+www-web-2", 1)
	if created := s.tries("create controllerrevisions"); created != 2 {
		t.Errorf("%d revisions were created, want the 2 of the first set", created)
	}
	// It works like any other set.
	s.image("web", "registry.example/nginx:1")
	s.settled("web")
	then(replaced("web-2"), replaced("web-1"), replaced("web-0"))
	if created := s.tries("create controllerrevisions"); created != 2 {
		t.Errorf("%d revisions were created, want 2: the adopted first one is used again", created)
	}
}

// numbers lists the revisions by name and number.
func (s *scene) numbers() []string {
	s.Helper()
	var all []string
	for _, revision := range s.revisions() {
		all = append(all, fmt.Sprint(revision.Name, " ", revision.Revision))
	}
	return all
}

func (s *scene) ownedBy(references []metav1.OwnerReference, name string, uid types.UID) {
	s.Helper()
	if len(references) != 1 || references[0].UID != uid || !*references[0].Controller {
		s.Errorf("%s has owners %v, want the new set alone", name, references)
	}
}
