package lies

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

// judge looks at every write of the liar, and at what the garbage collector makes of it.
type judge struct {
	world    *sim.World
	set      *sim.Set // as it was when the plan came
	spec     spec
	drain    string
	onDelete bool
	problems []string
	emptied  map[types.UID]bool // claims that a drain pod had drained when the plan came
	staying  map[types.UID]bool // objects that were there and not going when the plan came
}

// spec is what the judge reads of a set.
type spec struct {
	Replicas    int64                  `json:"replicas"`
	Selector    metav1.LabelSelector   `json:"selector"`
	Template    corev1.PodTemplateSpec `json:"template"`
	ServiceName string                 `json:"serviceName"`
	Retention   struct {
		WhenDeleted string `json:"whenDeleted"`
		WhenScaled  string `json:"whenScaled"`
	} `json:"persistentVolumeClaimRetentionPolicy"`
	Claims []corev1.PersistentVolumeClaim `json:"volumeClaimTemplates"`
}

func newJudge(world *sim.World) *judge {
	j := &judge{world: world}
	world.OnWrite(func(before sim.State, event sim.Event) {
		switch {
		case event.Actor == Liar:
			j.write(before, event)
		case event.Actor == "gc" && event.Kind == sim.KindClaim && event.Verb == "delete":
			j.collected(before, event)
		}
	})
	return j
}

// try begins a plan for a set.
func (j *judge) try(name string) {
	*j = judge{world: j.world, set: j.world.State().Set(name)}
	if j.set != nil {
		_ = json.Unmarshal(j.set.Spec, &j.spec)
		j.drain = j.set.Annotations[adapters.AnnotationDrainTemplate]
		j.onDelete = j.set.Annotations[adapters.AnnotationDrainOnDelete] == "true"
		j.emptied = j.drainedBy(j.world.State())
		j.staying = staying(j.world.State())
	}
}

func (j *judge) find(format string, args ...any) {
	j.problems = append(j.problems, fmt.Sprintf(format, args...))
}

// before is an executor that looks at what the simulated cluster does not: it has one namespace.
func (j *judge) before(next adapters.Executor) adapters.Executor {
	return executorFunc(func(ctx context.Context, key adapters.Key, action *setplanv1.Action) adapters.Result {
		if namespace := action.GetTarget().GetNamespace(); namespace != sim.Namespace {
			j.find("%s in namespace %q", adapters.OperationName(action), namespace)
		}
		for _, manifest := range [][]byte{action.GetCreatePod().GetManifest(), action.GetCreateClaim().GetManifest(), action.GetCreateRevision().GetManifest()} {
			var object metav1.PartialObjectMetadata
			if err := json.Unmarshal(manifest, &object); err == nil && (object.Namespace != sim.Namespace || object.Name != action.GetTarget().GetName()) {
				j.find("a manifest of %s/%s for %s", object.Namespace, object.Name, action.GetTarget().GetName())
			}
		}
		return next.Apply(ctx, key, action)
	})
}

type executorFunc func(context.Context, adapters.Key, *setplanv1.Action) adapters.Result

func (f executorFunc) Apply(ctx context.Context, key adapters.Key, action *setplanv1.Action) adapters.Result {
	return f(ctx, key, action)
}

func (j *judge) write(before sim.State, event sim.Event) {
	if event.Old == nil {
		j.created(event)
		return
	}
	if !j.own(event.Old) {
		j.find("%s of %s %s, which is not the object of %s", event.Verb, event.Kind, event.Name, j.set.Name)
		return
	}
	switch event.Kind {
	case sim.KindSet:
		j.setChanged(event)
	case sim.KindClaim:
		if event.Verb == "delete" || event.Verb == "remove" {
			j.drained(before, event.Old.(*corev1.PersistentVolumeClaim))
		} else {
			j.ownersChanged(before, event.Old, event.New)
			if !equality.Semantic.DeepEqual(event.Old.(*corev1.PersistentVolumeClaim).Spec, event.New.(*corev1.PersistentVolumeClaim).Spec) {
				j.find("the spec of claim %s changed", event.Name)
			}
		}
	case sim.KindPod:
		if event.Verb == "update" {
			j.podChanged(event.Old.(*corev1.Pod), event.New.(*corev1.Pod))
		}
	}
}

// own reports whether an object is the set's, by name, owner and mark.
func (j *judge) own(object sim.Object) bool {
	if j.set == nil {
		return false
	}
	controller := metav1.GetControllerOf(object)
	ours := controller != nil && controller.UID == j.set.UID
	base, _, numbered := member(object.GetName())
	switch o := object.(type) {
	case *sim.Set:
		return o.UID == j.set.UID
	case *corev1.Pod:
		return ours || controller == nil && numbered && base == j.set.Name && (o.Labels["app"] == j.set.Name || o.Annotations[adapters.AnnotationDrainSet] == j.mark())
	case *appsv1.ControllerRevision:
		return ours || controller == nil && o.Labels["app"] == j.set.Name
	default:
		return numbered && j.templateOf(object.GetName()) != nil
	}
}

func (j *judge) mark() string { return j.set.Name + "/" + string(j.set.UID) }

