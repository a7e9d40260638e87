package faults

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// variant is one way of a perturbation.
type variant struct {
	name string
	at   func(p *perturbed, point int)
}

var variants = map[string][]variant{
	IntermediateState: {
		{"one crash", func(p *perturbed, point int) { p.tell(fmt.Sprintf("crash after %d", point+1)) }},
		{"a crash, and then an old view", func(p *perturbed, point int) {
			p.tell(fmt.Sprintf("crash after %d", point+1))
			p.before = func(p *perturbed, _ int) bool {
				if done := p.runner.Done(); done.Crashes == 1 && p.crashed == 0 {
					p.crashed++
					p.tell("adapter rewind 2")
				} else if p.crashed == 1 {
					p.crashed++
					p.tell("thaw")
				}
				return true
			}
		}},
	},
	StaleState: {
		rewind(4, 2), rewind(1, 1), rewind(2, 1), rewind(8, 1), rewind(16, 2),
	},
	TornCaches: {
		torn("pods", 3), torn("pods", 1), torn("claims", 2), torn("revisions", 1), torn("sets", 1), torn("sets", 2),
	},
	UnobservedState: {
		unseen(2), unseen(1), unseen(4),
		flickerPod("web-0", "unready", "ready"),
		flickerPod("web-1", "orphan", "own owner=StatefulSet/web"),
		flickerPod("web-1", "relabel labels=app=debug", "relabel labels=app=web"),
		flickerSpec("replicas", 5, func(s *appsv1.StatefulSetSpec) int32 { return *s.Replicas }),
		flickerSpec("replicas", 0, func(s *appsv1.StatefulSetSpec) int32 { return *s.Replicas }),
		flickerSpec("partition", 7, func(s *appsv1.StatefulSetSpec) int32 { return *s.UpdateStrategy.RollingUpdate.Partition }),
	},
}

// rewind takes the whole view back by some writes, for some reconciles.
func rewind(writes, reconciles int) variant {
	return heldFor(fmt.Sprintf("back by %d writes for %d reconciles", writes, reconciles), fmt.Sprintf("adapter rewind %d", writes), reconciles)
}

// torn takes one cache back, and the adapter starts anew.
func torn(kind string, writes int) variant {
	v := heldFor(fmt.Sprintf("%s back by %d writes", kind, writes), fmt.Sprintf("stale %s=%d", kind, writes), 1)
	at := v.at
	v.at = func(p *perturbed, point int) {
		at(p, point)
		stale := p.before
		p.before = func(p *perturbed, reconcile int) bool {
			if reconcile == point {
				p.tell("adapter restart")
			}
			return stale(p, reconcile)
		}
	}
	return v
}

func heldFor(name, line string, reconciles int) variant {
	return variant{name, func(p *perturbed, point int) {
		p.before = func(p *perturbed, reconcile int) bool {
			switch reconcile {
			case point:
				p.tell(line)
			case point + reconciles:
				p.tell("thaw")
			}
			return true
		}
	}}
}

// unseen keeps the adapter from looking for some reconciles.
func unseen(reconciles int) variant {
	return variant{fmt.Sprintf("nothing seen for %d reconciles", reconciles), func(p *perturbed, point int) {
		p.before = func(_ *perturbed, reconcile int) bool { return reconcile < point || reconcile >= point+reconciles }
	}}
}

// flicker changes something and changes it back between two views, where the world has what it needs.
func flicker(name string, change func(p *perturbed) (there, back string)) variant {
	return variant{name + ", there and back", func(p *perturbed, point int) {
		p.before = func(p *perturbed, reconcile int) bool {
			if reconcile != point {
				return true
			}
			if there, back := change(p); there != "" {
				p.tell(there)
				p.tell(back)
			}
			return true
		}
	}}
}

// flickerPod does it to a pod that is ready and the set's.
func flickerPod(pod, there, back string) variant {
	return flicker("pod "+pod+" "+there, func(p *perturbed) (string, string) {
		state := p.runner.World().State()
		if found := state.Pod(pod); found == nil || state.Set("web") == nil || !metav1.IsControlledBy(found, state.Set("web")) ||
			found.DeletionTimestamp != nil || found.Status.Phase != corev1.PodRunning || len(found.Status.Conditions) == 0 ||
			found.Status.Conditions[0].Status != corev1.ConditionTrue {
			return "", ""
		}
		return "pod " + pod + " " + there, "pod " + pod + " " + back
	})
}

// flickerSpec edits a field of the set and edits it back.
func flickerSpec(option string, value int, read func(spec *appsv1.StatefulSetSpec) int32) variant {
	return flicker(fmt.Sprintf("edit web %s=%d", option, value), func(p *perturbed) (string, string) {
		set := p.runner.World().State().Set("web")
		var spec appsv1.StatefulSetSpec
		if set == nil || json.Unmarshal(set.Spec, &spec) != nil || option == "partition" && spec.UpdateStrategy.RollingUpdate == nil {
			return "", ""
		}
		return fmt.Sprintf("edit web %s=%d", option, value), fmt.Sprintf("edit web %s=%d", option, read(&spec))
	})
}
