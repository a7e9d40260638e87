package story

import (
	"maps"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

const user = "user"

func key(name string) adapters.Key { return adapters.Key{Namespace: sim.Namespace, Name: name} }

// behaviorCommand: "behavior KUBERNETES_1_36". Begins a new world.
func (r *Runner) behaviorCommand(c Command) {
	value, known := setplanv1.Behavior_value["BEHAVIOR_"+c.arg(0)]
	if !known {
		panic(usageError("no behavior is called " + c.arg(0)))
	}
	r.reset(setplanv1.Behavior(value))
}

// setCommand: "set name=web replicas=2 claims=www ...", with a JSON merge patch of the spec as input.
func (r *Runner) setCommand(c Command) {
	words := maps.Clone(c.Options)
	name := words["name"]
	delete(words, "name")
	set, err := NewSet(name, words, c.Input)
	r.must(err)
	_, err = r.world.Create(user, set)
	r.must(err)
}

// editCommand: "edit web replicas=5", with a JSON merge patch of the spec as input.
func (r *Runner) editCommand(c Command) {
	set := r.world.State().Set(c.arg(0))
	if set == nil {
		panic(usageError("no set " + c.arg(0)))
	}
	spec, err := ChangeSpec(set.Spec, c.Options, c.Input)
	r.must(err)
	_, err = r.world.Update(user, sim.KindSet, set.Name, sim.Preconditions{}, func(o sim.Object) { o.(*sim.Set).Spec = spec })
	r.must(err)
}

// annotateCommand: "annotate web setplan.io/repair=Unready"; without a value it removes the annotation.
func (r *Runner) annotateCommand(c Command) {
	r.change(sim.KindSet, c.arg(0), func(o sim.Object) {
		annotations := maps.Clone(o.GetAnnotations())
		if annotations == nil {
			annotations = map[string]string{}
		}
		for name, value := range c.Options {
			if annotations[name] = value; value == "" {
				delete(annotations, name)
			}
		}
		for _, name := range c.Args[1:] {
			delete(annotations, name)
		}
		o.SetAnnotations(annotations)
	})
}

// statusCommand: "status web currentReplicas=2 collisionCount=1". A foreign write to the status.
func (r *Runner) statusCommand(c Command) {
	_, err := r.world.Update(user, sim.KindSet, c.arg(0), sim.Preconditions{}, func(o sim.Object) {
		status := &o.(*sim.Set).Status
		for field, value := range c.Options {
			switch field {
			case "currentReplicas":
				status.CurrentReplicas = int32(c.number(value))
			case "replicas":
				status.Replicas = int32(c.number(value))
			case "currentRevision":
				status.CurrentRevision = value
			case "collisionCount":
				count := int32(c.number(value))
				status.CollisionCount = &count
			default:
				panic(usageError("no status field " + field))
			}
		}
	})
	r.must(err)
}

// deleteCommand: "delete web [background|foreground|orphan]".
func (r *Runner) deleteCommand(c Command) {
	policy := map[string]metav1.DeletionPropagation{"foreground": metav1.DeletePropagationForeground,
		"orphan": metav1.DeletePropagationOrphan}[c.argOr(1, "background")]
	r.must(r.world.Delete(user, sim.KindSet, c.arg(0), sim.Preconditions{}, policy))
}

// clockCommand: "clock +10s".
func (r *Runner) clockCommand(c Command) {
	d, err := time.ParseDuration(c.arg(0))
	r.must(err)
	r.world.Advance(d)
}

// kubeletCommand: "kubelet [x2]". Steps of the kubelet, a second each. "kubelet old" makes it one that does not say what it has seen, and "kubelet
// new" one that does.
func (r *Runner) kubeletCommand(c Command) {
	if age := c.argOr(0, ""); age == "old" || age == "new" {
		r.world.OldKubelet(age == "old")
		return
	}
	for range c.number(c.argOr(0, "x1")) {
		r.world.Advance(time.Second)
		r.world.Kubelet()
	}
}

// gcCommand: "gc [x2]". Steps of the garbage collector.
func (r *Runner) gcCommand(c Command) {
	for range c.number(c.argOr(0, "x1")) {
		r.world.CollectGarbage()
	}
}
