package invariants

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/test/sim"
)

// podBreaches are the ways to break a law of which pods there are.
var podBreaches = map[string]breach{
	"AtMostOne": {
		reason: "a pod of the name is there",
		pods:   "web-0:ready",
		plant: func(p *planted) {
			p.monitor.wrote(p.world.State(), sim.Event{Actor: "a", Verb: "create", Kind: sim.KindPod, Name: "web-0", New: p.world.State().Pod("web-0")})
		},
	},
	"OrderedReady": {
		reason: "web-1 is made while web-0 is not ready",
		spec:   `"replicas":2`,
		pods:   "web-0:pending",
		plant:  func(p *planted) { p.addPod("a", "web-1", "new") },
	},
	"OrderedReady/scale down": {
		reason: "web-1 goes although web-2 is higher",
		spec:   `"replicas":1`,
		pods:   "web-0:ready web-1:ready web-2:ready",
		plant:  func(p *planted) { p.delete("web-1") },
	},
	"OrderedReady/two at once": {
		reason: "web-1 goes while web-2 is still going",
		spec:   `"replicas":1`,
		pods:   "web-0:ready web-1:ready web-2:ready",
		plant:  func(p *planted) { p.delete("web-2"); p.delete("web-1") },
	},
	"GuardKeeps": {
		reason: "web-1 is outside the range, and not reserved",
		spec:   `"replicas":1`,
		pods:   "web-0:ready web-1:ready",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/scale-in-guard", "named")
			p.look()
			p.delete("web-1")
		},
	},
	"ScaleUpWithinLimit": {
		reason: "web-0 is starting, and one may",
		spec:   `"replicas":2,"podManagementPolicy":"Parallel"`,
		pods:   "web-0:new",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/scale-up-limit", "1")
			p.look()
			p.addPod("a", "web-1", "new")
		},
	},
	"PauseHolds": {
		reason: "updates are paused, and web-0 is outdated",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/pause", "Updates")
			p.look()
			p.delete("web-0")
		},
	},
	"PauseHolds/HealOnly": {
		reason: "web-1 is outside the range, and only pods that are missing are made",
		spec:   `"replicas":1`,
		pods:   "web-0:ready web-1:ready",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/pause", "HealOnly")
			p.look()
			p.delete("web-1")
		},
	},
	"PauseHolds/All": {
		reason: "a missing pod is made, although all is paused",
		spec:   `"replicas":1`,
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/pause", "All")
			p.look()
			p.addPod("a", "web-0", "new")
		},
	},
	"OrderedReady/reserved": {
		reason: "web-2 is made before web-0 is available; web-1 is reserved and has to be there for nobody",
		spec:   `"replicas":2`,
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", "setplan.io/reserved-ordinals", "1")
			p.look()
			p.addPod("a", "web-2", "new")
		},
	},
	"DeletingSetStatusOnly": {
		reason: "a pod is deleted for a set that is going",
		pods:   "web-0:ready",
		plant: func(p *planted) {
			p.must(p.world.Delete("user", sim.KindSet, "web", sim.Preconditions{}, metav1.DeletePropagationOrphan))
			p.look()
			p.delete("web-0")
		},
	},
}