// member splits a name at its ordinal.
func member(name string) (base string, ordinal int64, ok bool) {
	dash := strings.LastIndexByte(name, '-')
	if dash < 0 {
		return "", 0, false
	}
	_, err := fmt.Sscanf(name[dash+1:], "%d", &ordinal)
	return name[:dash], ordinal, err == nil
}

func (j *judge) templateOf(claim string) *corev1.PersistentVolumeClaim {
	base, _, _ := member(claim)
	for i := range j.spec.Claims {
		if base == j.spec.Claims[i].Name+"-"+j.set.Name {
			return &j.spec.Claims[i]
		}
	}
	return nil
}

func (j *judge) setChanged(event sim.Event) {
	if event.Verb == "remove" && event.New == nil && event.Old.GetDeletionTimestamp() != nil {
		return // our finalizer was the last
	}
	before, _ := event.Old.(*sim.Set)
	after, _ := event.New.(*sim.Set)
	if after == nil || event.Verb != "update" && event.Verb != "remove" {
		j.find("%s of the set", event.Verb)
		return
	}
	without := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(f string) bool { return f == "setplan.io/drain" })
	}
	if !reflect.DeepEqual(before.Annotations, after.Annotations) || !reflect.DeepEqual(before.Labels, after.Labels) ||
		string(before.Spec) != string(after.Spec) || !slices.Equal(without(before.Finalizers), without(after.Finalizers)) {
		j.find("the set was changed beyond status and our finalizer")
	}
	for _, c := range after.Status.Conditions {
		if len(c.Message) > 1024 || len(c.Reason) > 64 {
			j.find("a condition is as long as a planner likes")
		}
	}
	if len(after.Status.CurrentRevision) > 253 || len(after.Status.UpdateRevision) > 253 {
		j.find("the status names what no snapshot can")
	}
}

// drainedBy are the claims that drain pods of the set have drained.
func (j *judge) drainedBy(state sim.State) map[types.UID]bool {
	drained := map[types.UID]bool{}
	for _, name := range state.Names(sim.KindPod) {
		pod := state.Pod(name)
		if pod.Annotations[adapters.AnnotationDrainSet] != j.mark() || pod.Status.Phase != corev1.PodSucceeded || pod.DeletionTimestamp != nil {
			continue
		}
		for uid := range strings.SplitSeq(pod.Annotations[adapters.AnnotationDrainClaims], ",") {
			drained[types.UID(uid)] = true
		}
	}
	return drained
}

func staying(state sim.State) map[types.UID]bool {
	there := map[types.UID]bool{}
	for _, kind := range []string{sim.KindSet, sim.KindPod} {
		for _, name := range state.Names(kind) {
			if object := state.Get(kind, name); object.GetDeletionTimestamp() == nil {
				there[object.GetUID()] = true
			}
		}
	}
	return there
}

// alsoOf is another set that calls a claim its own; empty where there is none.
func (j *judge) alsoOf(claim string) string {
	base, _, _ := member(claim)
	for _, name := range j.world.State().Names(sim.KindSet) {
		var other spec
		_ = json.Unmarshal(j.world.State().Set(name).Spec, &other)
		for i := range other.Claims {
			if name != j.set.Name && base == other.Claims[i].Name+"-"+name {
				return name
			}
		}
	}
	return ""
}

// drained is the one way by which a claim may go.
func (j *judge) drained(before sim.State, claim *corev1.PersistentVolumeClaim) {
	if other := j.alsoOf(claim.Name); other != "" {
		j.find("claim %s is deleted, and set %s calls it its own", claim.Name, other)
	}
	if claim.Annotations[adapters.AnnotationDrainSet] == j.mark() && j.drain != "" {
		// A plan may delete the drain pod before the claim: the data is drained all the same.
		if j.emptied[claim.UID] || j.drainedBy(before)[claim.UID] {
			return
		}
	}
	j.find("claim %s is deleted and was not drained", claim.Name)
}

// ownersChanged: a claim refers to nobody new but to whom the retention policy says.
func (j *judge) ownersChanged(before sim.State, old, updated sim.Object) {
	_, ordinal, _ := member(old.GetName())
	for _, ref := range updated.GetOwnerReferences() {
		if slices.ContainsFunc(old.GetOwnerReferences(), func(r metav1.OwnerReference) bool { return r.UID == ref.UID && r.Kind == ref.Kind }) {
			continue
		}
		pod := before.Pod(ref.Name)
		switch {
		case ref.UID == j.set.UID && j.spec.Retention.WhenDeleted == "Delete" && !(j.drain != "" && j.onDelete):
		case ref.Kind == sim.KindPod && pod != nil && pod.UID == ref.UID && j.own(pod) && ref.Name == fmt.Sprintf("%s-%d", j.set.Name, ordinal) &&
			ordinal >= j.spec.Replicas && j.spec.Retention.WhenScaled == "Delete" && j.drain == "":
		default:
			j.find("claim %s gets the owner %s %s", old.GetName(), ref.Kind, ref.Name)
		}
	}
	for _, ref := range old.GetOwnerReferences() {
		if ref.UID != j.set.UID && ref.Kind != sim.KindPod && !slices.ContainsFunc(updated.GetOwnerReferences(), func(r metav1.OwnerReference) bool { return r.UID == ref.UID }) {
			j.find("claim %s loses the owner %s %s", old.GetName(), ref.Kind, ref.Name)
		}
	}
}

