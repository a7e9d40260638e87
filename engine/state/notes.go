package state

import (
	"strconv"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// The annotations of pods and claims that a drain writes and reads. The value of the first is "<name>/<uid>" of a set: the name tells an
// earlier set of the same name from another set with the same claim names.
const (
	AnnotationDrainSet      = "setplan.io/drain-set"
	AnnotationDrainClaims   = "setplan.io/drain-claims"
	AnnotationDrainAttempts = "setplan.io/drain-attempts"
	AnnotationDrainBegun    = "setplan.io/drain-begun"
	AnnotationDrainRequest  = "setplan.io/drain-request"
	AnnotationDrainAnswer   = "setplan.io/drain-answer"
)

// AnnotationRecreate is of a pod that somebody wants recreated, if its value is RecreateWanted.
const (
	AnnotationRecreate = "setplan.io/recreate"
	RecreateWanted     = "true"
)

// Any number of objects may share one set of annotations, and a text in it may be as long as all annotations of an object. So
// who reads one for an object looks at a few bytes of it and no more. The one text that is long for a reason, the uids of a
// drain pod's claims, is read once for all pods that share it: drain/listed.go and tokenOf.

// DrainSetOf is "<name>/<uid>" of the set whose drain pod this is; empty for any other pod.
func DrainSetOf(p *model.Pod) string { return p.Annotations.Get(AnnotationDrainSet) }

// DrainClaimsOf are the comma-separated uids of the claims that a drain pod drains.
func DrainClaimsOf(p *model.Pod) string { return p.Annotations.Get(AnnotationDrainClaims) }

// DrainRequest is the question whether a replica may be deleted, and answer the reply.
func DrainRequest(p *model.Pod) string { return p.Annotations.Get(AnnotationDrainRequest) }
func DrainAnswer(p *model.Pod) string  { return p.Annotations.Get(AnnotationDrainAnswer) }

// HasDrainNotes reports whether a drain has left anything on a pod.
func HasDrainNotes(p *model.Pod) bool {
	return p.Annotations != nil && (DrainSetOf(p) != "" || DrainClaimsOf(p) != "" || DrainRequest(p) != "" || DrainAnswer(p) != "")
}

// DrainSetOfClaim is "<name>/<uid>" of the set whose drain policy covers a claim; empty: none.
func DrainSetOfClaim(c *model.Claim) string { return c.Annotations.Get(AnnotationDrainSet) }

// LongestAttempts is the longest text of an int32. What is longer is no number of attempts, whatever zeros it begins with.
const LongestAttempts = len("-2147483648")

// DrainAttempts is the number of drain pods begun for a claim. An invalid text counts as one, since a drain has begun.
func DrainAttempts(c *model.Claim) int32 {
	if c.Annotations == nil {
		return 0
	}
	text, noted := c.Annotations.Values[AnnotationDrainAttempts]
	if !noted {
		return 0
	}
	if len(text) > LongestAttempts {
		return 1
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		return 1
	}
	return int32(n)
}

// LongestTime is longer than any time that somebody notes: RFC 3339 lets a fraction of a second have any number of digits.
const LongestTime = 64

// DrainBegunAt is the creation time of a claim's latest drain pod whose replacement is not yet counted, in whole milliseconds; zero: none, or an
// invalid text. A time that a protobuf Timestamp cannot hold counts as none, since a block returns it.
func DrainBegunAt(c *model.Claim) time.Time {
	text := c.Annotations.Get(AnnotationDrainBegun)
	if text == "" || len(text) > LongestTime {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	at = time.UnixMilli(at.UnixMilli()).UTC()
	if at.Year() < 1 || at.Year() > 9999 || at.UnixMilli() == 0 {
		return time.Time{}
	}
	return at
}
