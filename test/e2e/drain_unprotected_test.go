//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/setplan/setplan/adapters"
)

// unprotected are sets that own their claims (whenDeleted Delete). When they get a policy with drain-on-delete only the
// protection of claims removes that ownership.
var unprotected = map[string]struct {
	options []func(*appsv1.StatefulSet)
	before  func(*scene)
	policy  map[string]string // in addition to drain-on-delete
}{
	"the first pod is not ready": {
		before: func(s *scene) { s.setReady("web-0", false) },
		policy: map[string]string{adapters.AnnotationDrainTemplate: drainTemplate(completes)},
	},
	"drains are at work": {
		options: []func(*appsv1.StatefulSet){parallel, drained(idle)},
		before:  func(s *scene) { s.scale("web", 1); s.draining("web-1"); s.draining("web-2") },
		policy:  map[string]string{adapters.AnnotationDrainTemplate: drainTemplate(completes)},
	},
	"claims are left over": {
		options: []func(*appsv1.StatefulSet){parallel},
		before:  func(s *scene) { s.scale("web", 1); s.podsBecome("web-0"); s.settled("web") },
		policy: map[string]string{adapters.AnnotationDrainTemplate: drainTemplate(completes), adapters.AnnotationDrainLeftovers: "true",
			adapters.AnnotationDrainMaxParallel: "1"},
	},
}

// TestDrainUnprotected: the set is deleted in the foreground as soon as the finalizer says that it may be, with the real
// garbage collector. No claim is lost undrained.
func TestDrainUnprotected(t *testing.T) {
	t.Parallel()
	for name := range unprotected {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, shared.cluster)
			s.getsPolicy(name)
			eventually(s, 30*time.Second, "the finalizer", func() error {
				if got := s.get("web").Finalizers; !slices.Contains(got, finalizerDrain) {
					return fmt.Errorf("the finalizers are %v", got)
				}
				return nil
			})
			s.deleteSet("web", metav1.DeletePropagationForeground)
			s.emptiesItself()
			if undrained := s.undrained(); len(undrained) > 0 {
				t.Errorf("claims went undrained: %v", undrained)
			}
			if owned := s.owned("web"); len(owned) > 0 { // the order was right, not only fast
				t.Errorf("claims belonged to the set when it was deleted: %v", owned)
			}
			s.podsBecome("")
			s.claimsBecome("")
			s.unbroken()
		})
	}
}

// TestDrainUnprotectedAtOnce deletes the set without waiting. If the adapter was faster and the set had its finalizer, no claim
// is lost undrained. If not, the adapter may not have seen the policy: then the claims are deleted with the set, as whenDeleted
// says. test/invariants/README.md lists that exception.
func TestDrainUnprotectedAtOnce(t *testing.T) {
	t.Parallel()
	for name := range unprotected {
		for _, pause := range []time.Duration{0, 20 * time.Millisecond, 200 * time.Millisecond} {
			t.Run(name+" "+pause.String(), func(t *testing.T) {
				t.Parallel()
				s := newScene(t, shared.cluster)
				s.getsPolicy(name)
				time.Sleep(pause)
				s.deleteSet("web", metav1.DeletePropagationForeground)
				s.emptiesItself()
				undrained, promised := s.undrained(), s.wasPromised("web")
				t.Logf("the finalizer was there: %t; undrained: %v", promised, undrained)
				if promised && len(undrained) > 0 {
					t.Errorf("the finalizer said that the set may be deleted, and claims went undrained: %v", undrained)
				}
				s.podsBecome("")
			})
		}
	}
}

// TestDrainUnprotectedRefused: the API refuses the release of the claims. The block says why the set must not be deleted, and
// the set does not get the finalizer. Deleted with orphan, it leaves all claims.
func TestDrainUnprotectedRefused(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	set := s.create(webSet("web", 2, retention(remove, retain)))
	s.settled("web")
	s.ownersBecome("www-web-1", "StatefulSet/web*")
	s.refuseClaimOwners()
	s.annotateAll("web", unprotected["the first pod is not ready"].policy)
	s.blocked("web", "DRAIN_UNPROTECTED", "PersistentVolumeClaim/www-web-0", "StatefulSet web", "--cascade=orphan")
	s.warned(set.UID, "DrainUnprotected", "would be deleted with it")
	s.stays(time.Second, "no finalizer", func() error {
		if got := s.get("web").Finalizers; len(got) > 0 {
			return fmt.Errorf("the finalizers are %v", got)
		}
		return nil
	})
	s.deleteSet("web", metav1.DeletePropagationOrphan)
	s.setGone("web")
	s.claimsBecome("www-web-0 www-web-1")
}

// getsPolicy creates a set of the table, settles it, and gives it its policy in one write.
func (s *scene) getsPolicy(name string) {
	s.Helper()
	c := unprotected[name]
	s.create(webSet("web", 3, append(slices.Clone(c.options), retention(remove, retain))...))
	s.settled("web")
	for i := range 3 {
		s.ownersBecome(fmt.Sprintf("www-web-%d", i), "StatefulSet/web*")
	}
	c.before(s)
	s.annotateAll("web", c.policy)
}

