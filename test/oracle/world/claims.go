package world

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// makeClaims makes the claims of the range and of pods beyond it. Some are missing, and some are foreign.
func (b *builder) makeClaims() {
	d := &b.dice
	missing := pick(d, 0, 0, 5, 50)
	start := b.start()
	ordinals := map[int]bool{}
	for ordinal := start; ordinal < start+int(*b.set.Spec.Replicas)+3; ordinal++ {
		ordinals[ordinal] = true
	}
	for below := 0; below < min(start, 6); below++ {
		ordinals[below] = true
	}
	for ordinal := range 2 * 3 { // a fixed order: map iteration would differ each time
		b.makeClaimsOf(ordinal, ordinals, missing)
	}
	for ordinal := max(start, 2*3); ordinal < start+int(*b.set.Spec.Replicas)+3; ordinal++ {
		b.makeClaimsOf(ordinal, ordinals, missing)
	}
}

func (b *builder) makeClaimsOf(ordinal int, wanted map[int]bool, missing int) {
	if !wanted[ordinal] {
		return
	}
	for _, template := range b.set.Spec.VolumeClaimTemplates {
		if !b.chance(missing) {
			b.addClaim(template.Name, ordinal)
		}
	}
}

func (b *builder) addClaim(template string, ordinal int) {
	d := &b.dice
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{
		Name: fmt.Sprintf("%s-%s-%d", template, b.set.Name, ordinal), Namespace: b.set.Namespace, UID: b.uid(),
		ResourceVersion: b.version(), CreationTimestamp: *b.ago(900), Labels: map[string]string{"app": "web"}}}
	claim.Status.Phase = pick(d, corev1.ClaimBound, corev1.ClaimBound, corev1.ClaimBound, corev1.ClaimPending, corev1.ClaimLost)
	podName := fmt.Sprintf("%s-%d", b.set.Name, ordinal)
	b.claimOwners(claim, podName, ordinal)
	if d.odd() {
		claim.DeletionTimestamp, claim.Finalizers = b.ago(10), []string{"kubernetes.io/pvc-protection"}
	}
	b.w.Claims = append(b.w.Claims, claim)
}

// claimOwners draws the owners: mostly those that the retention policy wants, often those of another policy, sometimes odd
// ones.
func (b *builder) claimOwners(claim *corev1.PersistentVolumeClaim, podName string, ordinal int) {
	d := &b.dice
	policy := appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{}
	if p := b.set.Spec.PersistentVolumeClaimRetentionPolicy; p != nil {
		policy = *p
	}
	const remove = appsv1.DeletePersistentVolumeClaimRetentionPolicyType
	beyond := ordinal < b.start() || ordinal >= b.start()+int(*b.set.Spec.Replicas)
	switch {
	case d.chance(15): // the policy has changed
		for _, owner := range []func(){
			func() { claim.OwnerReferences = append(claim.OwnerReferences, b.owner(true)) },
			func() { claim.OwnerReferences = append(claim.OwnerReferences, b.podOwner(podName, true)) },
		} {
			if d.chance(50) {
				owner()
			}
		}
	case policy.WhenScaled == remove && beyond:
		claim.OwnerReferences = []metav1.OwnerReference{b.podOwner(podName, true)}
	case policy.WhenDeleted == remove:
		claim.OwnerReferences = []metav1.OwnerReference{b.owner(true)}
	}
	for d.odd() || d.chance(4) {
		claim.OwnerReferences = append(claim.OwnerReferences, pick(d,
			func() metav1.OwnerReference { return someoneElse(true) },
			func() metav1.OwnerReference { return someoneElse(false) },
			func() metav1.OwnerReference { return b.owner(false) },
			b.namesake,
			func() metav1.OwnerReference { return b.podOwner(podName, false) },
			func() metav1.OwnerReference { // our uid with another name
				ref := b.owner(pick(d, true, false))
				ref.Name = "elsewhere"
				return ref
			},
			func() metav1.OwnerReference {
				ref := b.owner(true)
				ref.UID = "uid-of-the-earlier-set"
				return ref
			},
			func() metav1.OwnerReference {
				ref := b.podOwner(podName, true)
				ref.UID = "uid-of-the-earlier-pod"
				return ref
			})())
	}
	if d.chance(10) {
		d.Shuffle(len(claim.OwnerReferences), func(i, j int) {
			claim.OwnerReferences[i], claim.OwnerReferences[j] = claim.OwnerReferences[j], claim.OwnerReferences[i]
		})
	}
}

// podOwner refers to the existing pod, or to one that existed.
func (b *builder) podOwner(name string, controller bool) metav1.OwnerReference {
	ref := metav1.OwnerReference{APIVersion: "v1", Kind: "Pod", Name: name, UID: "uid-of-the-earlier-pod"}
	if pod := b.w.Pod(name); pod != nil {
		ref.UID = pod.UID
	}
	if controller {
		ref.Controller, ref.BlockOwnerDeletion = ptr(true), ptr(true)
	}
	return ref
}
