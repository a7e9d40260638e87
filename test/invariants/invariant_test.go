package invariants

import (
	"maps"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/sim"
	"github.com/setplan/setplan/test/invariants/law"
)

// breach is a violation of an invariant.
type breach struct {
	reason string
	spec   string // beside selector and template
	pods   string // of the set: name:state, states as in addPod
	plant  func(*planted)
}

// TestInvariantsCatch plants a violation of each invariant: a checker that never fails proves nothing.
func TestInvariantsCatch(t *testing.T) {
	tests := map[string]breach{
		"AtMostOne": {
			reason: "a pod of the name is there",
			pods:   "web-0:ready",
			plant: func(p *planted) {
				p.monitor.wrote(p.world.State(), sim.Event{Actor: "a", Verb: "create", Kind: sim.KindPod, Name: "web-0", New: p.world.State().Pod("web-0")})
			},
		},
		"OrderedReady": {
			reason: "web-1 is made while web-0 is not ready",
			spec:   `"replicas":2`,
			pods:   "web-0:pending",
			plant:  func(p *planted) { p.addPod("a", "web-1", "new") },
		},
		"OrderedReady/scale down": {
			reason: "web-1 goes although web-2 is higher",
			spec:   `"replicas":1`,
			pods:   "web-0:ready web-1:ready web-2:ready",
			plant:  func(p *planted) { p.delete("web-1") },
		},
		"OrderedReady/two at once": {
			reason: "web-1 goes while web-2 is still going",
			spec:   `"replicas":1`,
			pods:   "web-0:ready web-1:ready web-2:ready",
			plant:  func(p *planted) { p.delete("web-2"); p.delete("web-1") },
		},
		"UpdateWithinBudget": {
			reason: "two pods go, and one may",
			spec:   `"replicas":3`,
			pods:   "web-0:old web-1:old web-2:old",
			plant:  func(p *planted) { p.delete("web-2"); p.delete("web-1") },
		},
		"UpdateWithinBudget/order": {
			reason: "web-0 goes before web-1",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant:  func(p *planted) { p.delete("web-0") },
		},
		"UpdateWithinBudget/partition": {
			reason: "web-0 is below the partition",
			spec:   `"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`,
			pods:   "web-0:old",
			plant:  func(p *planted) { p.delete("web-0") },
		},
		"UpdateWithinBudget/current": {
			reason: "web-0 is at the update revision",
			spec:   `"replicas":1`,
			pods:   "web-0:ready",
			plant:  func(p *planted) { p.delete("web-0") },
		},
		"UpdateWithinBudget/OnDelete": {
			reason: "nobody but the user deletes",
			spec:   `"replicas":1,"updateStrategy":{"type":"OnDelete"}`,
			pods:   "web-0:old",
			plant:  func(p *planted) { p.delete("web-0") },
		},
		"BelowPartitionStaysOld": {
			reason: "the pod is made at the new revision",
			spec:   `"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`,
			plant:  func(p *planted) { p.addPod("a", "web-0", "new") },
		},
		"BelowPartitionStaysOld/lost": {
			reason: "the current revision is not seen, and the pod is made at the new one",
			spec:   `"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`,
			plant: func(p *planted) {
				p.must(p.world.Remove("user", sim.KindRevision, "web-old"))
				p.look()
				p.addPod("a", "web-0", "new")
			},
		},
		"GuardKeeps": {
			reason: "web-1 is outside the range, and not reserved",
			spec:   `"replicas":1`,
			pods:   "web-0:ready web-1:ready",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/scale-in-guard", "named")
				p.look()
				p.delete("web-1")
			},
		},
		"UpdateWithinBudget/chosen": {
			reason: "somebody has chosen web-0, and web-1 is not available",
			spec:   `"replicas":2`,
			pods:   "web-0:ready web-1:new",
			plant: func(p *planted) {
				p.annotate(sim.KindPod, "web-0", "setplan.io/recreate", "true")
				p.look()
				p.delete("web-0")
			},
		},
		"LeaderComesLast/chosen": {
			reason: "somebody has chosen the leader, and web-1 is not available",
			spec:   `"replicas":2,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":2}}`,
			pods:   "web-0:ready web-1:new",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/update-rank", "role=primary")
				p.annotate(sim.KindPod, "web-0", "setplan.io/recreate", "true")
				p.relabel("web-0", "role", "primary")
				p.look()
				p.delete("web-0")
			},
		},
		"VolumesGrowOnce": {
			reason: "it grows from 1Gi to 2Gi",
			spec:   `"replicas":1`,
			pods:   "web-0:ready",
			plant: func(p *planted) {
				p.request("user", "1Gi", "2Gi")
				p.look()
				p.request("a", "1Gi", "3Gi")
			},
		},
		"GatesHold": {
			reason: "nobody has agreed to the update of web-1",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/before-update", "agent")
				p.look()
				p.delete("web-1")
			},
		},
		"GatesHold/taken back": {
			reason: "the answer was taken back since the adapter looked",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/before-update", "agent")
				p.annotate(sim.KindPod, "web-1", "setplan.io/before-update", "web-new")
				p.look()
				p.annotate(sim.KindPod, "web-1", "setplan.io/before-update", "no")
				p.delete("web-1")
			},
		},
		"BudgetsHold": {
			reason: "web-1 is ready, and is deleted and not evicted",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/disruption-budget", "Respect")
				p.look()
				p.delete("web-1")
			},
		},
		"BudgetsHold/below what it wants": {
			reason: "the budget wants two, and two are there",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/disruption-budget", "Respect")
				p.look()
				two := intstr.FromInt32(2)
				p.create("user", &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "guard"},
					Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: &two, Selector: &metav1.LabelSelector{}}})
				pod := p.world.State().Pod("web-1")
				p.monitor.wrote(p.world.State(), sim.Event{Actor: "a", Verb: "delete", Kind: sim.KindPod, Name: "web-1", Old: pod, New: pod, Evicted: true})
			},
		},
		"GatesHold/not confirmed": {
			reason: "web-1 is updated, and nobody has confirmed it",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:ready",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/after-update", "agent")
				p.look()
				p.delete("web-0")
			},
		},
		"GatesHold/file system": {
			reason: "nobody has agreed that web-0 starts anew for its file system",
			spec:   `"replicas":1`,
			pods:   "web-0:mounts",
			plant: func(p *planted) {
				p.waitsForFileSystem()
				p.update(sim.KindSet, "web", func(o sim.Object) {
					o.SetAnnotations(map[string]string{"setplan.io/claim-update-policy": "InPlaceOrRecreate", "setplan.io/before-update": "agent"})
				})
				p.look()
				p.delete("web-0")
			},
		},
		"InPlaceIsRight": {
			reason: "the revisions differ in the image, too",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", annotationInPlace, "InPlaceIfPossible")
				p.look()
				p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
			},
		},
		"InPlaceIsRight/nobody asks": {
			reason: "the set wants its pods recreated",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.sameSpecs()
				p.annotate(sim.KindSet, "web", annotationInPlace, "Recreate")
				p.look()
				p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
			},
		},
		"InPlaceIsRight/order": {
			reason: "web-1 is outdated, too",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant: func(p *planted) {
				p.sameSpecs()
				p.annotate(sim.KindSet, "web", annotationInPlace, "InPlaceIfPossible")
				p.look()
				p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
			},
		},
		"InPlaceIsRight/partition": {
			reason: "web-0 is below the partition",
			spec:   `"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.sameSpecs()
				p.annotate(sim.KindSet, "web", annotationInPlace, "InPlaceIfPossible")
				p.look()
				p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
			},
		},
		"InPlaceIsRight/kept": {
			reason: "the set keeps its pods, and web-0 is deleted",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", annotationInPlace, "InPlaceOnly")
				p.look()
				p.delete("web-0")
			},
		},
		"GatesHold/in place": {
			reason: "nobody has agreed to the update of web-0",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.sameSpecs()
				p.update(sim.KindSet, "web", func(o sim.Object) {
					o.SetAnnotations(map[string]string{annotationInPlace: "InPlaceOnly", annotationBefore: "agent"})
				})
				p.look()
				p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
			},
		},
		"InPlaceIsRight/more than images": {
			reason: "the revisions differ in something else, too",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.otherImages()
				p.revise("web-old", `"n":0,"spec":{"containers":[{"name":"main","image":"main:v1"}]}`)
				p.look()
				p.reimage("web-0", "main:v2", "web-new")
			},
		},
		"InPlaceIsRight/nobody asks for images": {
			reason: "the set wants its pods recreated",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.otherImages()
				p.annotate(sim.KindSet, "web", annotationInPlace, "Recreate")
				p.look()
				p.reimage("web-0", "main:v2", "web-new")
			},
		},
		"InPlaceIsRight/elsewhere": {
			reason: "web-0 is on its way to web-new, and is said to be at web-old",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.otherImages()
				p.reimage("web-0", "main:v2", "web-new")
				p.runs("web-0", "main:v2")
				p.annotate(sim.KindPod, "web-0", annotationUpdate, "{}")
			},
		},
		"LabelsAreTrue": {
			reason: "the container runs the old image",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.otherImages()
				p.reimage("web-0", "main:v2", "web-new")
				p.look()
				p.relabel("web-0", appsv1.ControllerRevisionHashLabelKey, "web-new")
			},
		},
		"LabelsAreTrue/at once": {
			reason: "the image and the label change in one write",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.otherImages()
				p.update(sim.KindPod, "web-0", func(o sim.Object) {
					o.(*corev1.Pod).Spec.Containers[0].Image = "main:v2"
					o.SetLabels(map[string]string{"app": "web", appsv1.ControllerRevisionHashLabelKey: "web-new"})
				})
			},
		},
		"LabelsAreTrue/nothing runs": {
			reason: "the container does not run, and the note of what is under way goes",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.otherImages()
				p.reimage("web-0", "main:v2", "web-new")
				p.look()
				p.reimage("web-0", "main:v1", "web-old")
				_, err := p.world.Update("kubelet", sim.KindPod, "web-0", sim.Preconditions{}, func(o sim.Object) {
					o.(*corev1.Pod).Status.ContainerStatuses[0].State = corev1.ContainerState{}
				})
				p.must(err)
				p.look()
				p.annotate(sim.KindPod, "web-0", annotationUpdate, "{}")
			},
		},
		"UpdateWithinBudget/images": {
			reason: "the images of two pods change, and those of one may",
			spec:   `"replicas":3`,
			pods:   "web-0:old web-1:old web-2:old",
			plant: func(p *planted) {
				p.otherImages()
				p.reimage("web-2", "main:v2", "web-new")
				p.reimage("web-1", "main:v2", "web-new")
			},
		},
		"UpdateWithinBudget/on its way": {
			reason: "web-1 is ready, and nobody has seen that it runs its new image",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant: func(p *planted) {
				p.otherImages()
				p.reimage("web-1", "main:v2", "web-new")
				p.look()
				p.delete("web-0")
			},
		},
		"UpdateWithinBudget/a lower one is on its way": {
			reason: "web-0 is ready, and nobody has seen that it runs its new image",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant: func(p *planted) {
				p.otherImages()
				_, err := p.world.Update("user", sim.KindPod, "web-0", sim.Preconditions{}, func(o sim.Object) {
					o.SetAnnotations(map[string]string{annotationUpdate: `{"revision":"web-new"}`})
				})
				p.must(err)
				p.look()
				p.delete("web-1")
			},
		},
		"BudgetsHold/images": {
			reason: "disruption budgets are respected, and nobody asks one",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.otherImages()
				p.update(sim.KindSet, "web", func(o sim.Object) {
					o.SetAnnotations(map[string]string{annotationInPlace: "InPlaceIfPossible", annotationBudget: "Respect"})
				})
				p.look()
				p.reimage("web-0", "main:v2", "web-new")
			},
		},
		"GatesHold/images": {
			reason: "nobody has agreed to the update of web-0",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.otherImages()
				p.update(sim.KindSet, "web", func(o sim.Object) {
					o.SetAnnotations(map[string]string{annotationInPlace: "InPlaceIfPossible", annotationBefore: "agent"})
				})
				p.look()
				p.reimage("web-0", "main:v2", "web-new")
			},
		},
		"LeaderComesLast/images": {
			reason: "web-1 leads, and web-0 is outdated, too",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant: func(p *planted) {
				p.otherImages()
				p.update(sim.KindSet, "web", func(o sim.Object) {
					o.SetAnnotations(map[string]string{annotationInPlace: "InPlaceIfPossible", annotationRank: "role=primary"})
				})
				p.relabel("web-1", "role", "primary")
				p.look()
				p.reimage("web-1", "main:v2", "web-new")
			},
		},
		"RevisionsOnlyGrow/on its way": {
			reason: "a pod is on its way to the revision that goes",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.otherImages()
				p.create("user", &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "web-mid", Labels: map[string]string{"app": "web"},
					OwnerReferences: []metav1.OwnerReference{p.owner()}}})
				_, err := p.world.Update("user", sim.KindPod, "web-0", sim.Preconditions{}, func(o sim.Object) {
					o.SetAnnotations(map[string]string{annotationUpdate: `{"revision":"web-mid"}`})
				})
				p.must(err)
				p.look()
				p.must(p.world.Delete("a", sim.KindRevision, "web-mid", sim.Preconditions{}, metav1.DeletePropagationBackground))
			},
		},
		"ScaleUpWithinLimit": {
			reason: "web-0 is starting, and one may",
			spec:   `"replicas":2,"podManagementPolicy":"Parallel"`,
			pods:   "web-0:new",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/scale-up-limit", "1")
				p.look()
				p.addPod("a", "web-1", "new")
			},
		},
		"LeaderComesLast": {
			reason: "web-1 leads, and web-0 is outdated, too",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/update-rank", "role=primary")
				p.relabel("web-1", "role", "primary")
				p.look()
				p.delete("web-1")
			},
		},
		"LeaderComesLast/unclear": {
			reason: "nobody leads, and web-1 is available",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/update-rank", "role=primary")
				p.look()
				p.delete("web-1")
			},
		},
		"LeaderComesLast/elected meanwhile": {
			reason: "web-1 has become the leader since the adapter looked",
			spec:   `"replicas":2`,
			pods:   "web-0:old web-1:old",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/update-rank", "role=primary")
				p.relabel("web-0", "role", "primary")
				p.look()
				p.relabel("web-1", "role", "primary")
				p.delete("web-1")
			},
		},
		"LeaderComesLast/rank": {
			reason: "web-0 has a lower rank",
			spec:   `"replicas":3`,
			pods:   "web-0:old web-1:old web-2:old",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/update-rank", "setplan.io/rank")
				p.relabel("web-1", "setplan.io/rank", "1")
				p.relabel("web-2", "setplan.io/rank", "2")
				p.look()
				p.delete("web-1")
			},
		},
		"PauseHolds": {
			reason: "updates are paused, and web-0 is outdated",
			spec:   `"replicas":1`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/pause", "Updates")
				p.look()
				p.delete("web-0")
			},
		},
		"PauseHolds/HealOnly": {
			reason: "web-1 is outside the range, and only pods that are missing are made",
			spec:   `"replicas":1`,
			pods:   "web-0:ready web-1:ready",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/pause", "HealOnly")
				p.look()
				p.delete("web-1")
			},
		},
		"PauseHolds/All": {
			reason: "a missing pod is made, although all is paused",
			spec:   `"replicas":1`,
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/pause", "All")
				p.look()
				p.addPod("a", "web-0", "new")
			},
		},
		"OrderedReady/reserved": {
			reason: "web-2 is made before web-0 is available; web-1 is reserved and has to be there for nobody",
			spec:   `"replicas":2`,
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", "setplan.io/reserved-ordinals", "1")
				p.look()
				p.addPod("a", "web-2", "new")
			},
		},
		"DataIsDrained": {
			reason: "an adapter deletes a claim that nobody drained",
			plant: func(p *planted) {
				p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
				p.deleteClaim()
			},
		},
		"DataIsDrained/unmarked": {
			reason: "the claim is not the set's to drain",
			plant:  func(p *planted) { p.deleteClaim() },
		},
		"DataIsDrained/another of the name": {
			reason: "the claim that was drained is gone, and another has its name and its mark",
			spec:   `"replicas":0`,
			plant: func(p *planted) {
				p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
				p.drainPod("web-0")
				p.must(p.world.Complete("web-0"))
				p.look()
				p.must(p.world.Remove("user", sim.KindClaim, "www-web-0"))
				p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-web-0",
					Annotations: map[string]string{adapters.AnnotationDrainSet: p.mark()}}})
				p.must(p.world.Remove("user", sim.KindSet, "web")) // nothing but the view is asked
				p.deleteClaim()
			},
		},
		"DataIsDrained/running": {
			reason: "the drain pod has not succeeded",
			spec:   `"replicas":0`,
			plant: func(p *planted) {
				p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
				p.drainPod("web-0")
				p.deleteClaim()
			},
		},
		"DataIsDrained/by the garbage collector": {
			reason: "the set has the finalizer of the drain, and a claim that belongs to it",
			plant: func(p *planted) {
				p.ownClaimAs("gc", p.owner())
				p.keep()
				p.must(p.world.Delete("user", sim.KindSet, "web", sim.Preconditions{}, metav1.DeletePropagationForeground))
			},
		},
		"DataIsDrained/with its pod": {
			reason: "a marked claim belongs to a pod outside the range that somebody deletes",
			spec:   `"replicas":0`,
			pods:   "web-0:ready",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", adapters.AnnotationDrainTemplate, "{}")
				p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
				pod := p.world.State().Pod("web-0")
				p.ownClaimAs("gc", metav1.OwnerReference{APIVersion: "v1", Kind: sim.KindPod, Name: pod.Name, UID: pod.UID})
				p.must(p.world.Remove("user", sim.KindPod, "web-0"))
				p.world.CollectGarbage()
			},
		},
		"FinalizerComesLast": {
			reason: "the set gets the finalizer of the drain while a claim belongs to it",
			plant: func(p *planted) {
				p.ownClaimAs("user", p.owner())
				p.look()
				p.update(sim.KindSet, "web", func(o sim.Object) { o.SetFinalizers([]string{FinalizerDrain}) })
			},
		},
		"DataIsDrained/interrupted": {
			reason: "the drain pod has succeeded while its node stopped it",
			spec:   `"replicas":0`,
			plant: func(p *planted) {
				p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
				p.drainPod("web-0")
				p.must(p.world.Interrupt("web-0"))
				p.look()
				p.deleteClaim()
			},
		},
		"DataIsDrained/unproven": {
			reason: "the drain pod has not handed its token back",
			spec:   `"replicas":0`,
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", adapters.AnnotationDrainProof, "Token")
				p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
				p.drainPod("web-0")
				p.must(p.world.Complete("web-0")) // no token was in its environment
				p.look()
				p.deleteClaim()
			},
		},
		"DrainPodsFinish": {
			reason: "a drain pod that runs is broken off",
			spec:   `"replicas":0`,
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", adapters.AnnotationDrainTemplate, "{}")
				p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
				p.drainPod("web-0")
				p.look()
				p.delete("web-0")
			},
		},
		"SetStaysUntilDrained": {
			reason: "the finalizer goes while a claim is marked",
			plant: func(p *planted) {
				p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
				p.keep()
				p.must(p.world.Delete("user", sim.KindSet, "web", sim.Preconditions{}, metav1.DeletePropagationBackground))
				p.look()
				p.update(sim.KindSet, "web", func(o sim.Object) { o.SetFinalizers(nil) })
			},
		},
		"OnlyMarkedIsDrained": {
			reason: "the claim was there before the policy",
			spec:   `"replicas":0`,
			plant:  func(p *planted) { p.drainPod("web-0") },
		},
		"NeighboursKeepTheirs": {
			reason: "set db-web calls its claim www-db-web-0 as well",
			spec:   `"replicas":0,"volumeClaimTemplates":[{"metadata":{"name":"www-db"}}]`,
			plant: func(p *planted) {
				p.neighbour()
				p.must(p.world.Delete("a", sim.KindClaim, "www-db-web-0", sim.Preconditions{}, ""))
			},
		},
		"NeighboursKeepTheirs/drain pod": {
			reason: "a drain pod empties it",
			spec:   `"replicas":0,"volumeClaimTemplates":[{"metadata":{"name":"www-db"}}]`,
			plant: func(p *planted) {
				p.neighbour()
				p.drainPodOn("web-0", "www-db-web-0")
			},
		},
		"DrainsInOrder": {
			reason: "web-0 is drained while web-1 has a replica",
			spec:   `"replicas":0`,
			pods:   "web-1:ready",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", adapters.AnnotationDrainTemplate, "{}")
				p.annotate(sim.KindClaim, "www-web-0", adapters.AnnotationDrainSet, p.mark())
				p.look()
				p.drainPod("web-0")
			},
		},
		"DrainsInOrder/replica": {
			reason: "web-0 goes while web-1 is not drained",
			spec:   `"replicas":0`,
			pods:   "web-0:ready",
			plant: func(p *planted) {
				p.annotate(sim.KindSet, "web", adapters.AnnotationDrainTemplate, "{}")
				p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-web-1"}})
				p.annotate(sim.KindClaim, "www-web-1", adapters.AnnotationDrainSet, p.mark())
				p.look()
				p.delete("web-0")
			},
		},
		"ClaimsFollowRetention": {
			reason: "Retain, Retain has no owner",
			plant:  func(p *planted) { p.ownClaim(p.owner()) },
		},
		"ClaimsFollowRetention/its pod": {
			reason: "whenScaled Delete gives the claim of a pod outside the range to that pod",
			spec:   `"replicas":0,"persistentVolumeClaimRetentionPolicy":{"whenScaled":"Delete","whenDeleted":"Retain"}`,
			pods:   "web-0:ready",
			plant: func(p *planted) {
				p.ownClaimAs("user", p.ofPod("web-0"))
				p.look()
				p.ownClaim()
			},
		},
		"ClaimsFollowRetention/foreign": {
			reason: "somebody else's reference is lost",
			plant: func(p *planted) {
				other := metav1.OwnerReference{APIVersion: "v1", Kind: "Backup", Name: "b", UID: "u"}
				p.ownClaimAs("user", other)
				p.look()
				p.ownClaim()
			},
		},
		"ClaimsBeforePods": {
			reason: "the claim does not exist",
			spec:   `"replicas":2,"podManagementPolicy":"Parallel","volumeClaimTemplates":[{"metadata":{"name":"www"}}]`,
			pods:   "web-0:ready",
			plant:  func(p *planted) { p.addPod("a", "web-1", "new") },
		},
		"ClaimsBeforePods/earlier set": {
			reason: "the claim goes with a set of the name that was deleted",
			spec:   `"replicas":2,"podManagementPolicy":"Parallel","volumeClaimTemplates":[{"metadata":{"name":"www"}}]`,
			pods:   "web-0:ready",
			plant: func(p *planted) {
				earlier := p.owner()
				earlier.UID = "earlier"
				p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-web-1", OwnerReferences: []metav1.OwnerReference{earlier}}})
				p.look()
				p.addPod("a", "web-1", "new")
			},
		},
		"PodsHaveTheirClaims": {
			reason: "the pod lacks the claim that pods of its revision have",
			spec:   `"replicas":2,"podManagementPolicy":"Parallel"`,
			pods:   "web-0:ready",
			plant: func(p *planted) {
				p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-web-1"}})
				p.look()
				p.addPod("a", "web-1", "new")
			},
		},
		"PodsHaveTheirClaims/removed": {
			reason: "the pod has a claim that pods of its revision do not have",
			plant: func(p *planted) {
				labels := map[string]string{"app": "web", appsv1.ControllerRevisionHashLabelKey: "web-less"}
				less := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "web-less", Labels: labels, OwnerReferences: []metav1.OwnerReference{p.owner()}}, Revision: 3}
				less.Data.Raw = []byte(`{"setplan.io/claim-templates":{"www":null},"spec":{"template":{"$patch":"replace"}}}`)
				p.create("user", less)
				p.look()
				p.create("a", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0", Labels: labels, OwnerReferences: []metav1.OwnerReference{p.owner()}},
					Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main"}}, Volumes: []corev1.Volume{{Name: "www", VolumeSource: corev1.VolumeSource{
						PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "www-web-0"}}}}}})
			},
		},
		"PodsHaveTheirClaims/added": {
			reason: "the pod lacks the claim of a template that its revision adds",
			plant: func(p *planted) {
				labels := map[string]string{"app": "web", appsv1.ControllerRevisionHashLabelKey: "web-more"}
				more := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "web-more", Labels: labels, OwnerReferences: []metav1.OwnerReference{p.owner()}}, Revision: 3}
				more.Data.Raw = []byte(`{"setplan.io/claim-templates":{"wal":{"spec":{}}},"spec":{"template":{"$patch":"replace"}}}`)
				p.create("user", more)
				p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "wal-web-0"}})
				p.look()
				p.create("a", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0", Labels: labels, OwnerReferences: []metav1.OwnerReference{p.owner()}},
					Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main"}}}})
			},
		},
		"WantedClaimsStay": {
			reason: "a pod of the range goes, and its claim refers to it since the set was scaled down and up again",
			spec:   `"replicas":1,"persistentVolumeClaimRetentionPolicy":{"whenScaled":"Delete","whenDeleted":"Retain"}`,
			pods:   "web-0:old",
			plant: func(p *planted) {
				p.ownClaimAs("user", p.ofPod("web-0"))
				p.look()
				p.delete("web-0")
			},
		},
		"WantedClaimsStay/condemned": {
			reason: "the policy has become Retain since the claim was handed over",
			spec:   `"replicas":0`,
			pods:   "web-0:ready",
			plant: func(p *planted) {
				p.ownClaimAs("user", p.ofPod("web-0"))
				p.look()
				p.delete("web-0")
			},
		},
		"DeletingSetStatusOnly": {
			reason: "a pod is deleted for a set that is going",
			pods:   "web-0:ready",
			plant: func(p *planted) {
				p.must(p.world.Delete("user", sim.KindSet, "web", sim.Preconditions{}, metav1.DeletePropagationOrphan))
				p.look()
				p.delete("web-0")
			},
		},
		"OnlyItsOwn": {
			reason: "the pod of another set is deleted",
			plant: func(p *planted) {
				p.create("user", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-1-0"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{}}}})
				p.look()
				p.delete("web-1-0")
			},
		},
		"OnlyItsOwn/a stranger's labels": {
			reason: "a pod that nobody controls is changed without being adopted",
			plant: func(p *planted) {
				p.create("user", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-1"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{}}}})
				p.look()
				p.update(sim.KindPod, "web-1", func(o sim.Object) { o.SetLabels(map[string]string{"app": "web"}) })
			},
		},
		"RevisionsOnlyGrow": {
			reason: "a revision gets a smaller number",
			plant: func(p *planted) {
				p.update(sim.KindRevision, "web-new", func(o sim.Object) { o.(*appsv1.ControllerRevision).Revision = 1 })
			},
		},
		"RevisionsOnlyGrow/data": {
			reason: "the data of a revision changes; the API would refuse it, so it is written past it",
			plant: func(p *planted) {
				old := p.world.State().Revision("web-new")
				changed := old.DeepCopy()
				changed.Data.Raw = []byte(`{}`)
				p.monitor.wrote(p.world.State(), sim.Event{Actor: "a", Verb: "update", Kind: sim.KindRevision, Name: "web-new", Old: old, New: changed})
			},
		},
	}
	maps.Copy(tests, resourceBreaches)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := plant(t, tt.spec, tt.pods)
			if len(p.monitor.Problems()) > 0 {
				t.Fatalf("before anything is planted: %v", p.monitor.Problems())
			}
			tt.plant(p)
			invariant, _, _ := strings.Cut(name, "/")
			if text := strings.Join(p.monitor.Problems(), "\n"); !strings.Contains(text, invariant+":") {
				t.Errorf("%s: not caught; the problems are %q", tt.reason, text)
			}
		})
	}
	untold := []string{law.RepairIsRight, law.RepairTakesNothing} // events of the simulated cluster have no cause; UpdateWithinBudget covers these
	for _, invariant := range law.OnWrite {
		if _, tested := tests[invariant.Name]; !tested && !slices.Contains(untold, invariant.Name) {
			t.Errorf("nothing plants a violation of %s", invariant.Name)
		}
	}
}
