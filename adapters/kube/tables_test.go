package kube

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestSentSnapshotsStay: a snapshot may still be on its way when the next one is made, in which what pods and claims share
// stands in other places. The messages that they have in common must not change.
func TestSentSnapshotsStay(t *testing.T) {
	pod := func(controller string) *cachedPod {
		return podInSets(&corev1.Pod{ObjectMeta: metaOf("web-0", controller)})
	}
	claim := func(controller string) *cachedClaim {
		light, _ := lightClaim(&corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-0", controller)})
		return light.(*cachedClaim)
	}
	ours, ourClaim := pod("set"), claim("set")
	first := newTables()
	sentPod, sentClaim := first.pod(ours), first.claim(ourClaim)

	second := newTables()
	second.pod(pod("other"))
	second.claim(claim("other"))
	if at := second.pod(ours).GetOwnerSetIndex(); at != 2 {
		t.Errorf("the owners of the pod are number %d of the second snapshot, want 2", at)
	}
	if at := second.claim(ourClaim).GetOwnerSetIndex(); at != 2 {
		t.Errorf("the owners of the claim are number %d of the second snapshot, want 2", at)
	}
	if sentPod.GetOwnerSetIndex() != 1 || sentClaim.GetOwnerSetIndex() != 1 {
		t.Errorf("in the first snapshot they were number 1, and are now %d and %d", sentPod.GetOwnerSetIndex(), sentClaim.GetOwnerSetIndex())
	}
}
