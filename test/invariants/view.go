package invariants

import (
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
)

// viewer makes the views of states for the invariants.
type viewer struct {
	behavior setplanv1.Behavior
	wasReady map[types.UID]bool // pods that have been ready
	drained  map[types.UID]bool // claims of which a drain pod has succeeded
	slack    time.Duration      // by which a pod may be older than its timestamp
}

// minRepairAge is how old a pod must be before it is repaired.
const minRepairAge = 10 * time.Second

// show makes the view of a set at a time of the viewer's clock.
func (v *viewer) show(r *reading, now time.Time) *law.Set {
	s := &law.Set{
		Going: r.set.DeletionTimestamp != nil, Orphans: r.orphans(), Finalizer: r.keptForDrain(),
		Upstream: v.behavior > setplanv1.Behavior_BEHAVIOR_SETPLAN, OneByOne: v.behavior == setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36,
		Unready: v.behavior == setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_37 && r.parallel(),
		Start:   r.start(), Replicas: r.replicas, Reserved: r.reserved(), Guarded: r.guarded(), Paused: r.paused(), Ranked: r.ranked(), Budgets: r.respectsBudgets(), Gates: law.Gates{Gated: r.set.Annotations[annotationBefore] != "", Confirms: r.set.Annotations[annotationAfter] != ""}, InPlace: r.inPlace(), KeepsPods: r.keepsPods(), ScaleUpLimit: r.scaleUpLimit(), Parallel: r.parallel(), OnDelete: r.spec.UpdateStrategy.Type == "OnDelete", Recreates: r.recreates(),
		Partition: r.partition(), Unpartitioned: r.spec.UpdateStrategy.RollingUpdate == nil, Budget: r.budget(), SideBySide: 1,
		Repair: map[string]law.Repair{"NeverReady": law.RepairNeverReady, "Unready": law.RepairUnready}[r.repairPolicy(v.behavior)],
		Drains: r.drains(), DrainsOnDelete: r.drainsOnDelete(), Leftovers: r.takesLeftovers(),
		Asks:         r.set.Annotations[adapters.AnnotationDrainAsk] != "",
		CancelsDrain: r.set.Annotations[adapters.AnnotationDrainScaleUp] == "Cancel",
		Current:      r.currentRevision(), Update: r.updateRevision(),
		Named: r.set.Status.CurrentRevision, CountedCurrent: int(r.set.Status.CurrentReplicas), Shares: r.hasNeighbour(),
	}
	if retention := r.spec.Retention; retention != nil {
		s.WhenScaled, s.WhenDeleted = retention.WhenScaled == "Delete", retention.WhenDeleted == "Delete"
	}
	for _, name := range r.revisions() {
		s.Revisions = append(s.Revisions, law.Revision{Name: name, Number: r.state.Revision(name).Revision})
	}
	without := r.withoutClaim()
	for _, ordinal := range r.ordinals() {
		s.Places = append(s.Places, v.place(r, ordinal, without, now))
	}
	return s
}

// ordinals lists the ordinals of the range, and others that have objects.
func (r *reading) ordinals() []int {
	ordinals := map[int]bool{}
	for _, ordinal := range r.wanted() {
		ordinals[ordinal] = true
	}
	for _, name := range r.state.Names(sim.KindPod) {
		if ordinal, ok := ordinalOf(name, r.set.Name); ok {
			ordinals[ordinal] = true
		}
	}
	for _, name := range r.state.Names(sim.KindClaim) {
		if ordinal, ok := r.claimOf(name); ok {
			ordinals[ordinal] = true
		}
	}
	return slices.Sorted(maps.Keys(ordinals))
}

func (v *viewer) place(r *reading, ordinal int, without map[string][]string, now time.Time) law.Place {
	name := r.podName(ordinal)
	pod := r.state.Pod(name)
	p := law.Place{Ordinal: ordinal}
	if pod != nil {
		p.Pod = v.pod(r, pod, now)
	}
	for _, template := range r.templateNames() {
		shown := law.Claim{Name: template + "-" + name}
		if claim := r.state.Claim(shown.Name); claim != nil {
			shown = v.claim(r, claim, name)
			shown.ByPodItself = shown.ByPod && r.pods[ordinal] != nil && refersTo(claim, sim.KindPod, name).UID == pod.UID
			shown.Listed = p.Pod.Drain && lists(pod, claim)
		}
		shown.WithoutIt = without[template]
		p.Claims = append(p.Claims, shown)
	}
	return p
}

