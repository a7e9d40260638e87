// Package prose has the words that all of the engine's sentences share, and the commands in them.
package prose

import (
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/model"
)

// Plural is "1 pod", "2 pods".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// Are is "1 pod is", "2 pods are".
func Are(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return Plural(n, what) + " are"
}

// MoreOf is "1 more pod", "2 more pods".
func MoreOf(n int, what string) string { return Plural(n, "more "+what) }

// SameHolds goes on from a sentence about one object of many.
func SameHolds(n int, what string) string { return " The same applies to " + MoreOf(n, what) + "." }

// SameHoldsOfSet is the same for pods of the set.
func SameHoldsOfSet(n int) string { return " The same applies to " + MoreOf(n, "pod") + " of the set." }

// SameHoldsUnlisted is the same for objects that the plan is too short to list.
func SameHoldsUnlisted(n int) string {
	return " The same applies to " + MoreOf(n, "object") + " that the plan does not list."
}

// AMoment is how long moment is.
const AMoment = "a minute"

// What users and the API said is quoted up to a length: a name in full, of the rest what people read.
const (
	maxQuote   = 253
	MaxMessage = 1024
)

// Short is what a sentence quotes of a text.
func Short(text string) string { return Cut(text, maxQuote) }

// Answer is what a sentence quotes of what the API said, and ends with.
func Answer(text string) string {
	text = strings.TrimSpace(Cut(text, MaxMessage))
	if strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

// Cut is the beginning of a text that is longer than most bytes.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// ToDo is "create the pod" for create-pod.
func ToDo(op model.Operation) string {
	verb, object, _ := strings.Cut(op.Traits().Name, "-")
	return verb + " the " + strings.ReplaceAll(object, "-", " ")
}

// OrNone is what a sentence quotes of a revision's name, if there is one.
func OrNone(revision string) string {
	if revision == "" {
		return "(none)"
	}
	return Short(revision)
}

// PhaseWord is "pending" and the like.
func PhaseWord(phase model.PodPhase) string {
	words := [...]string{"without a phase", "pending", "running", "succeeded", "failed", "in an unknown phase"}
	if phase < 0 || int(phase) >= len(words) {
		phase = model.PodUnknown
	}
	return words[phase]
}
