package invariants

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

// planted is a world with a set, two revisions and a claim, in which a test misbehaves as adapter "a".
type planted struct {
	t       *testing.T
	world   *sim.World
	monitor *Monitor
	adapter *sim.Adapter

	resources corev1.ResourceRequirements // of the containers of new pods
}

func plant(t *testing.T, spec, pods string) *planted {
	p := &planted{t: t, world: sim.NewWorld()}
	p.monitor = Watch(p.world, setplanv1.Behavior_BEHAVIOR_SETPLAN)
	p.adapter = sim.NewAdapter(p.world, "a")
	p.adapter.ActFor("web")
	if spec != "" {
		spec += ","
	}
	set := &sim.Set{ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: []byte(`{` + spec + `"selector":{"matchLabels":{"app":"web"}},"template":{}}`)}
	if !strings.Contains(spec, "volumeClaimTemplates") {
		set.Spec = []byte(strings.TrimSuffix(string(set.Spec), "}") + `,"volumeClaimTemplates":[{"metadata":{"name":"www"}}]}`)
	}
	set.Status.CurrentRevision = "web-old"
	p.create("user", set)
	for i, name := range []string{"web-old", "web-new"} { // the template of the set is empty
		revision := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "web"},
			OwnerReferences: []metav1.OwnerReference{p.owner()}}, Revision: int64(i + 1)}
		revision.Data.Raw = []byte(fmt.Sprintf(`{"spec":{"template":{"$patch":"replace"%s}}}`, []string{`,"n":0`, ``}[i]))
		p.create("user", revision)
	}
	p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-web-0"}})
	for _, pod := range strings.Fields(pods) {
		name, state, _ := strings.Cut(pod, ":")
		p.addPod("user", name, state)
	}
	p.look()
	return p
}

// look gives the adapter a fresh view.
func (p *planted) look() {
	_, err := p.adapter.Snapshot(context.Background(), adapters.Key{Namespace: sim.Namespace, Name: "web"})
	p.must(err)
}

func (p *planted) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *planted) create(actor string, object sim.Object) {
	p.t.Helper()
	_, err := p.world.Create(actor, object)
	p.must(err)
}

func (p *planted) owner() metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{APIVersion: "apps/v1", Kind: sim.KindSet, Name: "web", UID: p.world.State().Set("web").UID, Controller: &yes}
}

// addPod creates a pod of the set: "ready" at the new revision, "mounts" so with the claim, "old" is ready at the old one, others are just created.
func (p *planted) addPod(actor, name, state string) {
	revision := "web-new"
	if state == "old" {
		revision = "web-old"
	}
	spec := corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Resources: p.resources}}}
	if state == "mounts" {
		spec.Volumes = []corev1.Volume{{Name: "www", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "www-web-0"}}}}
	}
	p.create(actor, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name,
		OwnerReferences: []metav1.OwnerReference{p.owner()},
		Labels:          map[string]string{"app": "web", appsv1.ControllerRevisionHashLabelKey: revision}},
		Spec: spec})
	if state == "ready" || state == "mounts" || state == "old" {
		_, err := p.world.Update("kubelet", sim.KindPod, name, sim.Preconditions{}, func(o sim.Object) {
			o.(*corev1.Pod).Status.Phase = corev1.PodRunning
			o.(*corev1.Pod).Spec.NodeName = "node-1"
		})
		p.must(err)
		p.must(p.world.SetReady("kubelet", name, true))
	}
}

func (p *planted) update(kind, name string, change func(sim.Object)) {
	p.t.Helper()
	_, err := p.world.Update("a", kind, name, sim.Preconditions{}, change)
	p.must(err)
}

func (p *planted) delete(pod string) {
	p.t.Helper()
	p.must(p.world.Delete("a", sim.KindPod, pod, sim.Preconditions{}, ""))
}

// ofPod is the reference by which a claim belongs to a pod.
func (p *planted) ofPod(name string) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{APIVersion: "v1", Kind: sim.KindPod, Name: name, UID: p.world.State().Pod(name).UID, Controller: &yes}
}

func (p *planted) ownClaim(refs ...metav1.OwnerReference) { p.ownClaimAs("a", refs...) }

func (p *planted) ownClaimAs(actor string, refs ...metav1.OwnerReference) {
	p.t.Helper()
	_, err := p.world.Update(actor, sim.KindClaim, "www-web-0", sim.Preconditions{}, func(o sim.Object) { o.SetOwnerReferences(refs) })
	p.must(err)
}

// request lets the claim ask for so much storage; has is the size of its volume.
func (p *planted) request(actor, has, asks string) {
	p.t.Helper()
	_, err := p.world.Update("user", sim.KindClaim, "www-web-0", sim.Preconditions{}, func(o sim.Object) {
		claim := o.(*corev1.PersistentVolumeClaim)
		claim.Status.Phase, claim.Status.Capacity = corev1.ClaimBound, corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(has)}
	})
	p.must(err)
	_, err = p.world.Update(actor, sim.KindClaim, "www-web-0", sim.Preconditions{}, func(o sim.Object) {
		o.(*corev1.PersistentVolumeClaim).Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(asks)}
	})
	p.must(err)
}

