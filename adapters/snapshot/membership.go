package snapshot

import (
	"cmp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// pods lists the pods that the set controls or might want by name, by ordinal.
func (o *Objects) pods() []*corev1.Pod {
	return byOrdinal(among(o.Pods, o.Set, func(pod *corev1.Pod) bool {
		base, _, ok := SplitOrdinal(pod.Name)
		return ok && base == o.Set.Name || metav1.IsControlledBy(pod, o.Set)
	}))
}

// claimTemplates lists the names of the claim templates that the set may have.
func (o *Objects) claimTemplates() []string {
	own := o.Set.ClaimTemplates()
	return ClaimTemplates(own, AddedBy(o.Set.Annotations, own), AddedIn(o.revisions(), own))
}

// claims lists the claims with names of the set's claims, template by template.
func (o *Objects) claims() []*corev1.PersistentVolumeClaim {
	var all []*corev1.PersistentVolumeClaim
	for _, template := range o.claimTemplates() {
		all = append(all, byOrdinal(among(o.Claims, o.Set, func(claim *corev1.PersistentVolumeClaim) bool {
			base, _, ok := SplitOrdinal(claim.Name)
			return ok && base == claimBase(template, o.Set.Name)
		}))...)
	}
	return all
}

// claimBase is the name of the claims that a set makes from a template, without the ordinal.
func claimBase(template, set string) string { return template + "-" + set }

// maxRevisionBase is how much of a set's name a revision's name has: upstream's ControllerRevisionName cuts it.
const maxRevisionBase = 223

// RevisionBase is what the names of a set's revisions have before the dash.
func RevisionBase(set string) string { return set[:min(len(set), maxRevisionBase)] }

// revisions lists the revisions that the set controls, that nobody controls, or that the set might want by name, by name.
func (o *Objects) revisions() []*appsv1.ControllerRevision {
	revisions := among(o.Revisions, o.Set, func(revision *appsv1.ControllerRevision) bool {
		return metav1.GetControllerOfNoCopy(revision) == nil || metav1.IsControlledBy(revision, o.Set) ||
			strings.HasPrefix(revision.Name, RevisionBase(o.Set.Name)+"-")
	})
	slices.SortFunc(revisions, func(a, b *appsv1.ControllerRevision) int { return cmp.Compare(a.Name, b.Name) })
	return revisions
}

// Neighbours lists the other sets that use the same claim names, by template and name. An adapter needs them for its fence, too.
func (o *Objects) Neighbours() []*setplanv1.ClaimNeighbour {
	var all []*setplanv1.ClaimNeighbour
	ours := o.claimTemplates()
	for _, other := range among(o.Others, o.Set, func(other *Set) bool { return other.Name != o.Set.Name }) {
		own := other.ClaimTemplates()
		theirs := ClaimTemplates(own, AddedBy(other.Annotations, own), nil)
		for _, template := range ours {
			if slices.ContainsFunc(theirs, func(their string) bool {
				return claimBase(their, other.Name) == claimBase(template, o.Set.Name)
			}) {
				all = append(all, &setplanv1.ClaimNeighbour{Set: other.Name, ClaimTemplate: template})
			}
		}
	}
	slices.SortFunc(all, func(a, b *setplanv1.ClaimNeighbour) int {
		return cmp.Or(cmp.Compare(a.GetClaimTemplate(), b.GetClaimTemplate()), cmp.Compare(a.GetSet(), b.GetSet()))
	})
	return all
}

// among lists the objects of the set's namespace that belong.
func among[T metav1.Object](objects []T, set *Set, belongs func(T) bool) []T {
	var all []T
	for _, object := range objects {
		if object.GetNamespace() == set.Namespace && belongs(object) {
			all = append(all, object)
		}
	}
	return all
}

// byOrdinal sorts by the number at the end of the name, and then by name, so that the same objects give the same snapshot.
func byOrdinal[T metav1.Object](objects []T) []T {
	slices.SortFunc(objects, func(a, b T) int {
		_, one, _ := SplitOrdinal(a.GetName())
		_, two, _ := SplitOrdinal(b.GetName())
		return cmp.Or(cmp.Compare(one, two), cmp.Compare(a.GetName(), b.GetName()))
	})
	return objects
}
