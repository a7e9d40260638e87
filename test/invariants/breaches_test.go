package invariants

import (
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
)

// breaches are violations of invariants, each planted by commands of (*planted).do: the name of the invariant and of the case, why it is a violation, the
// spec of the set beside selector and template, its pods with states as in addPod, and the commands.
var breaches = []struct{ name, reason, spec, pods, plant string }{
	{"OrderedReady", "web-1 is made while web-0 is not ready", `"replicas":2`, "web-0:pending", "add web-1"},
	{"OrderedReady/scale down", "web-1 goes although web-2 is higher", `"replicas":1`, "web-0:ready web-1:ready web-2:ready", "delete web-1"},
	{"OrderedReady/two at once", "web-1 goes while web-2 is still going",
		`"replicas":1`, "web-0:ready web-1:ready web-2:ready", "delete web-2; delete web-1"},
	{"OrderedReady/reserved", "web-2 is made before web-0 is available; web-1 is reserved and has to be there for nobody",
		`"replicas":2`, "", "annotate set web reserved-ordinals=1; look; add web-2"},
	{"GuardKeeps", "web-1 is outside the range, and not reserved",
		`"replicas":1`, "web-0:ready web-1:ready", "annotate set web scale-in-guard=named; look; delete web-1"},
	{"ScaleUpWithinLimit", "web-0 is starting, and one may",
		`"replicas":2,"podManagementPolicy":"Parallel"`, "web-0:new", "annotate set web scale-up-limit=1; look; add web-1"},
	{"PauseHolds", "updates are paused, and web-0 is outdated", `"replicas":1`, "web-0:old", "annotate set web pause=Updates; look; delete web-0"},
	{"PauseHolds/HealOnly", "web-1 is outside the range, and only pods that are missing are made",
		`"replicas":1`, "web-0:ready web-1:ready", "annotate set web pause=HealOnly; look; delete web-1"},
	{"PauseHolds/All", "a missing pod is made, although all is paused", `"replicas":1`, "", "annotate set web pause=All; look; add web-0"},
	{"DeletingSetStatusOnly", "a pod is deleted for a set that is going", "", "web-0:ready", "deleteSet Orphan; look; delete web-0"},
	{"DeletingSetStatusOnly/takes a claim", "the claim would go with a set that is going", "", "web-0:ready", "deleteSet Foreground; look; own a set"},
	{"DeletingSetStatusOnly/keeps too much", "whenDeleted deletes the claim",
		`"persistentVolumeClaimRetentionPolicy":{"whenScaled":"Retain","whenDeleted":"Delete"}`, "web-0:ready", "own user set; deleteSet Foreground; look; own a"},
	{"UpdateWithinBudget", "two pods go, and one may", `"replicas":3`, "web-0:old web-1:old web-2:old", "delete web-2; delete web-1"},
	{"UpdateWithinBudget/order", "web-0 goes before web-1", `"replicas":2`, "web-0:old web-1:old", "delete web-0"},
	{"UpdateWithinBudget/partition", "web-0 is below the partition",
		`"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`, "web-0:old", "delete web-0"},
	{"UpdateWithinBudget/current", "web-0 is at the update revision", `"replicas":1`, "web-0:ready", "delete web-0"},
	{"UpdateWithinBudget/OnDelete", "nobody but the user deletes", `"replicas":1,"updateStrategy":{"type":"OnDelete"}`, "web-0:old", "delete web-0"},
	{"UpdateWithinBudget/chosen", "somebody has chosen web-0, and web-1 is not available",
		`"replicas":2`, "web-0:ready web-1:new", "annotate pod web-0 recreate=true; look; delete web-0"},
	{"UpdateWithinBudget/images", "the images of two pods change, and those of one may",
		`"replicas":3`, "web-0:old web-1:old web-2:old", "otherImages; reimage web-2 main:v2 web-new; reimage web-1 main:v2 web-new"},
	{"UpdateWithinBudget/on its way", "web-1 is ready, and nobody has seen that it runs its new image",
		`"replicas":2`, "web-0:old web-1:old", "otherImages; reimage web-1 main:v2 web-new; look; delete web-0"},
	{"UpdateWithinBudget/resources", "containers of two pods start again for their resources, and those of one may",
		`"replicas":3`, "web-0:old web-1:old web-2:old", `otherResources {"requests":{"cpu":"1"}} {"requests":{"cpu":"2"}}; sends web-2 ,"restarts":true; sends web-1 ,"restarts":true`},
	{"UpdateWithinBudget/room", "nobody refuses what web-0 asks for",
		`"replicas":1`, "web-0:old", `otherResources {"requests":{"cpu":"1"}} {"requests":{"cpu":"2"}}; sends web-0; asks web-0 2; look; delete web-0`},
	{"UpdateWithinBudget/a lower one is on its way", "web-0 is ready, and nobody has seen that it runs its new image",
		`"replicas":2`, "web-0:old web-1:old", "otherImages; goes web-0 web-new; look; delete web-1"},
	{"UpdateWithinBudget/blip", "web-2 starts, and web-1 was ready a second ago",
		`"replicas":3`, "web-0:old web-1:old web-2:new", "unready web-1; pass 1s; look; delete web-1"},
	{"UpdateWithinBudget/ready, and not available yet", "web-2 starts, and web-1 is ready",
		`"replicas":3,"minReadySeconds":300`, "web-0:old web-1:old web-2:new", "pass 2m; look; delete web-1"},
	{"UpdateWithinBudget/its node does not answer", "web-2 is missing, and web-1 may serve however long its node does not answer",
		`"replicas":3`, "web-0:old web-1:old", "lost web-1; pass 1h; look; delete web-1"},
	{"UpdateWithinBudget/another one starts", "web-1 has been unready for long, and so has web-0, but web-2 is about to be ready",
		`"replicas":3`, "web-0:old web-1:old", "unready web-0; unready web-1; pass 1h; start web-2; look; delete web-1"},
	{"UpdateWithinBudget/two at once", "all have been unready for long, and one goes at a time",
		`"replicas":3`, "web-0:old web-1:old web-2:old", "unready web-0; unready web-1; unready web-2; pass 1h; look; delete web-2; delete web-1"},
	{"BelowPartitionStaysOld", "the pod is made at the new revision",
		`"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`, "", "add web-0"},
	{"BelowPartitionStaysOld/lost", "the current revision is not seen, and the pod is made at the new one",
		`"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`, "", "remove revision web-old; look; add web-0"},
	{"BelowPartitionStaysOld/recreate", "web-0 is still there, at the old revision", `"replicas":2,"updateStrategy":{"type":"Recreate"}`, "web-0:old", "add web-1"},
	{"UpdateWithinBudget/recreate", "nobody has agreed to web-1, and all go or none does",
		`"replicas":2,"updateStrategy":{"type":"Recreate"}`, "web-0:old web-1:old", "annotate set web before-update=agent; annotate pod web-0 before-update=web-new; look; delete web-0"},
	{"UpdateWithinBudget/recreate, guarded", "the guard keeps web-1, and all go or none does",
		`"replicas":1,"updateStrategy":{"type":"Recreate"}`, "web-0:old web-1:old", "annotate set web scale-in-guard=named; look; delete web-0"},
	{"LeaderComesLast", "web-1 leads, and web-0 is outdated, too",
		`"replicas":2`, "web-0:old web-1:old", "annotate set web update-rank=role=primary; relabel web-1 role=primary; look; delete web-1"},
	{"LeaderComesLast/chosen", "somebody has chosen the leader, and web-1 is not available",
		`"replicas":2,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":2}}`, "web-0:ready web-1:new", "annotate set web update-rank=role=primary; annotate pod web-0 recreate=true; relabel web-0 role=primary; look; delete web-0"},
	{"LeaderComesLast/images", "web-1 leads, and web-0 is outdated, too",
		`"replicas":2`, "web-0:old web-1:old", "otherImages; annotate set web in-place=InPlaceIfPossible update-rank=role=primary; relabel web-1 role=primary; look; reimage web-1 main:v2 web-new"},
	{"LeaderComesLast/unclear", "nobody leads, and web-1 is available",
		`"replicas":2`, "web-0:old web-1:old", "annotate set web update-rank=role=primary; look; delete web-1"},
	{"LeaderComesLast/nearly", "nobody leads, and web-1 is ready, though not available yet",
		`"replicas":2,"minReadySeconds":300`, "web-0:old web-1:old", "annotate set web update-rank=role=primary; relabel web-1 role=Primary; look; delete web-1"},
	{"LeaderComesLast/elected meanwhile", "web-1 has become the leader since the adapter looked",
		`"replicas":2`, "web-0:old web-1:old", "annotate set web update-rank=role=primary; relabel web-0 role=primary; look; relabel web-1 role=primary; delete web-1"},
	{"LeaderComesLast/rank", "web-0 has a lower rank",
		`"replicas":3`, "web-0:old web-1:old web-2:old", "annotate set web update-rank=setplan.io/rank; relabel web-1 setplan.io/rank=1; relabel web-2 setplan.io/rank=2; look; delete web-1"},
	{"GatesHold", "nobody has agreed to the update of web-1",
		`"replicas":2`, "web-0:old web-1:old", "annotate set web before-update=agent; look; delete web-1"},
	{"GatesHold/taken back", "the answer was taken back since the adapter looked",
		`"replicas":2`, "web-0:old web-1:old", "annotate set web before-update=agent; annotate pod web-1 before-update=web-new; look; annotate pod web-1 before-update=no; delete web-1"},
	{"GatesHold/not confirmed", "web-1 is updated, and nobody has confirmed it",
		`"replicas":2`, "web-0:old web-1:ready", "annotate set web after-update=agent; look; delete web-0"},
	{"GatesHold/file system", "nobody has agreed that web-0 starts again for its file system",
		`"replicas":1`, "web-0:mounts", "waitsForFileSystem; annotate set web claim-update-policy=InPlaceOrRecreate before-update=agent; look; delete web-0"},
	{"GatesHold/in place", "nobody has agreed to the update of web-0",
		`"replicas":1`, "web-0:old", "sameSpecs; annotate set web in-place=InPlaceOnly before-update=agent; look; relabel web-0 revision=web-new"},
	{"GatesHold/images", "nobody has agreed to the update of web-0",
		`"replicas":1`, "web-0:old", "otherImages; annotate set web in-place=InPlaceIfPossible before-update=agent; look; reimage web-0 main:v2 web-new"},
	{"BudgetsHold", "web-1 is ready, and is deleted and not evicted",
		`"replicas":2`, "web-0:old web-1:old", "annotate set web disruption-budget=Respect; look; delete web-1"},
	{"BudgetsHold/images", "disruption budgets are respected, and nobody asks one",
		`"replicas":1`, "web-0:old", "otherImages; annotate set web in-place=InPlaceIfPossible disruption-budget=Respect; look; reimage web-0 main:v2 web-new"},
	{"InPlaceIsRight", "the revisions differ in the image, too",
		`"replicas":1`, "web-0:old", "annotate set web in-place=InPlaceIfPossible; look; relabel web-0 revision=web-new"},
	{"InPlaceIsRight/nobody asks", "the set wants its pods recreated",
		`"replicas":1`, "web-0:old", "sameSpecs; annotate set web in-place=Recreate; look; relabel web-0 revision=web-new"},
	{"InPlaceIsRight/order", "web-1 is outdated, too",
		`"replicas":2`, "web-0:old web-1:old", "sameSpecs; annotate set web in-place=InPlaceIfPossible; look; relabel web-0 revision=web-new"},
	{"InPlaceIsRight/partition", "web-0 is below the partition",
		`"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}`, "web-0:old", "sameSpecs; annotate set web in-place=InPlaceIfPossible; look; relabel web-0 revision=web-new"},
	{"InPlaceIsRight/kept", "the set keeps its pods, and web-0 is deleted",
		`"replicas":1`, "web-0:old", "annotate set web in-place=InPlaceOnly; look; delete web-0"},
	{"InPlaceIsRight/more than images", "the revisions differ in something else, too",
		`"replicas":1`, "web-0:old", `otherImages; revise web-old "n":0,"spec":{"containers":[{"name":"main","image":"main:v1"}]}; look; reimage web-0 main:v2 web-new`},
	{"InPlaceIsRight/nobody asks for images", "the set wants its pods recreated",
		`"replicas":1`, "web-0:old", "otherImages; annotate set web in-place=Recreate; look; reimage web-0 main:v2 web-new"},
	{"InPlaceIsRight/elsewhere", "web-0 is on its way to web-new, and is said to be at web-old",
		`"replicas":1`, "web-0:old", "otherImages; reimage web-0 main:v2 web-new; runs web-0 main:v2; annotate pod web-0 in-place-update={}"},
	{"InPlaceIsRight/resources that are not noted", "web-0 is on its way nowhere, and asks for more",
		`"replicas":1`, "web-0:old", `otherResources {"requests":{"cpu":"1"}} {"requests":{"cpu":"2"}}; asks web-0 2`},
	{"InPlaceIsRight/other resources", "web-0 asks for what its revision does not say",
		`"replicas":1`, "web-0:old", `otherResources {"requests":{"cpu":"1"}} {"requests":{"cpu":"2"}}; sends web-0; asks web-0 3`},
	{"InPlaceIsRight/resources in one write", "the label changes, and nobody has noted that resources do",
		`"replicas":1`, "web-0:old", `otherResources {"requests":{"cpu":"1"}} {"requests":{"cpu":"2"}}; relabel web-0 revision=web-new`},
	{"InPlaceIsRight/a limit that is gone", "the API server takes no limit away",
		`"replicas":1`, "web-0:old", `otherResources {"limits":{"memory":"1Gi"},"requests":{"cpu":"1"}} {"requests":{"cpu":"2"}}; sends web-0`},
	{"InPlaceIsRight/class of service", "the pod would be guaranteed what it asks for",
		`"replicas":1`, "web-0:old", `otherResources {"limits":{"cpu":"2","memory":"1Gi"},"requests":{"cpu":"1"}} {"limits":{"cpu":"2","memory":"1Gi"}}; sends web-0`},
	{"InPlaceIsRight/order of resources", "web-1 asks for more, and has not got it",
		`"replicas":2`, "web-0:old web-1:old", `otherResources {"requests":{"cpu":"1"}} {"requests":{"cpu":"2"}}; sends web-1; asks web-1 2; look; sends web-0`},
	{"LabelsAreTrue", "the container runs the old image",
		`"replicas":1`, "web-0:old", "otherImages; reimage web-0 main:v2 web-new; look; relabel web-0 revision=web-new"},
	{"LabelsAreTrue/resources that are not given", "web-0 asks for more, and has not got it",
		`"replicas":1`, "web-0:old", `otherResources {"requests":{"cpu":"1"}} {"requests":{"cpu":"2"}}; sends web-0; asks web-0 2; look; relabel web-0 revision=web-new`},
	{"LabelsAreTrue/resources that nobody has asked for", "web-0 asks for what it has",
		`"replicas":1`, "web-0:old", `otherResources {"requests":{"cpu":"1"}} {"requests":{"cpu":"2"}}; sends web-0; look; relabel web-0 revision=web-new`},
	{"ClaimsBeforePods", "the claim does not exist",
		`"replicas":2,"podManagementPolicy":"Parallel","volumeClaimTemplates":[{"metadata":{"name":"www"}}]`, "web-0:ready", "add web-1"},
	{"PodsHaveTheirClaims", "the pod lacks the claim that pods of its revision have",
		`"replicas":2,"podManagementPolicy":"Parallel"`, "web-0:ready", "claim www-web-1; look; add web-1"},
	{"ClaimsFollowRetention", "Retain, Retain has no owner", "", "", "own a set"},
	{"ClaimsFollowRetention/its pod", "whenScaled Delete gives the claim of a pod outside the range to that pod",
		`"replicas":0,"persistentVolumeClaimRetentionPolicy":{"whenScaled":"Delete","whenDeleted":"Retain"}`, "web-0:ready", "own user web-0; look; own a"},
	{"WantedClaimsStay", "a pod of the range goes, and its claim refers to it since the set was scaled down and up again",
		`"replicas":1,"persistentVolumeClaimRetentionPolicy":{"whenScaled":"Delete","whenDeleted":"Retain"}`, "web-0:old", "own user web-0; look; delete web-0"},
	{"WantedClaimsStay/condemned", "the policy has become Retain since the claim was handed over",
		`"replicas":0`, "web-0:ready", "own user web-0; look; delete web-0"},
	{"VolumesGrowOnce", "it grows from 1Gi to 2Gi", `"replicas":1`, "web-0:ready", "request user 1Gi 2Gi; look; request a 1Gi 3Gi"},
	{"NeighboursKeepTheirs", "set db-web calls its claim www-db-web-0 as well",
		`"replicas":0,"volumeClaimTemplates":[{"metadata":{"name":"www-db"}}]`, "", "neighbour; deleteClaim www-db-web-0"},
	{"NeighboursKeepTheirs/drain pod", "a drain pod empties it",
		`"replicas":0,"volumeClaimTemplates":[{"metadata":{"name":"www-db"}}]`, "", "neighbour; drainPod web-0 www-db-web-0"},
	{"OnlyItsOwn", "the pod of another set is deleted", "", "", "stranger web-1-0; look; delete web-1-0"},
	{"OnlyItsOwn/a stranger's labels", "a pod that nobody controls is changed without being adopted",
		"", "", "stranger web-1; look; relabel web-1 app=web"},
	{"DataIsDrained", "an adapter deletes a claim that nobody drained", "", "", "annotate claim www-web-0 drain-set=$mark; deleteClaim"},
	{"DataIsDrained/unmarked", "the claim is not the set's to drain", "", "", "deleteClaim"},
	{"DataIsDrained/running", "the drain pod has not succeeded",
		`"replicas":0`, "", "annotate claim www-web-0 drain-set=$mark; drainPod web-0; deleteClaim"},
	{"DataIsDrained/by the garbage collector", "the set has the finalizer of the drain, and a claim that belongs to it",
		"", "", "own gc set; keep; deleteSet Foreground"},
	{"DataIsDrained/interrupted", "the drain pod has succeeded while its node stopped it",
		`"replicas":0`, "", "annotate claim www-web-0 drain-set=$mark; drainPod web-0; interrupt web-0; look; deleteClaim"},
	{"DataIsDrained/unproven", "the drain pod has not handed its token back, which it was not given",
		`"replicas":0`, "", "annotate set web drain-proof=Token; annotate claim www-web-0 drain-set=$mark; drainPod web-0; complete web-0; look; deleteClaim"},
	{"DrainPodsFinish", "a drain pod that runs is broken off",
		`"replicas":0`, "", "annotate set web drain-pod-template={}; annotate claim www-web-0 drain-set=$mark; drainPod web-0; look; delete web-0"},
	{"DrainsInOrder", "web-0 is drained while web-1 has a replica",
		`"replicas":0`, "web-1:ready", "annotate set web drain-pod-template={}; annotate claim www-web-0 drain-set=$mark; look; drainPod web-0"},
	{"DrainsInOrder/replica", "web-0 goes while web-1 is not drained",
		`"replicas":0`, "web-0:ready", "annotate set web drain-pod-template={}; claim www-web-1; annotate claim www-web-1 drain-set=$mark; look; delete web-0"},
	{"FinalizerComesLast", "the set gets the finalizer of the drain while a claim belongs to it", "", "", "own user set; look; finalizer setplan.io/drain"},
	{"OnlyMarkedIsDrained", "the claim was there before the policy", `"replicas":0`, "", "drainPod web-0"},
	{"SetStaysUntilDrained", "the finalizer goes while a claim is marked",
		"", "", "annotate claim www-web-0 drain-set=$mark; keep; deleteSet Background; look; finalizer"},
}

