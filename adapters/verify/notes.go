package verify

import (
	"fmt"
	"regexp"
	"strings"
)

// The checks of how much is written. What a planner writes stays in etcd, and comes back in the next snapshot: so a text has the form and the length
// that an honest one has.

const (
	// longestMessage is that of a condition, in bytes.
	longestMessage = 1024

	// A note of what is under way in a pod has at most these bytes, and as many for each of its containers.
	longestNote = 2048
)

var (
	aReason   = regexp.MustCompile(`^[A-Za-z]{1,64}$`)
	aQuestion = regexp.MustCompile(`^-?[0-9]{1,19}-[0-9a-z]{1,13}$`)
	aHash     = regexp.MustCompile(`^[0-9a-z]{1,10}$`)
	aWhole    = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)
	aNumber   = regexp.MustCompile(`^[0-9]{1,10}$`)
	aTime     = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$`)
	aDigest   = regexp.MustCompile(`^[0-9a-z]{1,13}$`)
	nothing   = regexp.MustCompile(`^\{\}$`)
	noText    = regexp.MustCompile(`^\b$`) // which no text is
)

// plannersNotes are the annotations that are the planner's, by the kind of what has them, and what it sets them to.
var plannersNotes = map[string]map[string]*regexp.Regexp{
	kindPod:   {noteDrainRequest: aQuestion, noteDrainAnswer: noText, noteUpdate: nothing},
	kindClaim: {noteDrainSet: regexp.MustCompile(``), noteDrainAttempts: aNumber, noteDrainBegun: aTime}, // for the mark see markFault
}

// notesFault: only the planner's own annotations change.
func notesFault(s *subject) string {
	patch, own := s.action.GetPatchAnnotations(), plannersNotes[s.action.GetTarget().GetKind()]
	for key, value := range patch.GetSet() {
		if own[key] == nil || !own[key].MatchString(value) {
			return fmt.Sprintf("the annotation %s is not the planner's, or not to be set to this", quote(key))
		}
	}
	for _, key := range patch.GetRemove() {
		if own[key] == nil {
			return fmt.Sprintf("the annotation %s is not the planner's", quote(key))
		}
	}
	return ""
}

// conditionTypes are those that a plan sets; what others have written beside them stays.
var conditionTypes = map[string]bool{"Reconciling": true, "Blocked": true, "Repairing": true, "Draining": true, "Progressing": true}

// statusFault: the conditions are ours, and short. The status names revisions that pods may have, or what it names already. The template's may not be
// there yet, because a write before it failed, or never, because its name is too long for a pod; the current one is then that of a new set.
func statusFault(s *subject) string {
	status, before := s.action.GetUpdateStatus().GetStatus(), s.set.GetStatus()
	if status == nil {
		return "there is no status"
	}
	seen := map[string]bool{}
	for _, c := range status.GetConditions() {
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
	current, update := status.GetCurrentRevision(), status.GetUpdateRevision()
	isNew := before.GetCurrentRevision() == "" || s.deleting()
	switch {
	case update != "" && update != before.GetUpdateRevision() && !s.mayHave(update) && !s.hashed(update):
		return fmt.Sprintf("the update revision %s is neither the set's nor named as its template's", quote(update))
	case current != "" && current != before.GetCurrentRevision() && !s.mayHave(current) && !(isNew && current == update):
		return fmt.Sprintf("the current revision %s is neither the set's nor made by the plan", quote(current))
	}
	return ""
}

// hashed reports whether a revision's name is the set's, a dash and a hash, so that it never is a neighbour's.
func (v *Verifier) hashed(name string) bool {
	prefix := v.set.GetName()
	hash, ok := strings.CutPrefix(name, prefix[:min(len(prefix), maxRevisionPrefix)]+"-")
	return ok && aHash.MatchString(hash)
}
