//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// teller returns a function that waits until the story of all pods has gone on by exactly these words.
func (s *scene) teller() func(words ...string) {
	var told []string
	return func(words ...string) {
		s.Helper()
		told = append(told, words...)
		s.reaches(told...)
	}
}

// inOrder checks that the words occur in this order among those of the kinds; others may stand between them.
func (s *scene) inOrder(kinds []string, words ...string) {
	s.Helper()
	s.caughtUp(s)
	events := s.events(kinds...)
	rest := events
	for _, word := range words {
		at := slices.Index(rest, word)
		if at < 0 {
			s.Errorf("%q is missing or out of the order %q: %s", word, words, strings.Join(events, " "))
			return
		}
		rest = rest[at+1:]
	}
}

// times checks how often a word occurs among the events of a kind.
func (s *scene) times(kind, word string, want int) {
	s.Helper()
	s.caughtUp(s)
	if got := s.count(kind, word); got != want {
		s.Errorf("%q occurs %d times, want %d: %s", word, got, want, strings.Join(s.events(kind), " "))
	}
}

// owners lists the owners of an object by kind and name, the controller with a star.
func owners(object metav1.Object) string {
	var all []string
	for _, o := range object.GetOwnerReferences() {
		owner := o.Kind + "/" + o.Name
		if o.Controller != nil && *o.Controller {
			owner += "*"
		}
		all = append(all, owner)
	}
	return strings.Join(all, " ")
}

// podUIDs tells apart pods that have the same name one after another.
func (s *scene) podUIDs() map[string]types.UID {
	s.Helper()
	list := must(s.client.CoreV1().Pods(s.namespace).List(context.Background(), metav1.ListOptions{}))(s)
	uids := map[string]types.UID{}
	for i := range list.Items {
		uids[list.Items[i].Name] = list.Items[i].UID
	}
	return uids
}

// samePods checks that the pods have their earlier uids.
func (s *scene) samePods(before map[string]types.UID) {
	s.Helper()
	if now := s.podUIDs(); !maps.Equal(now, before) {
		s.Errorf("the pods are %v, and were %v", now, before)
	}
}

func (s *scene) deleteSet(name string, policy metav1.DeletionPropagation) {
	s.Helper()
	noError(s, s.sets().Delete(context.Background(), name,
		metav1.DeleteOptions{PropagationPolicy: &policy}))
}

// setGone waits until a set is deleted.
func (s *scene) setGone(name string) {
	s.Helper()
	eventually(s, 60*time.Second, name+" is gone", func() error { return s.isGone(name) })
}

// isGone returns nil once no set has the name.
func (s *scene) isGone(name string) error {
	_, err := s.sets().Get(context.Background(), name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return fmt.Errorf("it is there: %v", err)
}

// podsBecome waits until exactly these pods exist.
func (s *scene) podsBecome(want string) {
	s.Helper()
	eventually(s, 60*time.Second, "the pods are "+want, func() error {
		if got := s.podNames(); got != want {
			return fmt.Errorf("they are %s", got)
		}
		return nil
	})
}

// terminating returns nil once a pod has a deletion timestamp.
func (s *scene) terminating(pod string) error {
	if s.pod(pod).DeletionTimestamp == nil {
		return fmt.Errorf("%s is not being deleted", pod)
	}
	return nil
}

// absent returns nil while no pod has the name.
func (s *scene) absent(pod string) error {
	_, err := s.client.CoreV1().Pods(s.namespace).Get(context.Background(), pod, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return fmt.Errorf("%s is there: %v", pod, err)
}

// hasReplicas returns nil once the status of a set counts n pods.
func (s *scene) hasReplicas(set string, n int32) error {
	if status := s.get(set).Status; status.Replicas != n {
		return fmt.Errorf("status is %+v", status)
	}
	return nil
}

// hasReplicasSoon waits for hasReplicas.
func (s *scene) hasReplicasSoon(set string, n int32) {
	s.Helper()
	eventually(s, 30*time.Second, "the status counts them", func() error { return s.hasReplicas(set, n) })
}

// ownerless returns nil once a pod has no owner.
func (s *scene) ownerless(pod string) error {
	if got := owners(s.pod(pod)); got != "" {
		return fmt.Errorf("%s is owned by %s", pod, got)
	}
	return nil
}

// hasIdentity returns nil once a pod has the labels that belong to its name.
func (s *scene) hasIdentity(pod string) error {
	labels := s.pod(pod).Labels
	if labels[appsv1.StatefulSetPodNameLabel] != pod || labels[appsv1.PodIndexLabel] != pod[strings.LastIndex(pod, "-")+1:] {
		return fmt.Errorf("the labels are %v", labels)
	}
	return nil
}

func (s *scene) quotaInForce(pods int64) error {
	quota, err := s.client.CoreV1().ResourceQuotas(s.namespace).Get(context.Background(), "pods", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if hard := quota.Status.Hard.Pods(); hard.Value() != pods {
		return fmt.Errorf("it allows %d pods", hard.Value())
	}
	return nil
}

// podSecurity sets the level that admission enforces on pods of the namespace.
func (s *scene) podSecurity(level string) {
	s.Helper()
	must(s.client.CoreV1().Namespaces().Patch(context.Background(), s.namespace, types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"`+level+`"}}}`), metav1.PatchOptions{}))(s)
}
