package forecast

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/engine/forecast"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
	"github.com/setplan/setplan/test/story"
)

// life is a random set in a random state. Everything that is done to it is in lines.
type life struct {
	*cluster
	random *rand.Rand
	lines  []string
	broken bool // some revision has pods that never become ready
}

// newLife chooses the rules, and how long everything takes; different for each, so that what is mistaken for another shows.
func newLife(random *rand.Rand) *life {
	some := func(from, to int) time.Duration { return time.Duration(from+random.IntN(to-from+1)) * time.Second }
	takes := forecast.Hosts{ReadyAfter: some(3, 30), GoneAfter: some(2, 20), DrainedAfter: some(5, 90), AnsweredAfter: some(1, 15)}
	rules := setplanv1.Behavior_BEHAVIOR_SETPLAN
	if random.IntN(5) == 0 {
		rules = setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36
	}
	l := &life{cluster: newCluster(rules, takes), random: random}
	l.tell("%s, %+v", rules, takes)
	return l
}

func (l *life) tell(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

func (l *life) pick(from ...string) string { return from[l.random.IntN(len(from))] }

func (l *life) chance(percent int) bool { return l.random.IntN(100) < percent }

// begin makes the set and lets it come up.
func (l *life) begin() {
	words := map[string]string{"replicas": l.pick("1", "2", "3", "3", "4", "5"), "policy": l.pick("OrderedReady", "OrderedReady", "Parallel"),
		"minReady": l.pick("0", "0", "0", "5"), "history": l.pick("0", "1", "10")}
	if l.chance(70) {
		words["claims"] = l.pick("www", "www", "www,logs")
		words["retention"] = l.pick("Retain/Retain", "Retain/Delete", "Delete/Retain", "Delete/Delete")
	}
	if l.chance(20) {
		words["start"] = l.pick("1", "3")
	}
	words["cpu"] = "1"
	set, err := story.NewSet(web.Name, words, "")
	must(err)
	l.tell("set %s", wordsText(words))
	_, err = l.world.Create("user", set)
	must(err)
	if l.chance(40) {
		l.annotateSome()
	}
	if !l.run(maxPasses) {
		panic("the set never comes up: " + strings.Join(l.lines, "; "))
	}
}

func wordsText(words map[string]string) string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(words)) {
		list = append(list, key+"="+words[key])
	}
	return strings.Join(list, " ")
}

// drainTemplate is a drain pod that ends when its hosts say so.
const drainTemplate = `{"metadata":{"labels":{"app":"drainer"}},"spec":{"containers":[{"name":"drain","image":"drain:v1"}]}}`

// annotateSome gives the set one or two policies.
func (l *life) annotateSome() {
	for range 1 + l.random.IntN(2) {
		switch l.random.IntN(6) {
		case 0:
			l.annotate("setplan.io/repair", l.pick("", "Never", "NeverReady", "Unready"))
		case 1:
			l.annotate("setplan.io/reserved-ordinals", l.pick("", "0", "1", "0-1,3", "2"))
		case 2:
			l.annotate("setplan.io/scale-in-guard", l.pick("", "named"))
		case 3:
			l.annotate("setplan.io/pause", l.pick("", "", "Updates", "HealOnly", "All"))
		default:
			l.annotate(adapters.AnnotationDrainTemplate, l.pick(drainTemplate, drainTemplate, drainTemplate, ""))
			l.annotate(adapters.AnnotationDrainScaleUp, l.pick("", "Finish", "Cancel"))
			l.annotate(adapters.AnnotationDrainMaxParallel, l.pick("", "1", "2"))
			l.annotate(adapters.AnnotationDrainAsk, l.pick("", "", "true"))
			l.annotate(adapters.AnnotationDrainProof, l.pick("", "", "Token"))
			l.annotate(adapters.AnnotationDrainOnDelete, l.pick("", "", "true"))
		}
	}
}

func (l *life) annotate(name, value string) {
	l.tell("annotate %s=%s", name, value)
	l.change(func(set *sim.Set) {
		annotations := maps.Clone(set.Annotations)
		if annotations == nil {
			annotations = map[string]string{}
		}
		if annotations[name] = value; value == "" {
			delete(annotations, name)
		}
		set.Annotations = annotations
	})
}

func (l *life) change(change func(*sim.Set)) {
	_, err := l.world.Update("user", sim.KindSet, web.Name, sim.Preconditions{}, func(o sim.Object) { change(o.(*sim.Set)) })
	must(err)
}

// relabel changes a label of the template.
func (l *life) relabel(tier string) {
	l.tell("relabel tier=%s", tier)
	l.change(func(set *sim.Set) {
		spec, err := story.ChangeSpec(set.Spec, nil, `{"template":{"metadata":{"labels":{"tier":`+tier+`}}}}`)
		must(err)
		set.Spec = spec
	})
}

func (l *life) edit(word, value string) {
	l.tell("edit %s=%s", word, value)
	l.change(func(set *sim.Set) {
		spec, err := story.ChangeSpec(set.Spec, map[string]string{word: value}, "")
		must(err)
		set.Spec = spec
	})
}

