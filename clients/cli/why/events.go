package why

import (
	"fmt"
	"regexp"
	"slices"
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
		if event.Type != corev1.EventTypeWarning || seen[event.Reason] || len(seen) > 3 || c.isOver(kind, object, &event) {
			continue
		}
		seen[event.Reason] = true
		r.saw("%s", eventText(&event, c.now()))
	}
}

// warning returns the newest warning with one of the reasons about an object, or nil. What has gone well since is no warning.
func (c *Case) warning(kind string, object metav1.Object, reasons ...string) *corev1.Event {
	for _, event := range c.World.EventsOf(kind, object) {
		for _, reason := range reasons {
			if event.Type == corev1.EventTypeWarning && event.Reason == reason && !c.isOver(kind, object, &event) {
				return &event
			}
		}
	}
	return nil
}

// ofEarlierPod reports whether an event is about a pod that is gone, whoever has its name now.
func (c *Case) ofEarlierPod(event *corev1.Event) bool {
	about := event.InvolvedObject
	if about.Kind != "Pod" || about.Namespace != c.Key.Namespace || about.UID == "" {
		return false
	}
	pod := c.World.Pod(c.key(about.Name))
	return pod == nil || pod.UID != about.UID
}

// ends finds the words of a kubelet that has evicted a pod, or not let it in.
var ends = regexp.MustCompile(`^(Evicted: |\w+: Predicate \w+ failed|OutOf\w+: )`)

// sawEnd quotes why the pod before this one ended, if that is why this one is new.
func (c *Case) sawEnd(r *Reason, pod *corev1.Pod) {
	var last *corev1.Event
	for i := range c.World.Events {
		event := &c.World.Events[i]
		if event.InvolvedObject.Name == pod.Name && c.ofEarlierPod(event) && ends.MatchString(event.Reason+": "+event.Message) &&
			pod.CreationTimestamp.Sub(world.LastSeen(event)) < time.Minute && (last == nil || world.LastSeen(event).After(world.LastSeen(last))) {
			last = event
		}
	}
	if last != nil {
		r.saw("the pod before this one ended: %s", eventText(last, c.now()))
	}
}

// ofVolume finds the volume in the events about attaching one.
var ofVolume = regexp.MustCompile(`for volume "([^"]+)"`)

// isOver reports whether what a warning is about has gone well since: containers are started only once a pod has its volumes and its sandbox.
func (c *Case) isOver(kind string, object metav1.Object, warning *corev1.Event) bool {
	if !slices.Contains([]string{"FailedAttachVolume", "FailedMount", "FailedCreatePodSandBox"}, warning.Reason) {
		return false
	}
	if pod, is := object.(*corev1.Pod); is {
		if began := podCondition(pod, corev1.PodReadyToStartContainers); began != nil && began.Status == corev1.ConditionTrue {
			return true
		}
	}
	return slices.ContainsFunc(c.World.EventsOf(kind, object), func(event corev1.Event) bool {
		switch {
		case event.Type == corev1.EventTypeWarning || world.LastSeen(&event).Before(world.LastSeen(warning)):
			return false
		case event.Reason == "SuccessfulAttachVolume":
			return warning.Reason == "FailedAttachVolume" && slices.Equal(ofVolume.FindStringSubmatch(event.Message), ofVolume.FindStringSubmatch(warning.Message))
		}
		return slices.Contains([]string{"Pulling", "Pulled", "Created", "Started"}, event.Reason)
	})
}
