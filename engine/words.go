package engine

import (
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/model"
)

// plural is "1 pod", "2 pods".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// are is "1 pod is", "2 pods are".
func are(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return plural(n, what) + " are"
}

// moreOf is "1 more pod", "2 more pods".
func moreOf(n int, what string) string { return plural(n, "more "+what) }

// sameHolds goes on from a sentence about one object of many.
func sameHolds(n int, what string) string { return " The same applies to " + moreOf(n, what) + "." }

// sameHoldsOfSet is the same for pods of the set.
func sameHoldsOfSet(n int) string { return " The same applies to " + moreOf(n, "pod") + " of the set." }

// sameHoldsUnlisted is the same for objects that the plan is too short to list.
func sameHoldsUnlisted(n int) string {
	return " The same applies to " + moreOf(n, "object") + " that the plan does not list."
}

// aMoment is how long moment is.
const aMoment = "a minute"

// What users and the API said is quoted up to a length: a name in full, of the rest what people read.
const (
	maxQuote   = 253
	maxMessage = 1024
)

// short is what a sentence quotes of a text.
func short(text string) string { return cut(text, maxQuote) }

// answer is what a sentence quotes of what the API said, and ends with.
func answer(text string) string {
	text = strings.TrimSpace(cut(text, maxMessage))
	if strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// toDo is "create the pod" for create-pod.
func toDo(op model.Operation) string {
	verb, object, _ := strings.Cut(op.Traits().Name, "-")
	return verb + " the " + strings.ReplaceAll(object, "-", " ")
}

func orNone(revision string) string {
	if revision == "" {
		return "(none)"
	}
	return short(revision)
}

// phaseWord is "pending" and the like.
func phaseWord(phase model.PodPhase) string {
	words := [...]string{"without a phase", "pending", "running", "succeeded", "failed", "in an unknown phase"}
	if phase < 0 || int(phase) >= len(words) {
		phase = model.PodUnknown
	}
	return words[phase]
}
