package world

import (
	"fmt"
	"math/rand"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install" // the defaults of an API server
)

// now is the time of every world: not on a full second, as real clocks rarely are.
var now = time.Date(2026, 3, 1, 12, 0, 0, 250_000_000, time.UTC)

// builder makes one world, in the order of the methods of Generate.
type builder struct {
	dice
	w         *World
	set       *appsv1.StatefulSet
	wanted    []corev1.PodTemplateSpec // the template variants
	patches   [variants][]byte         // the data of their revisions, made when first needed
	variant   int                      // the set's variant
	fresh     int                      // percentage of pods that have just become ready
	revisions []string                 // names of the history's entries, oldest first
	serial    int
}

// Generate makes the world of a seed. SetGate must have the same value, because the API server's defaults depend on it.
func Generate(seed int64, gate bool) *World {
	b := &builder{w: &World{Now: now, Gate: gate}}
	b.Rand = rand.New(rand.NewSource(seed)) //nolint:gosec // must be the same each time
	b.wild = pick(&b.dice, 1, 2, 4, 8, 25)
	b.fresh = pick(&b.dice, 0, 0, 0, 40)
	b.makeSet()
	b.makeHistory()
	b.makePods()
	b.makeClaims()
	b.makeStatus()
	b.shuffle()
	return b.w
}

// uid returns one that nothing else in the world has.
func (b *builder) uid() types.UID {
	b.serial++
	return types.UID(fmt.Sprintf("uid-%d", b.serial))
}

func (b *builder) version() string { return fmt.Sprint(100 + b.Intn(900)) }

func (b *builder) makeSet() {
	d := &b.dice
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{
		Name: pick(d, "web", "web", "web", "web", "db-0", "a.b"), Namespace: "default", UID: b.uid(),
		ResourceVersion: b.version(), Generation: int64(1 + d.Intn(4)),
	}}
	if d.chance(1) {
		set.Name = strings.Repeat("long", 58) // the names of its revisions are cut
	}
	if d.chance(20) {
		set.Annotations = map[string]string{"note": pick(d, "a", "<&>", "\u2028 \"quoted\""), "kubectl.kubernetes.io/x": ""}
	}
	if d.chance(4) {
		set.DeletionTimestamp, set.Finalizers = b.ago(30), []string{"foregroundDeletion"}
	}
	set.Spec = appsv1.StatefulSetSpec{
		Replicas:             ptr(pick(d, int32(0), 1, 2, 2, 3, 3, 3, 4, 5, 6)),
		Selector:             &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		ServiceName:          pick(d, "", "web", "svc"),
		PodManagementPolicy:  pick(d, "", appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement, appsv1.ParallelPodManagement),
		MinReadySeconds:      pick(d, int32(0), 0, 10, 30),
		RevisionHistoryLimit: ptr(pick(d, int32(10), 10, 2, 1, 0, -1)),
	}
	if d.chance(30) {
		set.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: pick(d, int32(0), 1, 2, 2, 5, 5, 2147483640)}
	}
	if d.chance(15) {
		set.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{pick(d,
			metav1.LabelSelectorRequirement{Key: "tier", Operator: metav1.LabelSelectorOpDoesNotExist},
			metav1.LabelSelectorRequirement{Key: "app", Operator: metav1.LabelSelectorOpIn, Values: []string{"web", "db"}},
			metav1.LabelSelectorRequirement{Key: "tier", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"front"}},
			metav1.LabelSelectorRequirement{Key: "app", Operator: metav1.LabelSelectorOpExists})}
	}
	if len(set.Spec.Selector.MatchExpressions) > 0 && d.chance(30) { // so that pods without labels match, too
		set.Spec.Selector.MatchLabels = nil
	}
	b.set, b.w.Set = set, set
	b.makeStrategy()
	b.makeClaimTemplates()
	b.makeTemplates()
	legacyscheme.Scheme.Default(set)
	switch d.Intn(12) {
	case 0, 1, 2, 3:
		set.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled = appsv1.DeletePersistentVolumeClaimRetentionPolicyType
	case 4:
		set.Spec.PersistentVolumeClaimRetentionPolicy = nil // stored before the field existed, and never defaulted
		return
	}
	if d.chance(50) {
		set.Spec.PersistentVolumeClaimRetentionPolicy.WhenDeleted = appsv1.DeletePersistentVolumeClaimRetentionPolicyType
	}
}

