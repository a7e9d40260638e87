package invariants

import (
	appsv1 "k8s.io/api/apps/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/setplan/setplan/test/sim"
)

// updateBreaches are the ways to break a law of updates, of their order and of what they may take away.
var updateBreaches = map[string]breach{
	"UpdateWithinBudget": {
		reason: "two pods go, and one may",
		spec:   `"replicas":3`,
		pods:   "web-0:old web-1:old web-2:old",
		plant:  func(p *planted) { p.delete("web-2"); p.delete("web-1") },
	},
	"UpdateWithinBudget/order": {
		reason: "web-0 goes before web-1",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant:  func(p *planted) { p.delete("web-0") },
	},
	"UpdateWithinBudget/partition": {
		reason: "web-0 is below the partition",
		spec:   `"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`,
		pods:   "web-0:old",
		plant:  func(p *planted) { p.delete("web-0") },
	},
	"UpdateWithinBudget/current": {
		reason: "web-0 is at the update revision",
		spec:   `"replicas":1`,
		pods:   "web-0:ready",
		plant:  func(p *planted) { p.delete("web-0") },
	},
	"UpdateWithinBudget/OnDelete": {
		reason: "nobody but the user deletes",
		spec:   `"replicas":1,"updateStrategy":{"type":"OnDelete"}`,
		pods:   "web-0:old",
		plant:  func(p *planted) { p.delete("web-0") },
	},
	"BelowPartitionStaysOld": {
		reason: "the pod is made at the new revision",
		spec:   `"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`,
		plant:  func(p *planted) { p.addPod("a", "web-0", "new") },
	},
	"BelowPartitionStaysOld/lost": {
		reason: "the current revision is not seen, and the pod is made at the new one",
		spec:   `"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`,
		plant: func(p *planted) {
			p.must(p.world.Remove("user", sim.KindRevision, "web-old"))
			p.look()
			p.addPod("a", "web-0", "new")
		},
	},
	"UpdateWithinBudget/chosen": {
		reason: "somebody has chosen web-0, and web-1 is not available",
		spec:   `"replicas":2`,
		pods:   "web-0:ready web-1:new",
		plant: func(p *planted) {
			p.annotate(sim.KindPod, "web-0", "setplan.io/recreate", "true")
			p.look()
			p.delete("web-0")
		},
	},
	"LeaderComesLast/chosen": {
		reason: "somebody has chosen the leader, and web-1 is not available",
		spec:   `"replicas":2,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":2}}`,
		pods:   "web-0:ready web-1:new",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/update-rank", "role=primary")
			p.annotate(sim.KindPod, "web-0", "setplan.io/recreate", "true")
			p.relabel("web-0", "role", "primary")
			p.look()
			p.delete("web-0")
		},
	},
	"GatesHold": {
		reason: "nobody has agreed to the update of web-1",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/before-update", "agent")
			p.look()
			p.delete("web-1")
		},
	},
	"GatesHold/taken back": {
		reason: "the answer was taken back since the adapter looked",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/before-update", "agent")
			p.annotate(sim.KindPod, "web-1", "setplan.io/before-update", "web-new")
			p.look()
			p.annotate(sim.KindPod, "web-1", "setplan.io/before-update", "no")
			p.delete("web-1")
		},
	},
	"BudgetsHold": {
		reason: "web-1 is ready, and is deleted and not evicted",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/disruption-budget", "Respect")
			p.look()
			p.delete("web-1")
		},
	},
	"BudgetsHold/below what it wants": {
		reason: "the budget wants two, and two are there",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/disruption-budget", "Respect")
			p.look()
			two := intstr.FromInt32(2)
			p.create("user", &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "guard"},
				Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: &two, Selector: &metav1.LabelSelector{}}})
			pod := p.world.State().Pod("web-1")
			p.monitor.wrote(p.world.State(), sim.Event{Actor: "a", Verb: "delete", Kind: sim.KindPod, Name: "web-1", Old: pod, New: pod, Evicted: true})
		},
	},
	"GatesHold/not confirmed": {
		reason: "web-1 is updated, and nobody has confirmed it",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:ready",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/after-update", "agent")
			p.look()
			p.delete("web-0")
		},
	},
	"GatesHold/file system": {
		reason: "nobody has agreed that web-0 starts anew for its file system",
		spec:   `"replicas":1`,
		pods:   "web-0:mounts",
		plant: func(p *planted) {
			p.waitsForFileSystem()
			p.update(sim.KindSet, "web", func(o sim.Object) {
				o.SetAnnotations(map[string]string{"setplan.io/claim-update-policy": "InPlaceOrRecreate", "setplan.io/before-update": "agent"})
			})
			p.look()
			p.delete("web-0")
		},
	},
	"GatesHold/in place": {
		reason: "nobody has agreed to the update of web-0",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.sameSpecs()
			p.update(sim.KindSet, "web", func(o sim.Object) {
				o.SetAnnotations(map[string]string{annotationInPlace: "InPlaceOnly", annotationBefore: "agent"})
			})
			p.look()
			p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
		},
	},
	"UpdateWithinBudget/images": {
		reason: "the images of two pods change, and those of one may",
		spec:   `"replicas":3`,
		pods:   "web-0:old web-1:old web-2:old",
		plant: func(p *planted) {
			p.otherImages()
			p.reimage("web-2", "main:v2", "web-new")
			p.reimage("web-1", "main:v2", "web-new")
		},
	},
	"UpdateWithinBudget/on its way": {
		reason: "web-1 is ready, and nobody has seen that it runs its new image",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.otherImages()
			p.reimage("web-1", "main:v2", "web-new")
			p.look()
			p.delete("web-0")
		},
	},
	"UpdateWithinBudget/a lower one is on its way": {
		reason: "web-0 is ready, and nobody has seen that it runs its new image",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.otherImages()
			_, err := p.world.Update("user", sim.KindPod, "web-0", sim.Preconditions{}, func(o sim.Object) {
				o.SetAnnotations(map[string]string{annotationUpdate: `{"revision":"web-new"}`})
			})
			p.must(err)
			p.look()
			p.delete("web-1")
		},
	},
	"BudgetsHold/images": {
		reason: "disruption budgets are respected, and nobody asks one",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherImages()
			p.update(sim.KindSet, "web", func(o sim.Object) {
				o.SetAnnotations(map[string]string{annotationInPlace: "InPlaceIfPossible", annotationBudget: "Respect"})
			})
			p.look()
			p.reimage("web-0", "main:v2", "web-new")
		},
	},
	"GatesHold/images": {
		reason: "nobody has agreed to the update of web-0",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherImages()
			p.update(sim.KindSet, "web", func(o sim.Object) {
				o.SetAnnotations(map[string]string{annotationInPlace: "InPlaceIfPossible", annotationBefore: "agent"})
			})
			p.look()
			p.reimage("web-0", "main:v2", "web-new")
		},
	},
	"LeaderComesLast/images": {
		reason: "web-1 leads, and web-0 is outdated, too",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.otherImages()
			p.update(sim.KindSet, "web", func(o sim.Object) {
				o.SetAnnotations(map[string]string{annotationInPlace: "InPlaceIfPossible", annotationRank: "role=primary"})
			})
			p.relabel("web-1", "role", "primary")
			p.look()
			p.reimage("web-1", "main:v2", "web-new")
		},
	},
	"LeaderComesLast": {
		reason: "web-1 leads, and web-0 is outdated, too",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/update-rank", "role=primary")
			p.relabel("web-1", "role", "primary")
			p.look()
			p.delete("web-1")
		},
	},
	"LeaderComesLast/unclear": {
		reason: "nobody leads, and web-1 is available",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/update-rank", "role=primary")
			p.look()
			p.delete("web-1")
		},
	},
	"LeaderComesLast/elected meanwhile": {
		reason: "web-1 has become the leader since the adapter looked",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/update-rank", "role=primary")
			p.relabel("web-0", "role", "primary")
			p.look()
			p.relabel("web-1", "role", "primary")
			p.delete("web-1")
		},
	},
	"LeaderComesLast/rank": {
		reason: "web-0 has a lower rank",
		spec:   `"replicas":3`,
		pods:   "web-0:old web-1:old web-2:old",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/update-rank", "setplan.io/rank")
			p.relabel("web-1", "setplan.io/rank", "1")
			p.relabel("web-2", "setplan.io/rank", "2")
			p.look()
			p.delete("web-1")
		},
	},
}
