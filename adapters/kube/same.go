package kube

import (
	"reflect"

	"google.golang.org/protobuf/proto"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// same reports whether two versions of a pod or a claim differ only in the version. Sets and revisions never count as the same: each
// new version of a set may matter to the guard.
func same(old, current any) bool {
	switch old := old.(type) {
	case *cachedPod:
		current, ok := current.(*cachedPod)
		return ok && old.creator == current.creator && old.shared == current.shared && sameMeta(old.ObjectMeta, current.ObjectMeta) &&
			sameMessage(old.message.Load(), current.message.Load(), func(p *setplanv1.Pod) {
				p.ResourceVersion, p.LabelSetIndex, p.OwnerSetIndex, p.RevisionNameIndex, p.VolumeSetIndex, p.AnnotationSetIndex = "", 0, 0, 0, 0, 0
			})
	case *stranger:
		now, ok := current.(*stranger)
		return ok && old.UID == now.UID
	case *cachedClaim:
		now, ok := current.(*cachedClaim)
		return ok && old.shared == now.shared && sameClaim(old, now, func(*setplanv1.Claim) {})
	}
	return false
}

// bound reports whether two versions of a claim differ only in that the current one is bound. That needs no pass: the next news is that the pod
// becomes ready.
func bound(old, current any) bool {
	claim, ok := old.(*cachedClaim)
	now, okNow := current.(*cachedClaim)
	return ok && okNow && now.message.Load().GetPhase() == setplanv1.ClaimPhase_CLAIM_PHASE_BOUND &&
		claim.message.Load().GetPhase() == setplanv1.ClaimPhase_CLAIM_PHASE_PENDING &&
		claim.shared.SameButBound(now.shared) && sameClaim(claim, now, func(c *setplanv1.Claim) { c.Phase = 0 })
}

// sameClaim compares without the version, what claims share and the fields that plain clears.
func sameClaim(old, now *cachedClaim, plain func(*setplanv1.Claim)) bool {
	return sameMeta(old.ObjectMeta, now.ObjectMeta) &&
		sameMessage(old.message.Load(), now.message.Load(), func(c *setplanv1.Claim) {
			c.ResourceVersion, c.OwnerSetIndex, c.AnnotationSetIndex, c.StorageIndex = "", 0, 0, 0
			plain(c)
		})
}

func sameMeta(a, b metav1.ObjectMeta) bool {
	a.ResourceVersion, b.ResourceVersion = "", ""
	return reflect.DeepEqual(a, b)
}

// sameMessage compares copies without the fields that plain clears: the version, and indexes into the tables of different
// snapshots.
func sameMessage[M proto.Message](a, b M, plain func(M)) bool {
	a, b = proto.CloneOf(a), proto.CloneOf(b)
	plain(a)
	plain(b)
	return proto.Equal(a, b)
}
