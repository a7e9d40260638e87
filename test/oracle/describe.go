package oracle

import (
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/oracle/world"
)

// String describes a divergence: the world, what upstream did, what ours planned.
func (d *Divergence) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n%s\nupstream:\n", d.Class, d.Detail, describeWorld(d.World))
	for _, write := range d.Theirs.Writes {
		fmt.Fprintf(&b, "  %s\n", describeWrite(write))
	}
	if d.Theirs.Err != nil {
		fmt.Fprintf(&b, "  error: %v\n", d.Theirs.Err)
	}
	fmt.Fprintf(&b, "  requeue: %s\nours:\n", d.Theirs.Requeue)
	for _, stage := range d.Ours.Stages {
		fmt.Fprintf(&b, "  %s\n", stage.Phase)
		for _, write := range stage.Writes() {
			fmt.Fprintf(&b, "    %s\n", describeWrite(write))
		}
	}
	if d.Ours.Plan != nil {
		fmt.Fprintf(&b, "the plan:\n%s", engine.Describe(d.Ours.Plan))
	}
	return b.String()
}

func describeWrite(w world.Write) string {
	text := fmt.Sprintf("%s %s", w.Op, w.Name)
	if w.Op == world.UpdateStatus || w.Op == world.OwnPod || w.Op == world.OwnRevision {
		text += " " + w.Body
	}
	if w.Refused != "" {
		text += " (" + w.Refused + ")"
	}
	return text
}

func describeWorld(w *world.World) string {
	var b strings.Builder
	spec, status := &w.Set.Spec, &w.Set.Status
	fmt.Fprintf(&b, "set %s: replicas %d, start %d, %s, %s%s, minReadySeconds %d, limit %d%s%s\n", w.Set.Name, *spec.Replicas,
		startOf(spec), spec.PodManagementPolicy, spec.UpdateStrategy.Type, rolling(spec), spec.MinReadySeconds, *spec.RevisionHistoryLimit,
		when(w.Gate, ", gate on"), when(w.Set.DeletionTimestamp != nil, ", being deleted"))
	if p := spec.PersistentVolumeClaimRetentionPolicy; p != nil {
		fmt.Fprintf(&b, "  whenScaled %s, whenDeleted %s; image %s\n", p.WhenScaled, p.WhenDeleted, spec.Template.Spec.Containers[0].Image)
	}
	for _, template := range spec.VolumeClaimTemplates {
		fmt.Fprintf(&b, "  claim template %s\n", template.Name)
	}
	fmt.Fprintf(&b, "  status %s\n", world.StatusBody(status))
	for _, pod := range w.Pods {
		fmt.Fprintf(&b, "pod %s\n", describePod(pod, w.Now))
	}
	for _, claim := range w.Claims {
		fmt.Fprintf(&b, "claim %s%s %s\n", claim.Name, when(claim.DeletionTimestamp != nil, ", terminating"), owners(claim.OwnerReferences))
	}
	for _, r := range w.Revisions {
		data := string(r.Data.Raw)
		if at := strings.Index(data, `"image":`); at >= 0 {
			data = data[at:min(len(data), at+20)]
		}
		fmt.Fprintf(&b, "revision %s number %d, %d bytes with %s, labels %v %s\n", r.Name, r.Revision, len(r.Data.Raw), data, r.Labels, owners(r.OwnerReferences))
	}
	if w.Fault != nil {
		fmt.Fprintf(&b, "the API refuses to %s %s: %s\n", w.Fault.Op, w.Fault.Name, w.Fault.Reason)
	}
	return b.String()
}

func startOf(spec *appsv1.StatefulSetSpec) int32 {
	if spec.Ordinals == nil {
		return 0
	}
	return spec.Ordinals.Start
}

func rolling(spec *appsv1.StatefulSetSpec) string {
	r := spec.UpdateStrategy.RollingUpdate
	if r == nil {
		return " (nil)"
	}
	text := " ("
	if r.Partition != nil {
		text += fmt.Sprintf("partition %d", *r.Partition)
	}
	if r.MaxUnavailable != nil {
		text += ", maxUnavailable " + r.MaxUnavailable.String()
	}
	return text + ")"
}

func describePod(pod *corev1.Pod, now time.Time) string {
	text := fmt.Sprintf("%s %s", pod.Name, pod.Status.Phase)
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			text += fmt.Sprintf(", ready %s for %s", c.Status, now.Sub(c.LastTransitionTime.Time))
		}
	}
	text += when(pod.DeletionTimestamp != nil, ", terminating") + fmt.Sprintf(", labels %v %s volumes [", pod.Labels, owners(pod.OwnerReferences))
	for _, volume := range pod.Spec.Volumes {
		text += " " + volume.Name
		if claim := volume.PersistentVolumeClaim; claim != nil {
			text += ":" + claim.ClaimName
		}
	}
	return text + " ]"
}

func owners(refs []metav1.OwnerReference) string {
	text := "owners ["
	for _, ref := range refs {
		text += fmt.Sprintf(" %s/%s/%s%s", ref.Kind, ref.Name, ref.UID, when(ref.Controller != nil && *ref.Controller, "*"))
	}
	return text + " ]"
}

func when(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}
