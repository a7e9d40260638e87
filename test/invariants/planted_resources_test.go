package invariants

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/setplan/setplan/test/sim"
)

// otherResources lets the revisions differ in the resources of the container alone, of which all pods have the old ones. The set wants its pods updated
// in place.
func (p *planted) otherResources(old, new string) {
	p.t.Helper()
	template := func(resources string) string {
		return `"spec":{"containers":[{"name":"main","resources":` + resources + `}]}`
	}
	p.revise("web-old", template(old))
	p.revise("web-new", template(new))
	p.update(sim.KindSet, "web", func(o sim.Object) {
		set := o.(*sim.Set)
		set.Annotations = map[string]string{annotationInPlace: "InPlaceIfPossible"}
		set.Spec = []byte(strings.Replace(string(set.Spec), `"template":{}`, `"template":{`+template(new)+`}`, 1))
	})
	p.resources = wantedOf(p.world.State().Revision("web-old")).Spec.Containers[0].Resources
	for _, name := range p.world.State().Names(sim.KindPod) {
		p.must(p.world.Remove("user", sim.KindPod, name))
		p.addPod("user", name, "old")
		p.gets(name)
	}
	p.look()
}

// gets lets the kubelet give a pod what it asks for.
func (p *planted) gets(pod string) {
	p.t.Helper()
	_, err := p.world.Update("kubelet", sim.KindPod, pod, sim.Preconditions{}, func(o sim.Object) {
		pod := o.(*corev1.Pod)
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", ContainerID: "sim://1", Resources: pod.Spec.Containers[0].Resources.DeepCopy(),
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
	})
	p.must(err)
}

// sends notes that a pod is on its way to the new revision; more is what else the note says.
func (p *planted) sends(pod, more string) {
	p.annotate(sim.KindPod, pod, annotationUpdate, `{"resize":{"main":{"requests":{"cpu":"1"}}},"revision":"web-new"`+more+`}`)
}

// asks lets a pod ask for so much cpu.
func (p *planted) asks(pod, cpu string) {
	p.t.Helper()
	_, err := p.world.Resize("a", pod, sim.Preconditions{}, func(o sim.Object) {
		o.(*corev1.Pod).Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse(cpu)
	})
	p.must(err)
}

const oneCPU, twoCPU = `{"requests":{"cpu":"1"}}`, `{"requests":{"cpu":"2"}}`

// resourceBreaches are the ways to break a law with resources that change in place.
var resourceBreaches = map[string]breach{
	"InPlaceIsRight/resources that are not noted": {
		reason: "web-0 is on its way nowhere, and asks for more",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherResources(oneCPU, twoCPU)
			p.asks("web-0", "2")
		},
	},
	"InPlaceIsRight/other resources": {
		reason: "web-0 asks for what its revision does not say",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherResources(oneCPU, twoCPU)
			p.sends("web-0", "")
			p.asks("web-0", "3")
		},
	},
	"InPlaceIsRight/resources in one write": {
		reason: "the label changes, and nobody has noted that resources do",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherResources(oneCPU, twoCPU)
			p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
		},
	},
	"InPlaceIsRight/a limit that is gone": {
		reason: "the API server takes no limit away",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherResources(`{"limits":{"memory":"1Gi"},"requests":{"cpu":"1"}}`, twoCPU)
			p.sends("web-0", "")
		},
	},
	"InPlaceIsRight/class of service": {
		reason: "the pod would be guaranteed what it asks for",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherResources(`{"limits":{"cpu":"2","memory":"1Gi"},"requests":{"cpu":"1"}}`, `{"limits":{"cpu":"2","memory":"1Gi"}}`)
			p.sends("web-0", "")
		},
	},
	"InPlaceIsRight/order of resources": {
		reason: "web-1 asks for more, and has not got it",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.otherResources(oneCPU, twoCPU)
			p.sends("web-1", "")
			p.asks("web-1", "2")
			p.look()
			p.sends("web-0", "")
		},
	},
	"LabelsAreTrue/resources that are not given": {
		reason: "web-0 asks for more, and has not got it",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherResources(oneCPU, twoCPU)
			p.sends("web-0", "")
			p.asks("web-0", "2")
			p.look()
			p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
		},
	},
	"LabelsAreTrue/resources that nobody has asked for": {
		reason: "web-0 asks for what it has",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherResources(oneCPU, twoCPU)
			p.sends("web-0", "")
			p.look()
			p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
		},
	},
	"UpdateWithinBudget/resources": {
		reason: "containers of two pods start anew for their resources, and those of one may",
		spec:   `"replicas":3`,
		pods:   "web-0:old web-1:old web-2:old",
		plant: func(p *planted) {
			p.otherResources(oneCPU, twoCPU)
			p.sends("web-2", `,"restarts":true`)
			p.sends("web-1", `,"restarts":true`)
		},
	},
	"UpdateWithinBudget/room": {
		reason: "nobody refuses what web-0 asks for",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherResources(oneCPU, twoCPU)
			p.sends("web-0", "")
			p.asks("web-0", "2")
			p.look()
			p.delete("web-0")
		},
	},
}
