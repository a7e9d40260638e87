package why

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/clients/cli/show"
	"github.com/setplan/setplan/clients/cli/world"
)

// eventText returns an event as one line.
func eventText(event *corev1.Event, now time.Time) string {
	text := fmt.Sprintf("event %s on %s/%s: %s", event.Reason, event.InvolvedObject.Kind, event.InvolvedObject.Name, event.Message)
	count := event.Count
	if event.Series != nil {
		count = event.Series.Count
	}
	ago := show.Ago(world.LastSeen(event), now)
	if count > 1 {
		return fmt.Sprintf("%s (%s, last %s)", text, show.Count(int(count), "time"), ago)
	}
	return fmt.Sprintf("%s (%s)", text, ago)
}

func firstSeen(event *corev1.Event) time.Time {
	if !event.FirstTimestamp.IsZero() {
		return event.FirstTimestamp.Time
	}
	if !event.EventTime.IsZero() {
		return event.EventTime.Time
	}
	if !event.CreationTimestamp.IsZero() {
		return event.CreationTimestamp.Time
	}
	return world.LastSeen(event)
}

// sawEvents adds the newest warning of each reason about an object, three at most. Scheduling failures no longer matter once a pod has
// a node.
func (c *Case) sawEvents(r *Reason, kind string, object metav1.Object) {
	seen := map[string]bool{"FailedScheduling": true}
	for _, event := range c.World.EventsOf(kind, object) {
		if event.Type != corev1.EventTypeWarning || seen[event.Reason] || len(seen) > 3 {
			continue
		}
		seen[event.Reason] = true
		r.saw("%s", eventText(&event, c.now()))
	}
}

// warning returns the newest warning with one of the reasons about an object, or nil.
func (c *Case) warning(kind string, object metav1.Object, reasons ...string) *corev1.Event {
	for _, event := range c.World.EventsOf(kind, object) {
		for _, reason := range reasons {
			if event.Type == corev1.EventTypeWarning && event.Reason == reason {
				return &event
			}
		}
	}
	return nil
}
