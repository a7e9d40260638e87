package faults

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/sim"
)

// policyKinds are what comes in a life with policies, beside what comes in every life.
var policyKinds = []kind{
	{"drain policy", 2, func(t *teller) []Step { return steps(t.drainEdit()) }},
	{"repair policy", 1, func(t *teller) []Step { return steps(t.repairPolicy(t.set())) }},
	{"scaled", 3, func(t *teller) []Step { return steps(t.scale()) }},
	{"drain story", 3, (*teller).drainStory},
	{"repair story", 2, (*teller).repairStory},
	{"deletion story", 2, (*teller).deletionStory},
	{"drain pod", 4, func(t *teller) []Step { return steps(t.drainPod()) }},
	{"answer", 2, func(t *teller) []Step { return steps(t.answer()) }},
	{"marked claim", 1, func(t *teller) []Step { return steps(t.markedClaim()) }},
	{"claim recreated", 1, (*teller).claimAnew},
	{"API fault", 2, func(t *teller) []Step { return steps(t.drainFault()) }},
}

// drainEdit gives a set a drain policy in place of the one that it has, or takes it away.
func (t *teller) drainEdit() string {
	set := t.set()
	return t.pick("drain "+set+" off", t.drainPolicy(set), t.drainPolicy(set), t.drainPolicy(set))
}

// drainPolicy is a policy whose drain pods succeed, or run until somebody ends them, or never start. None fails by itself: the
// next one would, for ever, and no set comes to rest so.
func (t *teller) drainPolicy(set string) string {
	return oneSpace("drain", set, "image="+t.pick("completes", "completes", "completes", "v1", "bad"),
		t.pick("", "", "", "", "scaleUp=Finish", "scaleUp=Cancel", "scaleUp=Cancel", "scaleUp=odd"), t.pick("", "maxParallel=1", "maxParallel=2"),
		t.pick("", "", "leftovers=true"), t.pick("", "onDelete=true"), t.pick("", "", "", "", "ask=true"))
}

func (t *teller) repairPolicy(set string) string {
	return "annotate " + set + " setplan.io/repair=" + t.pick("", "Never", "NeverReady", "Unready", "Unready", "odd")
}

func (t *teller) scale() string {
	return "edit " + t.set() + " replicas=" + t.pick("0", "1", "1", "2", "4")
}

// drainPod is what becomes of a drain pod.
func (t *teller) drainPod() string {
	return "pod " + t.oneOf(t.drainPods()) + " " + t.pick("succeed", "succeed", "succeed", "fail", "fail", "evict", "lost", "delete", "remove",
		"finalize", "unfinalize", "relabel labels=app="+t.set())
}

func (t *teller) drainPods() []string { return t.annotated(sim.KindPod, adapters.AnnotationDrainSet) }

// answer is what a replica says that is asked before it goes.
func (t *teller) answer() string {
	return "pod " + t.oneOf(t.annotated(sim.KindPod, adapters.AnnotationDrainRequest)) + " answer"
}

// markedClaim is what users do to claims that a drain policy covers.
func (t *teller) markedClaim() string {
	return "claim " + t.oneOf(t.annotated(sim.KindClaim, adapters.AnnotationDrainSet)) + " " + t.pick("delete", "delete",
		"annotate setplan.io/drain-set=", "annotate setplan.io/drain-set=web/uid-0", "annotate setplan.io/drain-set=elsewhere/uid-0")
}

// claimAnew puts another claim in place of one that a drain pod is on.
func (t *teller) claimAnew() []Step {
	pod := t.oneOf(t.drainPods())
	claim := t.oneOf(slices.DeleteFunc(t.annotated(sim.KindClaim, adapters.AnnotationDrainSet), func(name string) bool {
		return !strings.HasSuffix(name, "-"+pod)
	}))
	return steps("claim "+claim+" remove", "claim "+claim+" create", "pod "+pod+" "+t.pick("succeed", "succeed", "fail", "delete"))
}

func (t *teller) drainFault() string {
	return "fault " + t.pick("patch_annotations", "set_claim_owners", "delete_claim", "set_finalizer", "create_pod", "delete_pod") + " " +
		t.pick("500", "409", "timeout", "lost", "lost") + " x" + t.pick("1", "2") + t.as()
}

// annotated lists the objects of a kind that have an annotation.
func (t *teller) annotated(kind, annotation string) []string {
	state := t.runner.World().State()
	return slices.DeleteFunc(state.Names(kind), func(name string) bool { return state.Get(kind, name).GetAnnotations()[annotation] == "" })
}

// oneOf is one of the names, or where there is none, one that nothing has.
func (t *teller) oneOf(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return t.pick(names...)
}

// mendDrains is what a user does about drains that do not end: a template that works, an answer, and away with the drain pods
// of earlier templates.
func (t *teller) mendDrains() {
	for _, set := range t.annotated(sim.KindSet, adapters.AnnotationDrainTemplate) {
		t.tell("drain policy", Step{Line: oneSpace("drain", set, "image=completes", t.pick("", "onDelete=true"), t.pick("", "leftovers=true"))})
	}
	for _, pod := range t.annotated(sim.KindPod, adapters.AnnotationDrainRequest) {
		t.tell("answer", Step{Line: "pod " + pod + " answer"})
	}
	for _, pod := range t.drainPods() {
		t.tell("drain pod", Step{Line: "pod " + pod + " " + t.pick("succeed", "delete", "remove")})
	}
}
