package differences

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/oracle/world"
)

// TestClaimOfAnotherOrdinalsPod: no controller makes the pod of another ordinal a claim's owner, so a user did. Like any other
// foreign reference it stays, with upstream and with us, also while that pod is replaced; we say so.
func TestClaimOfAnotherOrdinalsPod(t *testing.T) {
	row := Row{Make: func() *world.World { return claimOfAnother(false) }}
	check(t, "upstream, at rest", Theirs(row.Make()), []string{"writes nothing"})
	check(t, "SETPLAN, at rest", ours(t, row, model.Setplan()), []string{"writes nothing", "block CLAIM_FOREIGN_CONTROLLER data-web-0"})

	row.Make = func() *world.World { return claimOfAnother(true) }
	check(t, "upstream, an update", Theirs(row.Make()), []string{"delete pod web-1", "update status: currentReplicas 2 -> 1"})
	check(t, "SETPLAN, an update", ours(t, row, model.Setplan()), []string{"delete pod web-1", "update status: currentReplicas 2 -> 1", "block CLAIM_FOREIGN_CONTROLLER data-web-0", "block UPDATE_BUDGET web-0"})
}

// claimOfAnother makes a set of two pods; the claim of web-0 refers to web-1.
func claimOfAnother(edited bool) *world.World {
	w := world.Plain(2, false)
	w.Set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}}}
	w.Set.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
		WhenDeleted: appsv1.RetainPersistentVolumeClaimRetentionPolicyType, WhenScaled: appsv1.RetainPersistentVolumeClaimRetentionPolicyType}
	for _, name := range []string{"web-0", "web-1"} {
		claim := "data-" + name
		w.Pod(name).Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}}}
		w.Claims = append(w.Claims, &corev1.PersistentVolumeClaim{
			ObjectMeta: metav1.ObjectMeta{Name: claim, Namespace: "default", UID: "uid-of-" + w.Pod(name).UID, ResourceVersion: "1"},
			Status:     corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound}})
	}
	w.Claims[0].OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(w.Pod("web-1"), corev1.SchemeGroupVersion.WithKind("Pod"))}
	if edited {
		edit(w)
	}
	return w
}
