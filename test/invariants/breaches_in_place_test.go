package invariants

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/test/sim"
)

// inPlaceBreaches are the ways to break a law of updates in place, of the labels of revisions and of the revisions.
var inPlaceBreaches = map[string]breach{
	"InPlaceIsRight": {
		reason: "the revisions differ in the image, too",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", annotationInPlace, "InPlaceIfPossible")
			p.look()
			p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
		},
	},
	"InPlaceIsRight/nobody asks": {
		reason: "the set wants its pods recreated",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.sameSpecs()
			p.annotate(sim.KindSet, "web", annotationInPlace, "Recreate")
			p.look()
			p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
		},
	},
	"InPlaceIsRight/order": {
		reason: "web-1 is outdated, too",
		spec:   `"replicas":2`,
		pods:   "web-0:old web-1:old",
		plant: func(p *planted) {
			p.sameSpecs()
			p.annotate(sim.KindSet, "web", annotationInPlace, "InPlaceIfPossible")
			p.look()
			p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
		},
	},
	"InPlaceIsRight/partition": {
		reason: "web-0 is below the partition",
		spec:   `"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.sameSpecs()
			p.annotate(sim.KindSet, "web", annotationInPlace, "InPlaceIfPossible")
			p.look()
			p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
		},
	},
	"InPlaceIsRight/kept": {
		reason: "the set keeps its pods, and web-0 is deleted",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.annotate(sim.KindSet, "web", annotationInPlace, "InPlaceOnly")
			p.look()
			p.delete("web-0")
		},
	},
	"InPlaceIsRight/more than images": {
		reason: "the revisions differ in something else, too",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherImages()
			p.revise("web-old", `"n":0,"spec":{"containers":[{"name":"main","image":"main:v1"}]}`)
			p.look()
			p.reimage("web-0", "main:v2", "web-new")
		},
	},
	"InPlaceIsRight/nobody asks for images": {
		reason: "the set wants its pods recreated",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherImages()
			p.annotate(sim.KindSet, "web", annotationInPlace, "Recreate")
			p.look()
			p.reimage("web-0", "main:v2", "web-new")
		},
	},
	"InPlaceIsRight/elsewhere": {
		reason: "web-0 is on its way to web-new, and is said to be at web-old",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherImages()
			p.reimage("web-0", "main:v2", "web-new")
			p.runs("web-0", "main:v2")
			p.annotate(sim.KindPod, "web-0", annotationUpdate, "{}")
		},
	},
	"LabelsAreTrue": {
		reason: "the container runs the old image",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherImages()
			p.reimage("web-0", "main:v2", "web-new")
			p.look()
			p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
		},
	},
	"LabelsAreTrue/at once": {
		reason: "the image and the label change in one write",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherImages()
			p.update(sim.KindPod, "web-0", func(o sim.Object) {
				o.(*corev1.Pod).Spec.Containers[0].Image = "main:v2"
				o.SetLabels(map[string]string{"app": "web", appsv1.ControllerRevisionHashLabelKey: "web-new"})
			})
		},
	},
	"LabelsAreTrue/nothing runs": {
		reason: "the container does not run, and the note of what is under way goes",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherImages()
			p.reimage("web-0", "main:v2", "web-new")
			p.look()
			p.reimage("web-0", "main:v1", "web-old")
			_, err := p.world.Update("kubelet", sim.KindPod, "web-0", sim.Preconditions{}, func(o sim.Object) {
				o.(*corev1.Pod).Status.ContainerStatuses[0].State = corev1.ContainerState{}
			})
			p.must(err)
			p.look()
			p.annotate(sim.KindPod, "web-0", annotationUpdate, "{}")
		},
	},
	"RevisionsOnlyGrow/on its way": {
		reason: "a pod is on its way to the revision that goes",
		spec:   `"replicas":1`,
		pods:   "web-0:old",
		plant: func(p *planted) {
			p.otherImages()
			p.create("user", &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "web-mid", Labels: map[string]string{"app": "web"},
				OwnerReferences: []metav1.OwnerReference{p.owner()}}})
			_, err := p.world.Update("user", sim.KindPod, "web-0", sim.Preconditions{}, func(o sim.Object) {
				o.SetAnnotations(map[string]string{annotationUpdate: `{"revision":"web-mid"}`})
			})
			p.must(err)
			p.look()
			p.must(p.world.Delete("a", sim.KindRevision, "web-mid", sim.Preconditions{}, metav1.DeletePropagationBackground))
		},
	},
	"RevisionsOnlyGrow": {
		reason: "a revision gets a smaller number",
		plant: func(p *planted) {
			p.update(sim.KindRevision, "web-new", func(o sim.Object) { o.(*appsv1.ControllerRevision).Revision = 1 })
		},
	},
	"RevisionsOnlyGrow/data": {
		reason: "the data of a revision changes; the API would refuse it, so it is written past it",
		plant: func(p *planted) {
			old := p.world.State().Revision("web-new")
			changed := old.DeepCopy()
			changed.Data.Raw = []byte(`{}`)
			p.monitor.wrote(p.world.State(), sim.Event{Actor: "a", Verb: "update", Kind: sim.KindRevision, Name: "web-new", Old: old, New: changed})
		},
	},
}
