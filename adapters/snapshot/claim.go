package snapshot

import (
	"unique"

	corev1 "k8s.io/api/core/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Claim returns a claim in the contract's form, without the indexes of what it shares with others: see Tables.Claim.
func Claim(claim *corev1.PersistentVolumeClaim) (*setplanv1.Claim, Shared) {
	out := &setplanv1.Claim{
		Name:            claim.Name,
		Uid:             string(claim.UID),
		ResourceVersion: claim.ResourceVersion,
		DeletionUnixMs:  millis(claim.DeletionTimestamp),
		Phase:           claimPhase(claim.Status.Phase),
	}
	return out, Shared{unique.Make(shared{owners: ownersText(claim.OwnerReferences), annotations: annotationsText(claim.Annotations),
		storage: storageText(claim)})}
}

func claimPhase(phase corev1.PersistentVolumeClaimPhase) setplanv1.ClaimPhase {
	switch phase {
	case corev1.ClaimPending:
		return setplanv1.ClaimPhase_CLAIM_PHASE_PENDING
	case corev1.ClaimBound:
		return setplanv1.ClaimPhase_CLAIM_PHASE_BOUND
	case corev1.ClaimLost:
		return setplanv1.ClaimPhase_CLAIM_PHASE_LOST
	default:
		return setplanv1.ClaimPhase_CLAIM_PHASE_UNSPECIFIED
	}
}
