package forecast

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/test/sim"
)

// history watches what happens from a moment on.
type history struct {
	cluster  *cluster
	set      *sim.Set
	begun    time.Time
	from     int // of the world's history
	wanted   []string
	serves   map[string]bool
	peak     int
	minReady time.Duration
	going    []string // claims that are being deleted already
}

// watch begins a history.
func watch(c *cluster) *history {
	set := c.world.State().Set(web.Name)
	h := &history{cluster: c, set: set, begun: c.world.Now(), from: len(c.world.History()), serves: map[string]bool{}}
	spec := &sim.SetSpec{}
	must(json.Unmarshal(set.Spec, spec))
	h.minReady = time.Duration(spec.MinReadySeconds) * time.Second
	if set.DeletionTimestamp == nil {
		h.wanted = namesOfRange(set, spec)
	}
	for _, name := range h.wanted {
		h.serves[name] = h.replica(name) != nil
	}
	for _, name := range c.world.State().Names(sim.KindClaim) {
		if c.world.State().Claim(name).DeletionTimestamp != nil {
			h.going = append(h.going, name)
		}
	}
	h.count()
	c.world.OnWrite(func(sim.State, sim.Event) { h.count() })
	return h
}

func (h *history) replica(name string) *corev1.Pod {
	if pod := h.cluster.world.State().Pod(name); pod != nil && sim.ControlledBy(pod, h.set) {
		return pod
	}
	return nil
}

// count notes the most pods of the range that are unavailable at once. A new ordinal counts once its pod has been available.
func (h *history) count() {
	unavailable := 0
	for _, name := range h.wanted {
		pod := h.replica(name)
		available := pod != nil && pod.DeletionTimestamp == nil && h.available(pod)
		h.serves[name] = h.serves[name] || available
		if h.serves[name] && !available {
			unavailable++
		}
	}
	h.peak = max(h.peak, unavailable)
}

func (h *history) available(pod *corev1.Pod) bool {
	condition := sim.ReadyCondition(pod)
	return condition != nil && condition.Status == corev1.ConditionTrue &&
		!condition.LastTransitionTime.Add(h.minReady).After(h.cluster.world.Now())
}

var reservedSpan = regexp.MustCompile(`(\d+)(?:-(\d+))?`)

// namesOfRange lists the pods that a set shall have.
func namesOfRange(set *sim.Set, spec *sim.SetSpec) (names []string) {
	var reserved []int
	for _, match := range reservedSpan.FindAllStringSubmatch(set.Annotations["setplan.io/reserved-ordinals"], -1) {
		first, _ := strconv.Atoi(match[1])
		last, err := strconv.Atoi(match[2])
		if err != nil {
			last = first
		}
		for ordinal := first; ordinal <= last; ordinal++ {
			reserved = append(reserved, ordinal)
		}
	}
	for ordinal := int(spec.Ordinals.Start); len(names) < int(*spec.Replicas); ordinal++ {
		if !slices.Contains(reserved, ordinal) {
			names = append(names, set.Name+"-"+strconv.Itoa(ordinal))
		}
	}
	return names
}

// outcome is what has happened since.
func (h *history) outcome(atRest bool) *outcome {
	h.count()
	o := &outcome{peak: h.peak, verdict: forecast.Converged.String(), irreversible: slices.Clone(h.going)}
	pairs := restarts{outcome: o}
	for _, e := range h.cluster.world.History()[h.from:] {
		h.read(e, o, &pairs)
	}
	pairs.end()
	gone := h.cluster.world.State().Set(web.Name) == nil
	switch plan := h.cluster.plan; {
	case !atRest:
		o.verdict = forecast.Undecided.String()
	case gone:
		o.verdict = setGone
	case !plan.GetConverged():
		o.verdict = forecast.BlockedForEver.String()
	}
	if atRest && !gone {
		for _, b := range h.cluster.plan.GetBlocks() {
			o.blocks = append(o.blocks, blockText(int32(b.GetCode()), b.GetSubject().GetKind(), b.GetSubject().GetName(), b.GetRemedy()))
		}
	}
	return o
}

