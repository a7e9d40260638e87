package kube

import (
	"reflect"

	"google.golang.org/protobuf/proto"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// same reports whether two versions of a pod or a claim are equal but for the version. Sets and revisions never are: each
// new version of a set may tell the guard something.
func same(old, current any) bool {
	switch old := old.(type) {
	case *cachedPod:
		current, ok := current.(*cachedPod)
		return ok && old.creator == current.creator && old.shared == current.shared && sameMeta(old.ObjectMeta, current.ObjectMeta) &&
			sameMessage(old.message.Load(), current.message.Load(), func(p *setplanv1.Pod) {
				p.ResourceVersion, p.LabelSet, p.OwnerSet, p.Revision, p.VolumeSet = "", 0, 0, 0, 0
			})
	case *cachedClaim:
		current, ok := current.(*cachedClaim)
		return ok && old.owners == current.owners && sameMeta(old.ObjectMeta, current.ObjectMeta) &&
			sameMessage(old.message.Load(), current.message.Load(), func(c *setplanv1.Claim) {
				c.ResourceVersion, c.OwnerSet = "", 0
			})
	}
	return false
}

func sameMeta(a, b metav1.ObjectMeta) bool {
	a.ResourceVersion, b.ResourceVersion = "", ""
	return reflect.DeepEqual(a, b)
}

// sameMessage compares copies without what plain takes out: the version, and indexes into tables, which are those of
// different snapshots.
func sameMessage[M proto.Message](a, b M, plain func(M)) bool {
	a, b = proto.CloneOf(a), proto.CloneOf(b)
	plain(a)
	plain(b)
	return proto.Equal(a, b)
}
