package invariants

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/sim"
)

// drainBreaches are the ways to break a law of drains.
var drainBreaches = map[string]breach{
	"DataIsDrained": {
		reason: "an adapter deletes a claim that nobody drained",
		plant: func(p *planted) {
			p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
			p.deleteClaim()
		},
	},
	"DataIsDrained/unmarked": {
		reason: "the claim is not the set's to drain",
		plant:  func(p *planted) { p.deleteClaim() },
	},
	"DataIsDrained/another of the name": {
		reason: "the claim that was drained is gone, and another has its name and its mark",
		spec:   `"replicas":0`,
		plant: func(p *planted) {
			p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
			p.drainPod("web-0")
			p.must(p.world.Complete("web-0"))
			p.look()
			p.must(p.world.Remove("user", sim.KindClaim, "www-web-0"))
			p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-web-0",
				Annotations: map[string]string{adapters.AnnotationDrainSet: p.mark()}}})
			p.must(p.world.Remove("user", sim.KindSet, "web")) // nothing but the view is asked
			p.deleteClaim()
		},
	},
	"DataIsDrained/running": {
		reason: "the drain pod has not succeeded",
		spec:   `"replicas":0`,
		plant: func(p *planted) {
			p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
			p.drainPod("web-0")
			p.deleteClaim()
		},
	},
	"DataIsDrained/by the garbage collector": {
		reason: "the set has the finalizer of the drain, and a claim that belongs to it",
		plant: func(p *planted) {
			p.ownClaimAs("gc", p.owner())
			p.keep()
			p.must(p.world.Delete("user", sim.KindSet, "web", sim.Preconditions{}, metav1.DeletePropagationForeground))
		},
	},
	"DataIsDrained/with its pod": {
		reason: "a marked claim belongs to a pod outside the range that somebody deletes",
		spec:   `"replicas":0`,
		pods:   "web-0:ready",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", adapters.AnnotationDrainTemplate, "{}")
			p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
			pod := p.world.State().Pod("web-0")
			p.ownClaimAs("gc", metav1.OwnerReference{APIVersion: "v1", Kind: sim.KindPod, Name: pod.Name, UID: pod.UID})
			p.must(p.world.Remove("user", sim.KindPod, "web-0"))
			p.world.CollectGarbage()
		},
	},
	"FinalizerComesLast": {
		reason: "the set gets the finalizer of the drain while a claim belongs to it",
		plant: func(p *planted) {
			p.ownClaimAs("user", p.owner())
			p.look()
			p.update(sim.KindSet, "web", func(o sim.Object) { o.SetFinalizers([]string{FinalizerDrain}) })
		},
	},
	"DataIsDrained/interrupted": {
		reason: "the drain pod has succeeded while its node stopped it",
		spec:   `"replicas":0`,
		plant: func(p *planted) {
			p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
			p.drainPod("web-0")
			p.must(p.world.Interrupt("web-0"))
			p.look()
			p.deleteClaim()
		},
	},
	"DataIsDrained/unproven": {
		reason: "the drain pod has not handed its token back",
		spec:   `"replicas":0`,
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", adapters.AnnotationDrainProof, "Token")
			p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
			p.drainPod("web-0")
			p.must(p.world.Complete("web-0")) // no token was in its environment
			p.look()
			p.deleteClaim()
		},
	},
	"DrainPodsFinish": {
		reason: "a drain pod that runs is broken off",
		spec:   `"replicas":0`,
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", adapters.AnnotationDrainTemplate, "{}")
			p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
			p.drainPod("web-0")
			p.look()
			p.delete("web-0")
		},
	},
	"SetStaysUntilDrained": {
		reason: "the finalizer goes while a claim is marked",
		plant: func(p *planted) {
			p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
			p.keep()
			p.must(p.world.Delete("user", sim.KindSet, "web", sim.Preconditions{}, metav1.DeletePropagationBackground))
			p.look()
			p.update(sim.KindSet, "web", func(o sim.Object) { o.SetFinalizers(nil) })
		},
	},
	"OnlyMarkedIsDrained": {
		reason: "the claim was there before the policy",
		spec:   `"replicas":0`,
		plant:  func(p *planted) { p.drainPod("web-0") },
	},
	"DrainsInOrder": {
		reason: "web-0 is drained while web-1 has a replica",
		spec:   `"replicas":0`,
		pods:   "web-1:ready",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", adapters.AnnotationDrainTemplate, "{}")
			p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
			p.look()
			p.drainPod("web-0")
		},
	},
	"DrainsInOrder/replica": {
		reason: "web-0 goes while web-1 is not drained",
		spec:   `"replicas":0`,
		pods:   "web-0:ready",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", adapters.AnnotationDrainTemplate, "{}")
			p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-web-1"}})
			p.annotate(sim.KindClaim, "www-web-1", adapters.AnnotationDrainSet, p.mark())
			p.look()
			p.delete("web-0")
		},
	},
}