// annotateAll sets annotations of a set and drain-on-delete in one write.
func (s *scene) annotateAll(name string, annotations map[string]string) {
	s.Helper()
	all := map[string]string{adapters.AnnotationDrainOnDelete: "true"}
	for key, value := range annotations {
		all[key] = value
	}
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": all}})
	if err != nil {
		s.Fatal(err)
	}
	if _, err := s.sets().Patch(context.Background(), name, types.MergePatchType, body, metav1.PatchOptions{}); err != nil {
		s.Fatal(err)
	}
}

// emptiesItself ends running drain pods with success until the set is gone.
func (s *scene) emptiesItself() {
	s.Helper()
	eventually(s, 90*time.Second, "web is gone", func() error {
		list, err := s.client.CoreV1().Pods(s.namespace).List(context.Background(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, pod := range list.Items {
			if pod.Annotations[adapters.AnnotationDrainSet] != "" && pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil {
				s.client.CoreV1().Pods(s.namespace).Patch(context.Background(), pod.Name, types.StrategicMergePatchType,
					[]byte(`{"metadata":{"uid":"`+string(pod.UID)+`"},"status":{"phase":"Succeeded"}}`), metav1.PatchOptions{}, "status")
			}
		}
		return s.isGone("web")
	})
}

// refuseClaimOwners makes the API server refuse changes of claims' owners, except by its own controllers.
func (s *scene) refuseClaimOwners() {
	s.Helper()
	name, ctx := "owners-stay-in-"+s.namespace, context.Background()
	policies := s.client.AdmissionregistrationV1()
	_, err := policies.ValidatingAdmissionPolicies().Create(ctx, &admissionv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admissionv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{{
				RuleWithOperations: admissionv1.RuleWithOperations{Operations: []admissionv1.OperationType{admissionv1.Update},
					Rule: admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"persistentvolumeclaims"}}}}}},
			MatchConditions: []admissionv1.MatchCondition{{Name: "others", Expression: "!request.userInfo.username.contains('controller')"}},
			Validations: []admissionv1.Validation{{Message: "owners stay as they are",
				Expression: "has(object.metadata.ownerReferences) == has(oldObject.metadata.ownerReferences)"}},
		}}, metav1.CreateOptions{})
	if err == nil {
		_, err = policies.ValidatingAdmissionPolicyBindings().Create(ctx, &admissionv1.ValidatingAdmissionPolicyBinding{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: name, ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny},
				MatchResources: &admissionv1.MatchResources{NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{
					corev1.LabelMetadataName: s.namespace}}}}}, metav1.CreateOptions{})
	}
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		policies.ValidatingAdmissionPolicyBindings().Delete(ctx, name, metav1.DeleteOptions{})
		policies.ValidatingAdmissionPolicies().Delete(ctx, name, metav1.DeleteOptions{})
	})
	without := []byte(`{"metadata":{"ownerReferences":null}}`)
	eventually(s, 30*time.Second, "owners stay", func() error {
		_, err := s.client.CoreV1().PersistentVolumeClaims(s.namespace).Patch(ctx, "www-web-0", types.MergePatchType, without,
			metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
		if err == nil {
			return fmt.Errorf("they may be changed")
		}
		return nil
	})
}

// undrained names the claims, marked or not, that were deleted before one of their drain pods had succeeded.
func (s *scene) undrained() []string {
	s.Helper()
	s.caughtUp(s)
	drained, seen := map[string]bool{}, map[string]bool{}
	var names []string
	for _, c := range s.all() {
		o := c.object
		if phase, _, _ := unstructured.NestedString(o.Object, "status", "phase"); phase == "Succeeded" && o.GetDeletionTimestamp() == nil {
			for uid := range strings.SplitSeq(o.GetAnnotations()[adapters.AnnotationDrainClaims], ",") {
				drained[uid] = true
			}
		}
		uid := string(o.GetUID())
		if c.kind() == "PersistentVolumeClaim" && (c.event == watch.Deleted || o.GetDeletionTimestamp() != nil) && !seen[uid] {
			if seen[uid] = true; !drained[uid] {
				names = append(names, c.name())
			}
		}
	}
	return names
}

// owned names the claims that belonged to a set when it was deleted.
func (s *scene) owned(set string) []string {
	last := map[string]string{}
	for _, c := range s.all() {
		switch {
		case c.kind() == "PersistentVolumeClaim":
			if delete(last, c.name()); strings.Contains(ownersOf(c), "StatefulSet/"+set) {
				last[c.name()] = c.name()
			}
		case c.kind() == "StatefulSet" && c.name() == set && c.object.GetDeletionTimestamp() != nil:
			return slices.Sorted(maps.Keys(last))
		}
	}
	return nil
}

func ownersOf(c change) string {
	var all []string
	for _, o := range c.object.GetOwnerReferences() {
		all = append(all, o.Kind+"/"+o.Name)
	}
	return strings.Join(all, " ")
}

// wasPromised reports whether a set had the finalizer of the drain when it was deleted.
func (s *scene) wasPromised(set string) bool {
	for _, c := range s.all() {
		if c.kind() == "StatefulSet" && c.name() == set && c.object.GetDeletionTimestamp() != nil {
			return slices.Contains(c.object.GetFinalizers(), finalizerDrain)
		}
	}
	return false
}
