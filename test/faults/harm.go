package faults

import (
	"fmt"
	"strings"

	"github.com/setplan/setplan/test/sim"
)

func (t *teller) pod() string {
	set := t.set()
	pod := t.existing(sim.KindPod, fmt.Sprintf("%s-%d", set, t.IntN(5)))
	return "pod " + pod + " " + t.pick("fail", "evict", "succeed", "delete", "delete", "unready", "ready", "orphan", "relabel labels=app=debug",
		"relabel labels=app="+owner(pod), "relabel labels=statefulset.kubernetes.io/pod-name=", "remove", "hold", "release", "release",
		"create labels=app="+owner(pod), "create labels=app=x owner=ReplicaSet/x", "finalize", "unfinalize", "unfinalize")
}

// owner returns the set of a pod, by its name.
func owner(pod string) string {
	if i := strings.LastIndex(pod, "-"); i > 0 {
		return pod[:i]
	}
	return pod
}

// node loses a node with a pod on it: only the node controller says that the pod is unready, and nobody stops it.
func (t *teller) node() []Step {
	pod := t.existing(sim.KindPod, t.set()+"-0")
	return steps("pod "+pod+" hold", "pod "+pod+" unready", t.pick("gc", "pod "+pod+" delete", "pod "+pod+" remove"))
}

func (t *teller) claim() string {
	claim := t.existing(sim.KindClaim, "www-web-0")
	return "claim " + claim + " " + t.pick("delete", "delete", "orphan", "create", "lose", "finalize", "unfinalize", "unfinalize",
		"own owner=Backup/b", "own owner=Backup/b plain", "own owner=StatefulSet/"+t.set()+" plain")
}

func (t *teller) revision() string {
	revision := t.existing(sim.KindRevision, "web-0")
	return "revision " + revision + " " + t.pick("orphan", "delete", "remove", "relabel labels=app=x", "own owner=StatefulSet/"+t.set())
}

// replaceSet deletes a set, or recreates one under its name.
func (t *teller) replaceSet() []Step {
	set := t.set()
	if t.runner.World().State().Set(set) == nil {
		return t.newSet(set)
	}
	if t.IntN(2) == 0 {
		return steps("gc x2")
	}
	return steps("delete " + set + " " + t.pick("background", "foreground", "orphan"))
}

func (t *teller) status() string {
	return "status " + t.set() + " " + t.pick("currentReplicas=0", "replicas=9", "collisionCount=2", "currentRevision=gone")
}

func (t *teller) fault() string {
	return "fault " + t.pick("any", "any", "create_pod", "delete_pod", "create_claim", "set_claim_owners", "patch_pod", "update_status",
		"create_revision", "adopt_pod", "delete_revision") + " " + t.pick("500", "409", "quota", "timeout", "lost", "lost") + " x" +
		t.pick("1", "1", "2", "4") + t.as()
}

// late lets the world change before or during the application of a plan, while the other adapter works on.
func (t *teller) late() []Step {
	step := Step{Line: "during"}
	if t.IntN(2) == 0 {
		step.Line += " after=" + t.pick("1", "2", "3")
	}
	for range 1 + t.IntN(6) {
		step.Input = append(step.Input, t.pick("kubelet x2", "gc", t.edit(), t.pod(), t.claim(), "reconcile "+t.set()+" as=b",
			"reconcile "+t.set()+" as=b", "clock "+t.pick("+3s", "+2m", "-5s")))
		if t.has[policies] && t.IntN(3) == 0 {
			step.Input = append(step.Input, t.pick(t.drainEdit(), t.drainPod(), t.markedClaim(), t.scale(),
				"delete "+t.set()+t.pick(" foreground", " background")))
		}
	}
	return []Step{step}
}

// remedy is what a user does about sets that are at rest but not in the desired state, so that the life goes on.
func (t *teller) remedy() {
	state := t.runner.World().State()
	for _, set := range t.sets {
		if state.Set(set) == nil {
			t.tellAll("set made", t.newSet(set))
		} else if t.IntN(2) == 0 {
			t.tell("user edit", Step{Line: "edit " + set + " image=" + t.pick("v1", "v2", "v3")})
		}
	}
	for _, name := range state.Names(sim.KindPod) {
		if pod := state.Pod(name); len(pod.Finalizers) > 0 {
			t.tell("pod", Step{Line: "pod " + name + " unfinalize"})
		} else if len(pod.OwnerReferences) == 0 || pod.Status.Phase != "Running" || t.IntN(12) == 0 {
			t.tell("pod", Step{Line: "pod " + name + " delete"})
		}
	}
	for _, name := range state.Names(sim.KindClaim) {
		if claim := state.Claim(name); len(claim.Finalizers) > 1 {
			t.tell("claim", Step{Line: "claim " + name + " unfinalize"})
		} else if claim.Status.Phase == "Lost" || t.IntN(6) == 0 {
			t.tell("claim", Step{Line: "claim " + name + " delete"})
		}
	}
}
