package snapshot

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestClaimThatGoes: a pod created with a claim that is being deleted would lose its data.
func TestClaimThatGoes(t *testing.T) {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data-web-0"}}
	if message, _ := Claim(claim); message.GetDeletionUnixMs() != 0 {
		t.Errorf("a claim that stays has the deletion time %d", message.GetDeletionUnixMs())
	}
	claim.DeletionTimestamp = &metav1.Time{Time: time.UnixMilli(1_700_000_000_000)}
	if message, _ := Claim(claim); message.GetDeletionUnixMs() != 1_700_000_000_000 {
		t.Errorf("a claim that is being deleted has the deletion time %d", message.GetDeletionUnixMs())
	}
}