func (h *history) read(e sim.Event, o *outcome, pairs *restarts) {
	ends := e.Verb == "delete" || e.Verb == "remove" && e.Old.GetDeletionTimestamp() == nil
	begins := e.Verb == "create"
	if e.Kind == sim.KindPod && e.Verb == "update" {
		h.readUpdate(e, o)
	}
	if !ends && !begins {
		return
	}
	name := e.Name
	tell := func(text string) {
		o.writes = append(o.writes, write{e.Time.Sub(h.begun), e.Actor == "gc", text})
	}
	switch e.Kind {
	case sim.KindPod:
		h.readPod(e, begins, o, pairs)
	case sim.KindClaim:
		if begins {
			o.claimsMade = append(o.claimsMade, name)
			tell("make claim " + name)
			return
		}
		o.claimsGone = append(o.claimsGone, name)
		if !slices.Contains(h.going, name) {
			o.irreversible = append(o.irreversible, name)
		}
		tell("delete claim " + name)
	case sim.KindRevision:
		if ends {
			o.irreversible = append(o.irreversible, name)
			tell("delete revision " + name)
		}
	}
}

// readUpdate reads what becomes of a pod in place: it is given images, or is said to be at a revision.
func (h *history) readUpdate(e sim.Event, o *outcome) {
	before, after := e.Old.(*corev1.Pod), e.New.(*corev1.Pod)
	noted := func(pod *corev1.Pod) bool { return strings.Contains(pod.Annotations[inPlaceUpdate], `"revision"`) }
	ended := before.Annotations[inPlaceUpdate] != after.Annotations[inPlaceUpdate] && (noted(before) || noted(after))
	switch {
	case !equality.Semantic.DeepEqual(before.Spec.Containers[0].Resources, after.Spec.Containers[0].Resources):
		if startsForResources(before) {
			o.containerRestarts = append(o.containerRestarts, e.Name)
		}
		o.writes = append(o.writes, write{e.Time.Sub(h.begun), false, "resize pod " + e.Name})
	case before.Spec.Containers[0].Image != after.Spec.Containers[0].Image:
		o.containerRestarts = append(o.containerRestarts, e.Name)
		o.writes = append(o.writes, write{e.Time.Sub(h.begun), false, "restart pod " + e.Name})
	case ended, before.Labels[appsv1.ControllerRevisionHashLabelKey] != after.Labels[appsv1.ControllerRevisionHashLabelKey]:
		o.writes = append(o.writes, write{e.Time.Sub(h.begun), false, "update pod " + e.Name})
	}
}

// startsForResources reports whether a container of a pod that is under way starts again to get other resources.
func startsForResources(pod *corev1.Pod) bool {
	return strings.Contains(pod.Annotations[inPlaceUpdate], `"restarts":true`)
}

// inPlaceUpdate is where the planner notes what is under way in a pod.
const inPlaceUpdate = "setplan.io/in-place-update"

func (h *history) readPod(e sim.Event, begins bool, o *outcome, pairs *restarts) {
	object, text := e.Old, "delete pod "
	if begins {
		object, text = e.New, "make pod "
	}
	pod := object.(*corev1.Pod)
	o.writes = append(o.writes, write{e.Time.Sub(h.begun), e.Actor == "gc", text + e.Name})
	revision := pod.Labels[appsv1.ControllerRevisionHashLabelKey]
	switch {
	case begins && pod.Annotations[adapters.AnnotationDrainClaims] != "":
		o.drainPods = append(o.drainPods, e.Name)
	case begins:
		pairs.made(e.Name, revision)
	case sim.ControlledBy(pod, h.set):
		pairs.deleted(e.Name, revision)
	}
}
