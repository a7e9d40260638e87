package invariants

import (
	"bytes"
	"fmt"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// revisionData: what a revision holds never changes.
func revisionData(w *world, s step) []string {
	if s.revision == nil {
		return nil
	}
	if before, known := w.data[s.revision.UID]; known && !bytes.Equal(before, s.revision.Data.Raw) {
		return []string{fmt.Sprintf("the data of %s changed from %s to %s", s.revision.Name, before, s.revision.Data.Raw)}
	}
	return nil
}

// revisionNumbers: a revision gets a number, or another number, that is higher than all that the set has.
func revisionNumbers(w *world, s step) (broken []string) {
	if s.revision == nil || s.deleted {
		return nil
	}
	before := w.revisions[s.revision.Name]
	if before != nil && before.UID == s.revision.UID && before.Revision == s.revision.Revision {
		return nil
	}
	controller := metav1.GetControllerOf(s.revision)
	if controller == nil {
		return nil
	}
	for name, other := range w.revisions {
		owner := metav1.GetControllerOf(other)
		if owner != nil && owner.UID == controller.UID && other.Revision >= s.revision.Revision {
			broken = append(broken, fmt.Sprintf("%s got the number %d while %s had %d", s.revision.Name, s.revision.Revision, name, other.Revision))
		}
	}
	return broken
}

// retention: the owners of each pod's claims are those of the retention policy.
func retention(w *world) (broken []string) {
	for _, set := range w.sets {
		if set.DeletionTimestamp != nil {
			continue
		}
		first, end := bounds(set)
		for _, template := range set.Spec.VolumeClaimTemplates {
			for ordinal := first; ordinal < end; ordinal++ {
				name := template.Name + "-" + set.Name + "-" + strconv.Itoa(ordinal)
				claim := w.claims[name]
				if claim == nil || w.podAt(set, ordinal) == nil {
					broken = append(broken, fmt.Sprintf("%s, or its pod, is missing", name))
					continue
				}
				if got, want := owners(claim.OwnerReferences), wantedOwners(set); got != want {
					broken = append(broken, fmt.Sprintf("%s has the owners [%s], the policy wants [%s]", name, got, want))
				}
			}
		}
	}
	return broken
}

// wantedOwners are the owners of a claim whose ordinal is in the range.
func wantedOwners(set *appsv1.StatefulSet) string {
	policy := set.Spec.PersistentVolumeClaimRetentionPolicy
	if policy == nil || policy.WhenDeleted != appsv1.DeletePersistentVolumeClaimRetentionPolicyType {
		return ""
	}
	return owners([]metav1.OwnerReference{*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))})
}

func owners(references []metav1.OwnerReference) string {
	var b bytes.Buffer
	for _, r := range references {
		fmt.Fprintf(&b, "%s %s %s controller=%t;", r.Kind, r.Name, r.UID, r.Controller != nil && *r.Controller)
	}
	return b.String()
}
