package invariants

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/test/sim"
)

// claimBreaches are the ways to break a law of claims, and of what is somebody else's.
var claimBreaches = map[string]breach{
	"VolumesGrowOnce": {
		reason: "it grows from 1Gi to 2Gi",
		spec:   `"replicas":1`,
		pods:   "web-0:ready",
		plant: func(p *planted) {
			p.request("user", "1Gi", "2Gi")
			p.look()
			p.request("a", "1Gi", "3Gi")
		},
	},
	"NeighboursKeepTheirs": {
		reason: "set db-web calls its claim www-db-web-0 as well",
		spec:   `"replicas":0,"volumeClaimTemplates":[{"metadata":{"name":"www-db"}}]`,
		plant: func(p *planted) {
			p.neighbour()
			p.must(p.world.Delete("a", sim.KindClaim, "www-db-web-0", sim.Preconditions{}, ""))
		},
	},
	"NeighboursKeepTheirs/drain pod": {
		reason: "a drain pod empties it",
		spec:   `"replicas":0,"volumeClaimTemplates":[{"metadata":{"name":"www-db"}}]`,
		plant: func(p *planted) {
			p.neighbour()
			p.drainPodOn("web-0", "www-db-web-0")
		},
	},
	"ClaimsFollowRetention": {
		reason: "Retain, Retain has no owner",
		plant:  func(p *planted) { p.ownClaim(p.owner()) },
	},
	"ClaimsFollowRetention/its pod": {
		reason: "whenScaled Delete gives the claim of a pod outside the range to that pod",
		spec:   `"replicas":0,"persistentVolumeClaimRetentionPolicy":{"whenScaled":"Delete","whenDeleted":"Retain"}`,
		pods:   "web-0:ready",
		plant: func(p *planted) {
			p.ownClaimAs("user", p.ofPod("web-0"))
			p.look()
			p.ownClaim()
		},
	},
	"ClaimsFollowRetention/foreign": {
		reason: "somebody else's reference is lost",
		plant: func(p *planted) {
			other := metav1.OwnerReference{APIVersion: "v1", Kind: "Backup", Name: "b", UID: "u"}
			p.ownClaimAs("user", other)
			p.look()
			p.ownClaim()
		},
	},
	"ClaimsBeforePods": {
		reason: "the claim does not exist",
		spec:   `"replicas":2,"podManagementPolicy":"Parallel","volumeClaimTemplates":[{"metadata":{"name":"www"}}]`,
		pods:   "web-0:ready",
		plant:  func(p *planted) { p.addPod("a", "web-1", "new") },
	},
	"ClaimsBeforePods/earlier set": {
		reason: "the claim goes with a set of the name that was deleted",
		spec:   `"replicas":2,"podManagementPolicy":"Parallel","volumeClaimTemplates":[{"metadata":{"name":"www"}}]`,
		pods:   "web-0:ready",
		plant: func(p *planted) {
			earlier := p.owner()
			earlier.UID = "earlier"
			p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-web-1", OwnerReferences: []metav1.OwnerReference{earlier}}})
			p.look()
			p.addPod("a", "web-1", "new")
		},
	},
	"PodsHaveTheirClaims": {
		reason: "the pod lacks the claim that pods of its revision have",
		spec:   `"replicas":2,"podManagementPolicy":"Parallel"`,
		pods:   "web-0:ready",
		plant: func(p *planted) {
			p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-web-1"}})
			p.look()
			p.addPod("a", "web-1", "new")
		},
	},
	"PodsHaveTheirClaims/removed": {
		reason: "the pod has a claim that pods of its revision do not have",
		plant: func(p *planted) {
			labels := map[string]string{"app": "web", appsv1.ControllerRevisionHashLabelKey: "web-less"}
			less := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "web-less", Labels: labels, OwnerReferences: []metav1.OwnerReference{p.owner()}}, Revision: 3}
			less.Data.Raw = []byte(`{"setplan.io/claim-templates":{"www":null},"spec":{"template":{"$patch":"replace"}}}`)
			p.create("user", less)
			p.look()
			p.create("a", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0", Labels: labels, OwnerReferences: []metav1.OwnerReference{p.owner()}},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main"}}, Volumes: []corev1.Volume{{Name: "www", VolumeSource: corev1.VolumeSource{
					PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "www-web-0"}}}}}})
		},
	},
	"PodsHaveTheirClaims/added": {
		reason: "the pod lacks the claim of a template that its revision adds",
		plant: func(p *planted) {
			labels := map[string]string{"app": "web", appsv1.ControllerRevisionHashLabelKey: "web-more"}
			more := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "web-more", Labels: labels, OwnerReferences: []metav1.OwnerReference{p.owner()}}, Revision: 3}
			more.Data.Raw = []byte(`{"setplan.io/claim-templates":{"wal":{"spec":{}}},"spec":{"template":{"$patch":"replace"}}}`)
			p.create("user", more)
			p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "wal-web-0"}})
			p.look()
			p.create("a", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0", Labels: labels, OwnerReferences: []metav1.OwnerReference{p.owner()}},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main"}}}})
		},
	},
	"WantedClaimsStay": {
		reason: "a pod of the range goes, and its claim refers to it since the set was scaled down and up again",
		spec:   `"replicas":1,"persistentVolumeClaimRetentionPolicy":{"whenScaled":"Delete","whenDeleted":"Retain"}`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.ownClaimAs("user", p.ofPod("web-0"))
			p.look()
			p.delete("web-0")
		},
	},
	"WantedClaimsStay/condemned": {
		reason: "the policy has become Retain since the claim was handed over",
		spec:   `"replicas":0`,
		pods:   "web-0:ready",
		plant: func(p *planted) {
			p.ownClaimAs("user", p.ofPod("web-0"))
			p.look()
			p.delete("web-0")
		},
	},
	"OnlyItsOwn": {
		reason: "the pod of another set is deleted",
		plant: func(p *planted) {
			p.create("user", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-1-0"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{}}}})
			p.look()
			p.delete("web-1-0")
		},
	},
	"OnlyItsOwn/a stranger's labels": {
		reason: "a pod that nobody controls is changed without being adopted",
		plant: func(p *planted) {
			p.create("user", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-1"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{}}}})
			p.look()
			p.update(sim.KindPod, "web-1", func(o sim.Object) { o.SetLabels(map[string]string{"app": "web"}) })
		},
	},
}