// collected: the garbage collector takes a claim only where the retention policy of its set lets it go. Under a drain policy
// it finds no claim that was not drained and whose owner was to stay when the plan came.
func (j *judge) collected(before sim.State, event sim.Event) {
	if j.set == nil || j.templateOf(event.Name) == nil {
		return
	}
	for _, ref := range event.Old.GetOwnerReferences() {
		if uid := event.Old.GetUID(); j.drain != "" && j.staying[ref.UID] && !j.emptied[uid] && !j.drainedBy(before)[uid] {
			j.find("the garbage collector takes claim %s with %s %s, and it was not drained", event.Name, ref.Kind, ref.Name)
		}
	}
	if j.spec.Retention.WhenDeleted != "Delete" && j.spec.Retention.WhenScaled != "Delete" {
		j.find("the garbage collector takes claim %s, which is to be retained", event.Name)
	}
}

func (j *judge) created(event sim.Event) {
	if j.set == nil {
		j.find("%s %s made for a set that is gone", event.Kind, event.Name)
		return
	}
	switch object := event.New.(type) {
	case *corev1.Pod:
		j.podCreated(object)
	case *corev1.PersistentVolumeClaim:
		template := j.templateOf(object.Name)
		if _, ordinal, _ := member(object.Name); template == nil || ordinal >= j.spec.Replicas || !equality.Semantic.DeepEqual(template.Spec, object.Spec) || len(object.OwnerReferences) > 0 {
			j.find("claim %s is not what its template says, or of no ordinal of the set", object.Name)
		}
	case *appsv1.ControllerRevision:
		if !metav1.IsControlledBy(object, j.set) || !strings.HasPrefix(object.Name, j.set.Name+"-") || !equality.Semantic.DeepEqual(templateIn(object), &j.spec.Template) {
			j.find("revision %s does not store the set's template", object.Name)
		}
	default:
		j.find("a %s is made", event.Kind)
	}
}

// templateIn is the template that a revision stores.
func templateIn(revision *appsv1.ControllerRevision) *corev1.PodTemplateSpec {
	var data struct {
		Spec struct {
			Template *corev1.PodTemplateSpec `json:"template"`
		} `json:"spec"`
	}
	_ = json.Unmarshal(revision.Data.Raw, &data)
	return data.Spec.Template
}

func (j *judge) podCreated(pod *corev1.Pod) {
	base, ordinal, ok := member(pod.Name)
	if !ok || base != j.set.Name || metav1.IsControlledBy(pod, j.set) && ordinal >= j.spec.Replicas {
		j.find("pod %s has no name that the set gives", pod.Name)
	}
	if !metav1.IsControlledBy(pod, j.set) {
		var template corev1.PodTemplateSpec
		_ = json.Unmarshal([]byte(j.drain), &template)
		if pod.Annotations[adapters.AnnotationDrainSet] != j.mark() || pod.Labels["app"] == j.set.Name || !j.runs(pod, &template) {
			j.find("pod %s is neither a replica nor what the drain template says", pod.Name)
		}
		for i := range j.spec.Claims {
			if other := j.alsoOf(j.spec.Claims[i].Name + "-" + pod.Name); other != "" {
				j.find("pod %s drains a claim that set %s calls its own", pod.Name, other)
			}
		}
		return
	}
	if !slices.ContainsFunc(j.templates(), func(t *corev1.PodTemplateSpec) bool { return j.runs(pod, t) }) {
		j.find("pod %s runs what no template of the set says: %+v", pod.Name, pod.Spec)
	}
}

// templates are those of the set, as it is and as its revisions store it.
func (j *judge) templates() []*corev1.PodTemplateSpec {
	templates := []*corev1.PodTemplateSpec{&j.spec.Template}
	for _, name := range j.world.State().Names(sim.KindRevision) {
		if revision := j.world.State().Revision(name); j.own(revision) && templateIn(revision) != nil {
			templates = append(templates, templateIn(revision))
		}
	}
	return templates
}

// runs compares a pod with a template: what a set adds is the address and the volumes of the claims.
func (j *judge) runs(pod *corev1.Pod, template *corev1.PodTemplateSpec) bool {
	spec, want := pod.Spec.DeepCopy(), template.Spec.DeepCopy()
	want.Hostname, want.Subdomain = pod.Name, j.spec.ServiceName
	if want.RestartPolicy == "" {
		want.RestartPolicy = corev1.RestartPolicyOnFailure
	}
	var volumes []corev1.Volume
	for _, claim := range j.spec.Claims {
		volumes = append(volumes, corev1.Volume{Name: claim.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name + "-" + pod.Name}}})
	}
	want.Volumes = append(volumes, want.Volumes...)
	return equality.Semantic.DeepEqual(spec, want)
}
