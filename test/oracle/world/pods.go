package world

import (
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func (b *builder) start() int {
	if b.set.Spec.Ordinals != nil {
		return int(b.set.Spec.Ordinals.Start)
	}
	return 0
}

// makePods makes the pods of the range, some beyond it, and some that are not the set's.
func (b *builder) makePods() {
	d := &b.dice
	start, replicas := b.start(), int(*b.set.Spec.Replicas)
	missing := pick(d, 0, 0, 0, 5, 20, 60, 100)
	used := map[int]bool{}
	for ordinal := start; ordinal < start+replicas; ordinal++ {
		if used[ordinal] = true; !d.chance(missing) && ordinal <= 2147483647 {
			b.addPod(ordinal)
		}
	}
	for range pick(d, 0, 0, 0, 1, 2, 3) {
		ordinal := pick(d, start+replicas+d.Intn(4), d.Intn(start%100+1))
		if !used[ordinal] && ordinal <= 2147483647 {
			used[ordinal] = true
			b.addPod(ordinal)
		}
	}
	if b.odd() {
		for range 1 + d.Intn(2) {
			name := pick(d, b.set.Name, b.set.Name+"-x", b.set.Name+"-99999999999", "other-1", b.set.Name+"-2147483648", b.set.Name+"-0-0")
			if b.w.Pod(name) == nil {
				b.w.Pods = append(b.w.Pods, b.pod(name, 99))
			}
		}
	}
}

// addPod adds the pod of an ordinal, rarely under a name that spells the ordinal differently. Never both: upstream would take
// the one that its cache happens to list last.
func (b *builder) addPod(ordinal int) {
	name := fmt.Sprintf("%s-%d", b.set.Name, ordinal)
	if b.odd() && b.chance(15) {
		name = fmt.Sprintf("%s-0%d", b.set.Name, ordinal)
	}
	pod := b.pod(name, ordinal)
	if name != fmt.Sprintf("%s-%d", b.set.Name, ordinal) && pod.Status.Phase == corev1.PodPending {
		pod.Status.Phase = corev1.PodRunning // upstream would handle its claims twice, under both names
	}
	b.w.Pods = append(b.w.Pods, pod)
}

func (b *builder) pod(name string, ordinal int) *corev1.Pod {
	d := &b.dice
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: name, Namespace: b.set.Namespace, UID: b.uid(), ResourceVersion: b.version(), GenerateName: b.set.Name + "-",
		CreationTimestamp: *b.ago(500 + d.Intn(500)), OwnerReferences: []metav1.OwnerReference{b.owner(true)},
		Labels: map[string]string{"app": "web", appsv1.StatefulSetPodNameLabel: name, appsv1.PodIndexLabel: strconv.Itoa(ordinal)},
	}}
	pod.Spec.Containers = []corev1.Container{{Name: "app", Image: "app:1"}}
	pod.Spec.Hostname = name
	b.revisionLabel(pod)
	b.podMeta(pod)
	b.podStatus(pod)
	b.podVolumes(pod, ordinal)
	return pod
}

func (b *builder) revisionLabel(pod *corev1.Pod) {
	d := &b.dice
	revision := b.set.Status.UpdateRevision
	switch {
	case d.chance(25):
		revision = b.set.Status.CurrentRevision
	case d.chance(10) || d.odd():
		revision = b.someRevision()
	}
	if revision != "" {
		pod.Labels[appsv1.ControllerRevisionHashLabelKey] = revision
	}
}

// namesake is a set of the same name and another kind.
func (b *builder) namesake() metav1.OwnerReference {
	owner := b.owner(true)
	owner.APIVersion, owner.UID = "example.com/v1", "uid-of-the-namesake"
	return owner
}

// podMeta draws the pod's owner and whether its labels are right.
func (b *builder) podMeta(pod *corev1.Pod) {
	d := &b.dice
	switch {
	case !d.odd():
	case d.chance(35):
		pod.OwnerReferences = nil
	case d.chance(35):
		pod.OwnerReferences = []metav1.OwnerReference{pick(d, someoneElse(true), b.namesake())}
	case d.chance(35):
		pod.OwnerReferences[0].UID = "uid-of-the-earlier-set"
	case d.chance(35):
		pod.OwnerReferences = []metav1.OwnerReference{b.owner(false)}
	default:
		pod.OwnerReferences = append([]metav1.OwnerReference{someoneElse(false)}, pod.OwnerReferences...)
	}
	switch {
	case !d.odd():
	case d.chance(30):
		pod.Labels["app"] = "other"
	case d.chance(20):
		pod.Labels["tier"] = "front"
	case d.chance(40):
		delete(pod.Labels, appsv1.StatefulSetPodNameLabel)
	case d.chance(30):
		pod.Labels[appsv1.StatefulSetPodNameLabel] = "web-77"
	case d.chance(30):
		delete(pod.Labels, appsv1.PodIndexLabel)
	default:
		pod.Labels = nil
	}
}

// podStatus draws a pod's state: mostly running and long ready.
func (b *builder) podStatus(pod *corev1.Pod) {
	d := &b.dice
	pod.Status.Phase = corev1.PodRunning
	ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: *b.ago(200)}
	if d.odd() {
		pod.Status.Phase = pick(d, corev1.PodPending, corev1.PodPending, corev1.PodPending, corev1.PodFailed, corev1.PodSucceeded,
			corev1.PodUnknown)
		if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
			pod.CreationTimestamp = *b.ago(pick(d, 4, 9, 10, 600)) // around the age at which it is replaced
		}
		if d.chance(70) {
			ready.Status = corev1.ConditionFalse
		}
	}
	if d.odd() {
		ready.Status = pick(d, corev1.ConditionFalse, corev1.ConditionUnknown)
	}
	if d.chance(max(2*d.wild, b.fresh)) { // around the moment at which the pod becomes available
		least := time.Duration(b.set.Spec.MinReadySeconds) * time.Second
		off := pick(d, 0, 0, time.Nanosecond, -time.Nanosecond, time.Second, -time.Second, 5*time.Second, -5*time.Second, 500*time.Second)
		ready.LastTransitionTime = metav1.Time{Time: now.Add(-least + off)}
		if d.chance(10) {
			ready.LastTransitionTime = metav1.Time{}
		}
	}
	if !d.odd() || d.chance(50) {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}, ready}
	}
	if d.odd() {
		pod.DeletionTimestamp = b.ago(pick(d, -30, 0, 30))
	}
	if pod.Status.Phase != corev1.PodPending { // an unready one then counts as never ready since its kubelet started it
		pod.Status.StartTime = &ready.LastTransitionTime
	}
}

// podVolumes binds the pod's volumes to its claims, sometimes to others.
func (b *builder) podVolumes(pod *corev1.Pod, ordinal int) {
	d := &b.dice
	if d.chance(30) {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "tmp"})
	}
	for _, template := range b.set.Spec.VolumeClaimTemplates {
		volume := corev1.Volume{Name: template.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{
				ClaimName: fmt.Sprintf("%s-%s-%d", template.Name, b.set.Name, ordinal)}}}
		if d.odd() {
			switch d.Intn(4) {
			case 0:
				continue
			case 1:
				volume.PersistentVolumeClaim.ClaimName = "shared"
			case 2:
				volume.PersistentVolumeClaim.ReadOnly = true
			default:
				volume.VolumeSource = corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
			}
		}
		pod.Spec.Volumes = append(pod.Spec.Volumes, volume)
	}
}