// live is what has become of the set before somebody asks for a forecast.
func (l *life) live() {
	for range l.random.IntN(3) {
		switch l.random.IntN(4) {
		case 0:
			l.editSome()
		case 1:
			if l.chance(30) {
				l.annotate("setplan.io/in-place", l.pick("InPlaceIfPossible", "InPlaceOnly", ""))
			}
			tag := l.pick("v2", "v3", "bad", "crash")
			l.edit("image", tag)
			l.broken = l.broken || slices.Contains(neverReady, tag)
		default:
			l.harm()
		}
		passes := maxPasses
		if l.chance(60) {
			passes = l.random.IntN(12)
		}
		l.tell("%d passes", passes)
		l.run(passes)
	}
	if !l.broken && l.chance(30) {
		l.harm()
	}
	if l.broken { // a pod that has had its time and is not ready is what a forecast can see
		l.tell("idle")
		l.idle(l.takes.ReadyAfter + time.Second)
		l.showBroken()
	} else if l.chance(50) {
		d := time.Duration(l.random.IntN(20)) * time.Second
		l.tell("idle %s", d)
		l.idle(d)
	}
}

// neverReady are the tags of images that never become ready.
var neverReady = []string{"bad", "crash"}

// showBroken corrects a broken template of which there is no pod: nobody can know that it is broken.
func (l *life) showBroken() {
	for _, tag := range neverReady {
		shown := slices.ContainsFunc(l.pods(), func(pod *corev1.Pod) bool { return sim.HasImage(pod, tag) && pod.Spec.NodeName != "" })
		if l.asksFor(tag) && !shown {
			l.edit("image", "v9")
		}
	}
}

// asksFor reports whether the template has the image of a tag.
func (l *life) asksFor(tag string) bool {
	return strings.Contains(string(l.world.State().Set(web.Name).Spec), "nginx:"+tag)
}

func (l *life) asksForBroken() bool { return slices.ContainsFunc(neverReady, l.asksFor) }

// editSome changes one thing.
func (l *life) editSome() {
	switch l.random.IntN(9) {
	case 0, 1:
		l.edit("image", l.pick("v1", "v2", "v3"))
	case 2, 3:
		l.edit("replicas", l.pick("0", "1", "2", "3", "5", "6"))
	case 4:
		l.edit("partition", l.pick("0", "1", "2"))
	case 5:
		l.edit("maxUnavailable", l.pick("1", "2", "50%", "100%"))
	case 6:
		l.edit("retention", l.pick("Retain/Retain", "Retain/Delete", "Delete/Retain", "Delete/Delete"))
	case 7:
		word := l.pick("minReady", "history", "start", "strategy")
		l.edit(word, map[string]string{"minReady": l.pick("0", "5", "40"), "history": l.pick("0", "1", "10"), "start": l.pick("none", "1", "2"),
			"strategy": l.pick("OnDelete", "RollingUpdate", "nil", "Recreate")}[word])
	default:
		l.annotateSome()
	}
}

// harm is something that befalls a pod or a claim.
func (l *life) harm() {
	pods := l.pods()
	if len(pods) == 0 {
		return
	}
	pod := pods[l.random.IntN(len(pods))]
	if pod.DeletionTimestamp != nil || pod.Spec.NodeName == "" || sim.HasEnded(pod) || pod.Annotations[adapters.AnnotationDrainClaims] != "" ||
		isBroken(pod) {
		return
	}
	switch what := l.pick("fail", "succeed", "unready", "delete", "claim"); what {
	case "fail":
		l.tell("pod %s fails", pod.Name)
		must(l.world.End("kubelet", pod.Name, corev1.PodFailed, ""))
	case "succeed":
		l.tell("pod %s succeeds", pod.Name)
		must(l.world.End("kubelet", pod.Name, corev1.PodSucceeded, ""))
	case "unready":
		if sim.IsReady(pod) {
			l.tell("pod %s is not ready", pod.Name)
			l.sick[pod.UID] = true
			must(l.world.SetReady("kubelet", pod.Name, false))
		}
	case "delete":
		if !l.broken {
			l.tell("pod %s is deleted", pod.Name)
			must(l.world.Delete("user", sim.KindPod, pod.Name, sim.Preconditions{}, metav1.DeletePropagationBackground))
		}
	default:
		if claims := sim.ClaimsOf(pod); len(claims) > 0 {
			l.tell("claim %s is deleted", claims[0])
			must(l.world.Delete("user", sim.KindClaim, claims[0], sim.Preconditions{}, metav1.DeletePropagationBackground))
		}
	}
}

func isBroken(pod *corev1.Pod) bool {
	return slices.ContainsFunc(neverReady, func(tag string) bool { return sim.HasImage(pod, tag) })
}

// decide is the edit that the forecast is about.
func (l *life) decide() {
	if l.chance(8) {
		how := l.pick("background", "foreground", "orphan")
		l.tell("delete the set, %s", how)
		must(l.world.Delete("user", sim.KindSet, web.Name, sim.Preconditions{}, map[string]metav1.DeletionPropagation{
			"foreground": metav1.DeletePropagationForeground, "orphan": metav1.DeletePropagationOrphan}[how]))
		return
	}
	if l.chance(20) {
		l.annotate("setplan.io/in-place", l.pick("InPlaceIfPossible", "InPlaceIfPossible", "InPlaceOnly"))
		if l.chance(50) {
			l.relabel(l.pick(`"gold"`, `"silver"`, "null"))
		}
		if l.chance(60) {
			l.edit("image", l.pick("v2", "v3", "v4"))
		}
		if !l.asksForBroken() && l.chance(50) { // with other resources, a bad image might work
			l.edit("cpu", l.pick("2", "3", "1000m"))
		}
	} else if l.chance(70) {
		l.edit("image", l.pick("v2", "v3", "v4"))
	}
	if l.chance(40) {
		l.edit("replicas", l.pick("1", "2", "3", "4", "6"))
	}
	for range 1 + l.random.IntN(2) {
		l.editSome()
	}
}
