package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The checks of how much is written. What a planner writes stays in etcd, and comes back in the next snapshot: so a text has the form and the length
// that an honest one has, and a number is one that the snapshot could give.

// longestMessage is that of a condition, in bytes.
const longestMessage = 1024

var (
	aReason   = regexp.MustCompile(`^[A-Za-z]{1,64}$`)
	aQuestion = regexp.MustCompile(`^-?[0-9]{1,19}-[0-9a-z]{1,13}$`)
	aHash     = regexp.MustCompile(`^[0-9a-z]{1,10}$`)
	aNumber   = regexp.MustCompile(`^[0-9]{1,10}$`)
)

// conditionTypes are those that a plan sets; what others have written beside them stays.
var conditionTypes = map[string]bool{"Reconciling": true, "Blocked": true, "Repairing": true, "Draining": true, "Progressing": true}

func conditionsFault(s *subject) string {
	seen := map[string]bool{}
	for _, c := range s.action.GetUpdateStatus().GetStatus().GetConditions() {
		switch at := c.GetLastTransitionTime(); {
		case !conditionTypes[c.GetType()] || seen[c.GetType()]:
			return fmt.Sprintf("the condition %s is not the planner's, or there twice", quote(c.GetType()))
		case c.GetStatus() != "True" && c.GetStatus() != "False" || !aReason.MatchString(c.GetReason()) || at != nil && !at.IsValid():
			return "a status, a reason or a time of a condition has another form"
		case len(c.GetMessage()) > longestMessage:
			return "the message of a condition is too long"
		}
		seen[c.GetType()] = true
	}
	return ""
}

func counters(s *setplanv1.StatefulSetStatus) [5]int32 {
	return [...]int32{s.GetReplicas(), s.GetReadyReplicas(), s.GetAvailableReplicas(), s.GetCurrentReplicas(), s.GetUpdatedReplicas()}
}

// countersFault: no counter is beyond the pods of the snapshot and the one that a plan may count ahead, or all are as they were, because nothing could be
// counted; and each collision was one with a revision.
func countersFault(s *subject) string {
	status := s.action.GetUpdateStatus().GetStatus()
	for _, n := range counters(status) {
		// Kubernetes itself counts below zero, which its API server refuses.
		if most := len(s.snapshot.GetPods()) + 1; (int(n) > most || int(n) < -most) && counters(status) != counters(s.set.GetStatus()) {
			return "a counter is not one of the snapshot's pods"
		}
	}
	collisions, before := int(status.GetCollisionCount()), int(s.set.GetStatus().GetCollisionCount())
	if collisions != 0 && (collisions < before || collisions > before+len(s.snapshot.GetRevisions())) {
		return "the count of collisions is not one of the snapshot's revisions"
	}
	return ""
}

// statusRevisionsFault: the status names revisions that pods may have, or what it names already. The template's may not be there yet, because a write
// before it failed, or never, because its name is too long for a pod; the current one is then that of a new set.
func statusRevisionsFault(s *subject) string {
	status, before := s.action.GetUpdateStatus().GetStatus(), s.set.GetStatus()
	current, update := status.GetCurrentRevision(), status.GetUpdateRevision()
	switch {
	case update != "" && update != before.GetUpdateRevision() && !s.mayHave(update) && !s.hashed(update):
		return fmt.Sprintf("the update revision %s is neither the set's nor named as its template's", quote(update))
	case current == "" && status != nil && status.CurrentRevision != nil && before.GetCurrentRevision() != "":
		return "the set has a current revision, and the status none"
	case current != "" && current != before.GetCurrentRevision() && !s.mayHave(current) &&
		(current != update || before.GetCurrentRevision() != "" && !s.deleting()):
		return fmt.Sprintf("the current revision %s is neither the set's nor made by the plan", quote(current))
	}
	return ""
}

// hashed reports whether a revision's name is the set's, a dash and a hash.
func (v *Verifier) hashed(name string) bool {
	prefix := v.set.GetName()
	hash, ok := strings.CutPrefix(name, prefix[:min(len(prefix), maxRevisionPrefix)]+"-")
	return ok && aHash.MatchString(hash)
}

// canonical reports whether a text is the one by which every planner writes this JSON: without a byte too many, and without another text for the same.
// Numbers are those of a pod's template, which are whole and can have more digits than a float.
func canonical(text []byte) bool {
	reader := json.NewDecoder(bytes.NewReader(text))
	reader.UseNumber()
	var value any
	if reader.Decode(&value) != nil || !whole(value) {
		return false
	}
	written, err := json.Marshal(value)
	return err == nil && bytes.Equal(written, text)
}

// whole reports whether all numbers of a value are whole, and written as such.
func whole(value any) bool {
	switch value := value.(type) {
	case json.Number:
		return value != "-0" && !strings.ContainsAny(value.String(), ".eE")
	case []any:
		return !slices.ContainsFunc(value, func(item any) bool { return !whole(item) })
	case map[string]any:
		for _, item := range value {
			if !whole(item) {
				return false
			}
		}
	}
	return true
}

// onceFault: a plan makes one revision at most, whose data no revision of the set has.
func onceFault(s *subject) string {
	if len(s.made) > 0 {
		return "the plan makes a revision already"
	}
	if s.operation != createRevision {
		return ""
	}
	at := s.load().get("data")
	data := s.bytes()[at.from:at.to]
	if !canonical(data) {
		return "the data is not written as JSON is written here"
	}
	for _, revision := range s.snapshot.GetRevisions() {
		if s.ownRevision(revision) && bytes.Equal(revision.GetData(), data) {
			return fmt.Sprintf("revision %s has the same data", revision.GetName())
		}
	}
	return ""
}

// begunAt reports whether a drain pod of the snapshot was created at that time.
func (s *subject) begunAt(text string) bool {
	return slices.ContainsFunc(s.snapshot.GetPods(), func(pod *setplanv1.Pod) bool {
		return s.drainPod(pod) && time.UnixMilli(pod.GetCreatedUnixMs()).UTC().Format(time.RFC3339) == text
	})
}

// timesFault: one plan asks the same of an object twice at most: a claim is marked, and then counts its drain.
func timesFault(s *subject) string {
	if s.times[s.timesOf()] == mostTimes {
		return "the plan asks this of the object more than twice"
	}
	return ""
}

// mostTimes is how often a plan asks one operation of an object.
const mostTimes = 2

func (s *subject) timesOf() [3]string {
	return [...]string{s.operation, s.action.GetTarget().GetKind(), s.name()}
}