// waitsForFileSystem lets the file system of the claim grow only once its pod starts again.
func (p *planted) waitsForFileSystem() {
	p.t.Helper()
	_, err := p.world.Update("user", sim.KindClaim, "www-web-0", sim.Preconditions{}, func(o sim.Object) {
		o.(*corev1.PersistentVolumeClaim).Status.Conditions = []corev1.PersistentVolumeClaimCondition{
			{Type: corev1.PersistentVolumeClaimFileSystemResizePending, Status: corev1.ConditionTrue}}
	})
	p.must(err)
}

func (p *planted) deleteClaim() {
	p.t.Helper()
	p.must(p.world.Delete("a", sim.KindClaim, "www-web-0", sim.Preconditions{}, ""))
}

func (p *planted) mark() string { return "web/" + string(p.world.State().Set("web").UID) }

func (p *planted) annotate(kind, name, key, value string) {
	p.update(kind, name, func(o sim.Object) { o.SetAnnotations(map[string]string{key: value}) })
}

// sameSpecs lets the revisions differ in labels alone.
func (p *planted) sameSpecs() {
	p.t.Helper()
	p.revise("web-old", `"metadata":{"labels":{"tier":"gold"}}`)
	p.look()
}

// revise gives a revision another template, without its braces.
func (p *planted) revise(name, template string) {
	p.t.Helper()
	old := p.world.State().Revision(name)
	p.must(p.world.Remove("user", sim.KindRevision, name))
	p.create("user", &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: old.Labels, OwnerReferences: old.OwnerReferences}, Revision: old.Revision,
		Data: runtime.RawExtension{Raw: []byte(`{"spec":{"template":{"$patch":"replace",` + template + `}}}`)}})
}

// otherImages lets the revisions differ in images alone, and has the pods run those. The set wants its pods updated in place.
func (p *planted) otherImages() {
	p.t.Helper()
	template := func(image string) string { return `"spec":{"containers":[{"name":"main","image":"` + image + `"}]}` }
	p.revise("web-old", template("main:v1"))
	p.revise("web-new", template("main:v2"))
	p.update(sim.KindSet, "web", func(o sim.Object) {
		set := o.(*sim.Set)
		set.Annotations = map[string]string{annotationInPlace: "InPlaceIfPossible"}
		set.Spec = []byte(strings.Replace(string(set.Spec), `"template":{}`, `"template":{`+template("main:v2")+`}`, 1))
	})
	for _, name := range p.world.State().Names(sim.KindPod) {
		image := "main:v2"
		if revisionOf(p.world.State().Pod(name)) == "web-old" {
			image = "main:v1"
		}
		_, err := p.world.Update("kubelet", sim.KindPod, name, sim.Preconditions{}, func(o sim.Object) {
			pod := o.(*corev1.Pod)
			pod.Spec.Containers[0].Image = image
			pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", Image: image, ContainerID: "sim://1",
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
		})
		p.must(err)
	}
	p.look()
}

// reimage changes the image of a pod, and notes to which revision that is.
func (p *planted) reimage(pod, image, revision string) {
	p.t.Helper()
	p.update(sim.KindPod, pod, func(o sim.Object) {
		o.(*corev1.Pod).Spec.Containers[0].Image = image
		o.SetAnnotations(map[string]string{annotationUpdate: `{"revision":"` + revision + `"}`})
	})
}

// runs lets the kubelet say which image the container of a pod runs.
func (p *planted) runs(pod, image string) {
	p.t.Helper()
	_, err := p.world.Update("kubelet", sim.KindPod, pod, sim.Preconditions{}, func(o sim.Object) {
		status := &o.(*corev1.Pod).Status.ContainerStatuses[0]
		status.Image, status.ContainerID = image, "sim://2"
	})
	p.must(err)
	p.look()
}

// relabel gives a pod a label.
func (p *planted) relabel(pod, key, value string) {
	p.update(sim.KindPod, pod, func(o sim.Object) {
		labels := maps.Clone(o.GetLabels())
		labels[key] = value
		o.SetLabels(labels)
	})
}

// keep gives the set a drain policy with drain-on-delete, and the finalizer.
func (p *planted) keep() {
	p.t.Helper()
	_, err := p.world.Update("user", sim.KindSet, "web", sim.Preconditions{}, func(o sim.Object) {
		o.SetAnnotations(map[string]string{adapters.AnnotationDrainTemplate: "{}", adapters.AnnotationDrainOnDelete: "true"})
		o.SetFinalizers([]string{FinalizerDrain})
	})
	p.must(err)
}

// drainPod creates the drain pod of an ordinal, on its claim.
func (p *planted) drainPod(name string) {
	p.t.Helper()
	p.drainPodOn(name, "www-"+name)
}

// neighbour creates a set that shares a claim name with the set with template www-db, and that claim.
func (p *planted) neighbour() {
	p.t.Helper()
	p.create("user", &sim.Set{ObjectMeta: metav1.ObjectMeta{Name: "db-web"},
		Spec: []byte(`{"selector":{"matchLabels":{"app":"db"}},"template":{},"volumeClaimTemplates":[{"metadata":{"name":"www"}}]}`)})
	p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-db-web-0"}})
	p.look()
}

func (p *planted) drainPodOn(name, on string) {
	p.t.Helper()
	claim := p.world.State().Claim(on)
	p.create("a", &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{
			adapters.AnnotationDrainSet: p.mark(), adapters.AnnotationDrainClaims: string(claim.UID)}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "drain"}}, Volumes: []corev1.Volume{{Name: "www",
			VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name}}}}},
	})
}
