package invariants

import (
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
)

// shrinks reports whether a change lowers the request of a claim to what its volume has, or to less. The API server refuses that, so no history has it.
func shrinks(s *setplanv1.Snapshot, name string, patch *setplanv1.PatchClaim) bool {
	at := slices.IndexFunc(s.GetClaims(), func(c *setplanv1.Claim) bool { return c.GetName() == name })
	if at < 0 || patch.GetRequest() == "" || s.GetClaims()[at].GetStorageIndex() == 0 {
		return false
	}
	is := s.GetTables().GetClaimStorages()[s.GetClaims()[at].GetStorageIndex()]
	amount := func(text string) resource.Quantity {
		q, _ := resource.ParseQuantity(text)
		return q
	}
	asks := amount(patch.GetRequest())
	return asks.Cmp(amount(is.GetRequest())) < 0 && asks.Cmp(amount(is.GetCapacity())) <= 0
}

// asksTwice reports whether a write raises a request that is still on its way, and of which nobody says that it fails; or lowers one that the
// provider works at, or has done its part of.
func asksTwice(before, after *corev1.PersistentVolumeClaim) bool {
	old, now := before.Spec.Resources.Requests.Storage(), after.Spec.Resources.Requests.Storage()
	has := func(of corev1.PersistentVolumeClaimConditionType) bool {
		return slices.ContainsFunc(before.Status.Conditions, func(c corev1.PersistentVolumeClaimCondition) bool { return c.Type == of })
	}
	failed, grown := has(corev1.PersistentVolumeClaimControllerResizeError), has(corev1.PersistentVolumeClaimFileSystemResizePending)
	switch compared := now.Cmp(*old); {
	case compared == 0 || old.Cmp(*before.Status.Capacity.Storage()) <= 0:
		return false
	case compared > 0:
		return !failed && !grown
	}
	return grown || !failed && has(corev1.PersistentVolumeClaimResizing)
}

// eachClaim: each bound claim of a pod has at least what the patch of its template asks for, if claims follow.
func (w *wanted) eachClaim() error {
	patches := map[string]corev1.PersistentVolumeClaim{}
	if json.Unmarshal([]byte(w.set.Annotations[claimTemplates]), &patches) != nil || w.set.Annotations[claimPolicy] == "OnDelete" || w.growthIsOdd() || w.asksForLess() ||
		w.paused() > law.PauseUpdates || w.hasNeighbour() || w.set.DeletionTimestamp != nil {
		return nil
	}
	added, placed := w.asksToAdd(), w.placed()
	for template, patch := range patches {
		if slices.Contains(added, template) && !placed[template] {
			continue // new pods are without it
		}
		for _, pod := range w.pods {
			claim := w.state.Claim(template + "-" + pod.Name)
			if claim == nil || claim.Status.Phase != corev1.ClaimBound || w.isForeign(claim, true) || claim.DeletionTimestamp != nil {
				continue
			}
			if asks := claim.Spec.Resources.Requests.Storage(); asks.Cmp(*patch.Spec.Resources.Requests.Storage()) < 0 {
				return fmt.Errorf("claim %s asks for %s, and its template for %s", claim.Name, asks, patch.Spec.Resources.Requests.Storage())
			}
		}
	}
	return nil
}

// smallest is what every claim template of a story asks for by itself.
var smallest = resource.MustParse("1Gi")

// The annotations of claims that follow their templates.
const (
	claimTemplates = "setplan.io/claim-templates"
	claimPolicy    = "setplan.io/claim-update-policy"
)

// growthIsOdd: a patch or a policy of claims cannot be read.
func (r *reading) growthIsOdd() bool {
	return r.set.Annotations[claimPolicy] == "odd" || r.templatesAreOdd()
}

// templatesAreOdd: nobody can say which claim templates are added and removed.
func (r *reading) templatesAreOdd() bool {
	return r.set.Annotations[claimTemplates] == "odd" || r.set.Annotations[claimTemplates] != "" && len(r.spec.ClaimTemplateNames()) == 0 && len(r.asksToAdd()) == 0 ||
		r.addsHalf()
}

// volumeAils: a volume of the set does not grow for now.
func (r *reading) volumeAils() bool {
	for _, name := range r.state.Names(sim.KindClaim) {
		if _, ours := r.claimOf(name); ours && len(r.state.Claim(name).Status.Conditions) > 0 {
			return true
		}
	}
	return false
}

// startsForFileSystem reports whether a pod may be recreated so that the file system of one of its claims grows.
func (r *reading) startsForFileSystem(pod *corev1.Pod) bool {
	if r.set.Annotations[claimPolicy] != "InPlaceOrRecreate" {
		return false
	}
	for _, name := range sim.ClaimsOf(pod) {
		claim := r.state.Claim(name)
		if claim == nil {
			continue
		}
		for _, c := range claim.Status.Conditions {
			if c.Type == corev1.PersistentVolumeClaimFileSystemResizePending && c.Status == corev1.ConditionTrue {
				return true
			}
		}
	}
	return false
}
