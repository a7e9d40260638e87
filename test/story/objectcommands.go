package story

import (
	"encoding/json"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/sim"
)

// podCommand: "pod web-1 VERB ...", what users, nodes and other controllers do to pods.
func (r *Runner) podCommand(c Command) {
	name := c.arg(0)
	switch verb := c.arg(1); verb {
	case "fail":
		r.must(r.world.End("kubelet", name, corev1.PodFailed, ""))
	case "succeed":
		r.must(r.world.End("kubelet", name, corev1.PodSucceeded, ""))
	case "complete":
		r.must(r.world.Complete(name))
	case "interrupt":
		r.must(r.world.Interrupt(name))
	case "evict":
		r.must(r.world.End("kubelet", name, corev1.PodFailed, "Evicted"))
	case "unready", "ready":
		r.must(r.world.SetReady("kubelet", name, verb == "ready"))
	case "crash":
		r.must(r.world.Restart(name, c.Options["container"]))
	case "resize":
		r.resizeCommand(name, c)
	case "room":
		r.world.Room(name, c.Options["refuses"])
	case "lost":
		r.must(r.world.LoseNode(name))
	case "unclear":
		r.must(r.world.Unclear(name))
	case "hold", "release":
		r.world.Hold(name, verb == "hold")
	case "answer":
		r.change(sim.KindPod, name, func(o sim.Object) {
			annotate(o, map[string]string{adapters.AnnotationDrainAnswer: o.GetAnnotations()[adapters.AnnotationDrainRequest]})
		})
	case "agree":
		r.change(sim.KindPod, name, func(o sim.Object) {
			for _, ref := range o.GetOwnerReferences() {
				if set := r.world.State().Set(ref.Name); set != nil {
					annotate(o, map[string]string{"setplan.io/before-update": set.Status.UpdateRevision, "setplan.io/after-update": set.Status.UpdateRevision})
				}
			}
		})
	case "create":
		_, err := r.world.Create(user, r.newPod(name, c))
		r.must(err)
	default:
		r.objectCommand(sim.KindPod, c)
	}
}

// newPod makes somebody else's pod: "pod web-1 create labels=app=web owner=ReplicaSet/other claims=www:other".
func (r *Runner) newPod(name string, c Command) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels(c.Options["labels"])}}
	pod.Spec.Containers = []corev1.Container{{Name: "nginx", Image: "nginx:v0"}}
	pod.OwnerReferences = r.owners(c)
	return pod
}

// claimCommand: "claim www-web-0 create|delete|lose|own|...". "is" lays the fields of its input over the claim, as its provider would.
func (r *Runner) claimCommand(c Command) {
	name := c.arg(0)
	switch c.arg(1) {
	case "create":
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels(c.Options["labels"]),
			OwnerReferences: r.owners(c)}}
		_, err := r.world.Create(user, claim)
		r.must(err)
	case "is":
		r.change(sim.KindClaim, name, func(o sim.Object) {
			if err := json.Unmarshal([]byte(c.Input), o); err != nil {
				panic(usageError(err.Error()))
			}
		})
	case "lose":
		r.change(sim.KindClaim, name, func(o sim.Object) {
			o.(*corev1.PersistentVolumeClaim).Status.Phase = corev1.ClaimLost
		})
	default:
		r.objectCommand(sim.KindClaim, c)
	}
}

// revisionCommand: "revision web-xyz create|orphan|...", with the data of a created revision as input.
func (r *Runner) revisionCommand(c Command) {
	name := c.arg(0)
	switch c.arg(1) {
	case "create":
		revision := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels(c.Options["labels"]),
			OwnerReferences: r.owners(c)}}
		revision.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: sim.KindRevision}
		revision.Revision = int64(c.number(c.Options["number"]))
		revision.Data.Raw = []byte(c.Input)
		_, err := r.world.Create(user, revision)
		r.must(err)
	default:
		r.objectCommand(sim.KindRevision, c)
	}
}

// objectCommand has the verbs for objects of any kind.
func (r *Runner) objectCommand(kind string, c Command) {
	name := c.arg(0)
	switch verb := c.arg(1); verb {
	case "delete":
		r.must(r.world.Delete(user, kind, name, sim.Preconditions{}, metav1.DeletePropagationBackground))
	case "remove":
		r.must(r.world.Remove(user, kind, name))
	case "orphan":
		r.change(kind, name, func(o sim.Object) { o.SetOwnerReferences(nil) })
	case "own":
		r.change(kind, name, func(o sim.Object) { o.SetOwnerReferences(append(o.GetOwnerReferences(), r.owners(c)...)) })
	case "relabel":
		r.change(kind, name, func(o sim.Object) {
			merged := maps.Clone(o.GetLabels())
			if merged == nil {
				merged = map[string]string{}
			}
			for key, value := range labels(c.Options["labels"]) {
				if value == "" {
					delete(merged, key)
				} else {
					merged[key] = value
				}
			}
			o.SetLabels(merged)
		})
	case "annotate":
		r.change(kind, name, func(o sim.Object) { annotate(o, c.Options) })
	case "finalize":
		r.change(kind, name, func(o sim.Object) { o.SetFinalizers(append(o.GetFinalizers(), "example.com/hold")) })
	case "unfinalize":
		r.change(kind, name, func(o sim.Object) {
			o.SetFinalizers(slices.DeleteFunc(o.GetFinalizers(), func(f string) bool { return f == "example.com/hold" }))
		})
	default:
		panic(usageError("nothing can be done to a " + kind + " by " + verb))
	}
}

// annotate sets annotations, and removes those without a value.
func annotate(o sim.Object, values map[string]string) {
	annotations := maps.Clone(o.GetAnnotations())
	if annotations == nil {
		annotations = map[string]string{}
	}
	for key, value := range values {
		if value == "" {
			delete(annotations, key)
		} else {
			annotations[key] = value
		}
	}
	o.SetAnnotations(annotations)
}

func (r *Runner) change(kind, name string, f func(sim.Object)) {
	_, err := r.world.Update(user, kind, name, sim.Preconditions{}, f)
	r.must(err)
}

// owners reads "owner=Kind/name", with "plain" for an owner that is no controller, and "uid=" for an owner other than the present
// object of that name.
func (r *Runner) owners(c Command) []metav1.OwnerReference {
	text, given := c.Options["owner"]
	if !given {
		return nil
	}
	kind, name := cutOwner(text)
	ref := metav1.OwnerReference{APIVersion: "v1", Kind: kind, Name: name, UID: types.UID(c.Options["uid"])}
	if kind == sim.KindSet || kind == "ReplicaSet" {
		ref.APIVersion = "apps/v1"
	}
	if owner := r.world.State().Get(kind, name); owner != nil && ref.UID == "" {
		ref.UID = owner.GetUID()
	}
	if ref.UID == "" {
		ref.UID = "uid-elsewhere"
	}
	if !slices.Contains(c.Args, "plain") {
		yes := true
		ref.Controller = &yes
	}
	return []metav1.OwnerReference{ref}
}