// breach is a violation that takes more than the commands.
type breach struct {
	reason string
	spec   string // beside selector and template
	pods   string // of the set: name:state, states as in addPod
	plant  func(*planted)
}

var oddBreaches = map[string]breach{
	"AtMostOne": {
		reason: "a pod of the name is there",
		pods:   "web-0:ready",
		plant: func(p *planted) {
			p.monitor.wrote(p.world.State(), sim.Event{Actor: "a", Verb: "create", Kind: sim.KindPod, Name: "web-0", New: p.world.State().Pod("web-0")})
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

// TestInvariantsCatch plants a violation of each invariant: a checker that never fails proves nothing.
func TestInvariantsCatch(t *testing.T) {
	tests := map[string]breach{}
	for _, b := range breaches {
		tests[b.name] = breach{b.reason, b.spec, b.pods, func(p *planted) { p.do(b.plant) }}
	}
	for name, odd := range oddBreaches {
		tests[name] = odd
	}
	if len(tests) != len(breaches)+len(oddBreaches) {
		t.Error("two have one name")
	}
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

// do carries out commands, most of them as the adapter; those of users and of the kubelet are the ones of what it cannot do.
func (p *planted) do(commands string) {
	p.t.Helper()
	for command := range strings.SplitSeq(commands, "; ") {
		words := strings.Fields(command)
		word := func(i int) string { return words[i] }
		pairs := map[string]string{} // key=value, from the fourth word on
		for _, text := range words[min(3, len(words)):] {
			key, value, _ := strings.Cut(text, "=")
			pairs["setplan.io/"+key] = strings.ReplaceAll(value, "$mark", p.mark())
		}
		switch word(0) {
		case "look":
			p.look()
		case "add":
			p.addPod("a", word(1), "new")
		case "delete":
			p.delete(word(1))
		case "start":
			p.addPod("user", word(1), "new")
		case "unready":
			p.must(p.world.SetReady("kubelet", word(1), false))
		case "lost":
			p.must(p.world.LoseNode(word(1)))
		case "pass":
			d, err := time.ParseDuration(word(1))
			p.must(err)
			p.world.Advance(d)
		case "annotate": // kind, name, annotations, which have the place of all others
			p.update(kindOf[word(1)], word(2), func(o sim.Object) { o.SetAnnotations(pairs) })
		case "relabel":
			key, value, _ := strings.Cut(word(2), "=")
			p.relabel(word(1), strings.ReplaceAll(key, "revision", appsv1.ControllerRevisionHashLabelKey), value)
		case "stranger":
			p.create("user", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: word(1), Labels: map[string]string{"of": "nobody"}}, Spec: corev1.PodSpec{Containers: []corev1.Container{{}}}})
		case "remove":
			p.must(p.world.Remove("user", kindOf[word(1)], word(2)))
		case "deleteSet":
			p.must(p.world.Delete("user", sim.KindSet, "web", sim.Preconditions{}, metav1.DeletionPropagation(word(1))))
		case "finalizer":
			p.update(sim.KindSet, "web", func(o sim.Object) { o.SetFinalizers(words[1:]) })

		case "claim":
			p.create("user", &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: word(1)}})
		case "deleteClaim":
			p.must(p.world.Delete("a", sim.KindClaim, append(words, "www-web-0")[1], sim.Preconditions{}, ""))
		case "own": // who does it, and the owners of the claim: the set, or pods
			var refs []metav1.OwnerReference
			for _, owner := range words[2:] {
				if owner == "set" {
					refs = append(refs, p.owner())
				} else {
					refs = append(refs, p.ofPod(owner))
				}
			}
			p.ownClaimAs(word(1), refs...)
		case "request":
			p.request(word(1), word(2), word(3))
		case "waitsForFileSystem":
			p.waitsForFileSystem()
		case "neighbour":
			p.neighbour()

		case "drainPod":
			p.drainPodOn(word(1), append(words, "www-"+word(1))[2])
		case "complete":
			p.must(p.world.Complete(word(1)))
		case "interrupt":
			p.must(p.world.Interrupt(word(1)))
		case "keep":
			p.keep()

		case "sameSpecs":
			p.sameSpecs()
		case "otherImages":
			p.otherImages()
		case "revise":
			p.revise(word(1), word(2))
		case "reimage":
			p.reimage(word(1), word(2), word(3))
		case "goes": // a note of a user's, that the pod is on its way to a revision
			_, err := p.world.Update("user", sim.KindPod, word(1), sim.Preconditions{}, func(o sim.Object) {
				o.SetAnnotations(map[string]string{annotationUpdate: `{"revision":"` + word(2) + `"}`})
			})
			p.must(err)
		case "runs":
			p.runs(word(1), word(2))
		case "otherResources":
			p.otherResources(word(1), word(2))
		case "sends":
			p.sends(word(1), append(words, "")[2])
		case "asks":
			p.asks(word(1), word(2))
		default:
			p.t.Fatalf("nobody knows how to %s", command)
		}
	}
}

var kindOf = map[string]string{"set": sim.KindSet, "pod": sim.KindPod, "claim": sim.KindClaim, "revision": sim.KindRevision}
