//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
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

// TestOrphanOfAnotherTemplate: an adopted pod of another template is updated.
func TestOrphanOfAnotherTemplate(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 2, withoutClaims))
	s.settled("web")
	then(born("web-0"), born("web-1"))
	s.deleteSet("web", metav1.DeletePropagationOrphan)
	s.setGone("web")
	s.create(webSet("web", 3, withoutClaims, image("registry.example/nginx:2")))
	s.settled("web")
	then(born("web-2"), replaced("web-1"), replaced("web-0"))
	s.wantImages("web", "nginx:2", "nginx:2", "nginx:2")
}

// TestPodByHandIsAdopted: a user's pod matches by name and labels. It is adopted, gets its identity, and is then replaced,
// because it has no revision of the set.
func TestPodByHandIsAdopted(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	set := webSet("web", 2, withoutClaims)
	byHand := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-1", Labels: map[string]string{"app": "web"}},
		Spec: *set.Spec.Template.Spec.DeepCopy()}
	byHand, err := s.client.CoreV1().Pods(s.namespace).Create(context.Background(), byHand, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	then(born("web-1"))
	s.create(set)
	s.settled("web")
	then(born("web-0"), replaced("web-1"))
	adopted := slices.ContainsFunc(s.all(), func(c change) bool {
		return c.object.GetUID() == byHand.UID && owners(c.object) == "StatefulSet/web*"
	})
	if !adopted {
		t.Error("web-1 was deleted without being adopted")
	}
}

// TestReleasedPod: a pod whose labels stop matching is released, not deleted. Its name stays taken until a user deletes it, and
// an event says so.
func TestReleasedPod(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	set := s.create(webSet("web", 3))
	s.settled("web")
	then(born("web-0"), born("web-1"), born("web-2"))
	pods := s.podUIDs()
	s.patchPod("web-1", `{"metadata":{"labels":{"app":"debug"}}}`)
	eventually(t, 30*time.Second, "web-1 is released", func() error { return s.ownerless("web-1") })
	s.blocked("web", "POD_NAME_TAKEN", "Pod/web-1")
	s.warned(set.UID, "PodNameTaken", "its labels do not match the selector")
	eventually(t, 30*time.Second, "two pods are counted", func() error { return s.hasReplicas("web", 2) })
	// The set cannot do anything above the gap, and does not try.
	s.scale("web", 4)
	s.observed("web")
	s.quiet(1500 * time.Millisecond)
	s.samePods(pods)
	if tried := s.tries("create pods"); tried != 3 {
		t.Errorf("%d tries to create pods, want 3: a taken name is not tried", tried)
	}
	if n := s.warnings(set.UID)["PodNameTaken"].count; n != 1 {
		t.Errorf("the event occurred %d times, want once", n)
	}
	s.deletePod("web-1")
	s.settled("web")
	then(gone("web-1"), born("web-1"), born("web-3"))
	s.times("PersistentVolumeClaim", "+www-web-1", 1)
}

// TestReleasedPodComesBack: with its old labels the pod is adopted again, and nothing else changes.
func TestReleasedPodComesBack(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, parallel))
	s.settled("web")
	pods, story := s.podUIDs(), s.pods()
	s.patchPod("web-0", `{"metadata":{"labels":{"app":"debug"}}}`)
	eventually(t, 30*time.Second, "web-0 is released", func() error { return s.ownerless("web-0") })
	s.hasReplicasSoon("web", 1) // otherwise the earlier status looks settled
	s.patchPod("web-0", `{"metadata":{"labels":{"app":"web"}}}`)
	s.settled("web")
	s.samePods(pods)
	s.wantPods(story)
	if got := owners(s.pod("web-0")); got != "StatefulSet/web*" {
		t.Errorf("web-0 is owned by %q", got)
	}
}

// TestIdentityLabels: removed labels by which services and users find one pod are restored.
func TestIdentityLabels(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2))
	s.settled("web")
	pods, story := s.podUIDs(), s.pods()
	for name, patch := range map[string]string{
		"web-0": `{"metadata":{"labels":{"statefulset.kubernetes.io/pod-name":null}}}`,
		"web-1": `{"metadata":{"labels":{"statefulset.kubernetes.io/pod-name":"web-0","apps.kubernetes.io/pod-index":null}}}`,
	} {
		s.patchPod(name, patch)
		eventually(t, 30*time.Second, "the labels of "+name, func() error { return s.hasIdentity(name) })
	}
	s.samePods(pods)
	s.wantPods(story)
	if tried := s.tries("patch pods"); tried != 2 {
		t.Errorf("%d patches of pods, want 2", tried)
	}
}
