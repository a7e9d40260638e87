package invariants

import (
	"strings"

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
