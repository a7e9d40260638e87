package kube

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

// newBroadcaster has client-go's limits of events: for one type and one set 25 at once, and then one in five minutes. Deleted
// claims have their own limit, so that dozens of created pods do not silence them.
func newBroadcaster() record.EventBroadcaster {
	return record.NewBroadcasterWithCorrelatorOptions(record.CorrelatorOptions{SpamKeyFunc: shareOf})
}

// shareOf says which events share one limit.
func shareOf(event *corev1.Event) string {
	object := &event.InvolvedObject
	share := []string{object.APIVersion, object.Kind, object.Namespace, object.Name, string(object.UID), event.Type}
	if event.Reason == eventClaimDeleted {
		share = append(share, event.Reason)
	}
	return strings.Join(share, "/")
}