func (v *viewer) pod(r *reading, pod *corev1.Pod, now time.Time) law.Pod {
	p := law.Pod{
		Exists: true, Ours: sim.ControlledBy(pod, r.set), Drain: isDrainPodOf(pod, r.set), Going: pod.DeletionTimestamp != nil,
		Ready: sim.IsReady(pod), Available: sim.ControlledBy(pod, r.set) && r.available(pod, now), WasReady: v.wasReady[pod.UID],
		Failed: pod.Status.Phase == corev1.PodFailed, Succeeded: pod.Status.Phase == corev1.PodSucceeded,
		Young: now.Sub(pod.CreationTimestamp.Time)+v.slack < minRepairAge, Selected: r.selects(pod), Revision: revisionOf(pod), Under: underWay(pod),
		MayLeave: pod.Annotations[annotationBefore], Confirmed: pod.Annotations[annotationAfter],
		Rank: r.rank(pod), Chosen: r.chosen(pod), Restarts: r.startsForFileSystem(pod),
		Asked: pod.Annotations[adapters.AnnotationDrainRequest]+pod.Annotations[adapters.AnnotationDrainAnswer] != "",
	}
	lately := func(at time.Time) bool { return now.Sub(at)+v.slack < law.Moment }
	if condition := sim.ReadyCondition(pod); !p.Ready && p.WasReady && condition != nil {
		p.Lately = lately(condition.LastTransitionTime.Time) || nodeIsSilent(pod)
	}
	p.Starting = !p.Ready && lately(pod.CreationTimestamp.Time)
	if n, ok := noteOf(pod); ok && n.Revision != "" {
		p.RunsOn, p.Lacks = n.runsOn(), len(n.Resize) > 0 && (sim.ResizeOf(pod) != nil || unresized(pod, r.state.Revision(n.Revision), n) != "")
		p.Refused, p.Kept = r.refuses(pod, now)
		p.Starting = p.Starting || !p.RunsOn && lately(time.Unix(n.At, 0))
	}
	if p.Drain && p.Succeeded && !r.believed(pod) {
		p.Failed, p.Succeeded = true, false
	}
	return p
}

// chosen reports whether somebody wants a pod recreated. What its template says is nobody's word.
func (r *reading) chosen(pod *corev1.Pod) bool {
	const note = "setplan.io/recreate"
	template := wantedOf(r.state.Revision(revisionOf(pod)))
	return pod.Annotations[note] == "true" && (template == nil || template.Annotations[note] != "true")
}

// nodeIsSilent reports whether the node controller has made a pod unready, which leaves its containers as they are.
func nodeIsSilent(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.ContainersReady && c.Status == corev1.ConditionTrue
	})
}

// claim makes the view of a claim for the pod of a name.
func (v *viewer) claim(r *reading, claim *corev1.PersistentVolumeClaim, pod string) law.Claim {
	k := law.Claim{Name: claim.Name, Exists: true, Going: claim.DeletionTimestamp != nil, Mark: r.markOf(claim), Empty: v.drained[claim.UID],
		Attempted: claim.Annotations[adapters.AnnotationDrainAttempts] != ""}
	for _, ref := range claim.OwnerReferences {
		controls := ref.Controller != nil && *ref.Controller
		bySet, byPod := ref.Kind == sim.KindSet && ref.Name == r.set.Name, ref.Kind == sim.KindPod && ref.Name == pod
		k.BySet, k.ByPod = k.BySet || bySet, k.ByPod || byPod
		k.BySetItself = k.BySetItself || ref.UID == r.set.UID
		k.Uncontrolled = k.Uncontrolled || (bySet || byPod) && !controls
		k.Managed = k.Managed || !bySet && !byPod && controls
	}
	if k.Mark != law.Ours {
		return k
	}
	for _, name := range r.state.Names(sim.KindPod) {
		pod := r.state.Pod(name)
		k.Drained = k.Drained || isDrainPodOf(pod, r.set) && pod.Status.Phase == corev1.PodSucceeded && r.believed(pod) &&
			lists(pod, claim) && slices.Contains(sim.ClaimsOf(pod), claim.Name)
	}
	return k
}

// lists reports whether a drain pod says that it drains a claim.
func lists(pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) bool {
	return slices.Contains(strings.Split(pod.Annotations[adapters.AnnotationDrainClaims], ","), string(claim.UID))
}

func (r *reading) markOf(claim *corev1.PersistentVolumeClaim) law.Mark {
	switch mark := claim.Annotations[adapters.AnnotationDrainSet]; {
	case mark == "":
		return law.Unmarked
	case mark == r.mark():
		return law.Ours
	case strings.HasPrefix(mark, r.set.Name+"/"):
		return law.Earlier
	}
	return law.Others
}