// Recreate is the update strategy that Kubernetes 1.37 brought.
const Recreate = appsv1.StatefulSetUpdateStrategyType("Recreate")

func (b *builder) makeStrategy() {
	d, strategy := &b.dice, &b.set.Spec.UpdateStrategy
	replicas := *b.set.Spec.Replicas
	switch d.Intn(12) {
	case 0: // all defaults
	case 1, 2:
		if strategy.Type = appsv1.OnDeleteStatefulSetStrategyType; Since137 && d.chance(60) {
			strategy.Type = Recreate
			return
		}
		if d.chance(10) { // no longer valid, but upstream reads it
			strategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: ptr(replicas / 2)}
		}
	case 3, 4, 5:
		strategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
	default:
		strategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
		strategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{}
		if d.chance(70) {
			strategy.RollingUpdate.Partition = ptr(pick(d, 0, 0, 0, 1, replicas/2, replicas-1, replicas, replicas+3, 2147483647))
			*strategy.RollingUpdate.Partition = max(0, *strategy.RollingUpdate.Partition)
		}
		if d.chance(60) {
			strategy.RollingUpdate.MaxUnavailable = ptr(pick(d, intstr.FromInt32(1), intstr.FromInt32(2), intstr.FromInt32(2),
				intstr.FromInt32(3), intstr.FromInt32(100), intstr.FromString("1%"), intstr.FromString("34%"),
				intstr.FromString("50%"), intstr.FromString("100%")))
		}
	}
}

func (b *builder) ago(seconds int) *metav1.Time {
	return &metav1.Time{Time: now.Truncate(time.Second).Add(-time.Duration(seconds) * time.Second)}
}

func (b *builder) owner(controller bool) metav1.OwnerReference {
	ref := *metav1.NewControllerRef(b.set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))
	if !controller {
		ref.Controller, ref.BlockOwnerDeletion = pick(&b.dice, nil, ptr(false)), nil
	}
	return ref
}

// someoneElse is an owner of another kind.
func someoneElse(controller bool) metav1.OwnerReference {
	ref := metav1.OwnerReference{APIVersion: "example.com/v1", Kind: "Database", Name: "web", UID: "uid-of-another"}
	if controller {
		ref.Controller = ptr(true)
	}
	return ref
}

// makeStatus makes the previous status: mostly one that an earlier pass could have written.
func (b *builder) makeStatus() {
	d, status := &b.dice, &b.set.Status
	status.ObservedGeneration = b.set.Generation - int64(pick(d, 0, 0, 0, 1))
	for _, pod := range b.w.Pods {
		status.Replicas++
		if pod.Status.Phase == corev1.PodRunning && d.chance(90) {
			status.ReadyReplicas++
			status.AvailableReplicas++
		}
		switch pod.Labels[appsv1.ControllerRevisionHashLabelKey] {
		case status.UpdateRevision:
			status.UpdatedReplicas++
		case status.CurrentRevision:
			status.CurrentReplicas++
		}
	}
	if d.chance(25) {
		status.CurrentReplicas = int32(d.Intn(7))
	}
	if d.chance(10) {
		status.Replicas = int32(d.Intn(7))
	}
	if d.chance(10) {
		status.Conditions = []appsv1.StatefulSetCondition{{Type: "Odd", Status: corev1.ConditionTrue}}
	}
	if Since137 && d.chance(20) {
		status.Conditions = append(status.Conditions, appsv1.StatefulSetCondition{Type: "Progressing", Status: pick(d, corev1.ConditionTrue, corev1.ConditionFalse),
			Reason: pick(d, "RecreateInProgress", "RecreateCompleted"), Message: pick(d, "Deleting old revision pods", "All pods recreated successfully")})
	}
}

// shuffle reorders every list: nothing may depend on the order.
func (b *builder) shuffle() {
	b.Shuffle(len(b.w.Pods), func(i, j int) { b.w.Pods[i], b.w.Pods[j] = b.w.Pods[j], b.w.Pods[i] })
	b.Shuffle(len(b.w.Claims), func(i, j int) { b.w.Claims[i], b.w.Claims[j] = b.w.Claims[j], b.w.Claims[i] })
	b.Shuffle(len(b.w.Revisions), func(i, j int) {
		b.w.Revisions[i], b.w.Revisions[j] = b.w.Revisions[j], b.w.Revisions[i]
	})
}
