package engine

import (
	"strconv"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// The annotations of pods and claims that a drain writes and reads. The value of the first is "<name>/<uid>" of a set: the name tells an
// earlier set of the same name from another set with the same claim names.
const (
	annotationDrainSet      = "setplan.io/drain-set"
	annotationDrainClaims   = "setplan.io/drain-claims"
	annotationDrainAttempts = "setplan.io/drain-attempts"
	annotationDrainBegun    = "setplan.io/drain-begun"
	annotationDrainRequest  = "setplan.io/drain-request"
	annotationDrainAnswer   = "setplan.io/drain-answer"
)

// annotationRecreate is of a pod that somebody wants recreated, if its value is recreateWanted.
const (
	annotationRecreate = "setplan.io/recreate"
	recreateWanted     = "true"
)

// Any number of objects may share one set of annotations, and a text in it may be as long as all annotations of an object. So
// who reads one for an object looks at a few bytes of it and no more. The one text that is long for a reason, the uids of a
// drain pod's claims, is read once for all pods that share it: drain_listed.go and tokenOf.

// drainSet is "<name>/<uid>" of the set whose drain pod this is; empty for any other pod.
func drainSetOf(p *model.Pod) string { return p.Annotations.Get(annotationDrainSet) }

// drainClaims are the comma-separated uids of the claims that a drain pod drains.
func drainClaimsOf(p *model.Pod) string { return p.Annotations.Get(annotationDrainClaims) }

// request is the question whether a replica may be deleted, and answer the reply.
func drainRequest(p *model.Pod) string { return p.Annotations.Get(annotationDrainRequest) }
func drainAnswer(p *model.Pod) string  { return p.Annotations.Get(annotationDrainAnswer) }

// saysItself reports whether somebody has written a text on a pod. What the template of its revision says is nobody's word on this pod: each new one
// has it again.
func (v *view) saysItself(p *model.Pod, name, text string) bool {
	return p.Annotations.Get(name) == text && !v.isOfEveryPod(p.Revision, name, text)
}

// isOfEveryPod reports whether the template of a revision says this itself.
func (v *view) isOfEveryPod(revision, name, text string) bool {
	v.compared.begin(v)
	if v.compared.stored[revision] == nil {
		return false // which revision is the update's may not be known yet
	}
	said, says := v.factsOf(revision).notes[name]
	return says && said == text
}

// chosen reports whether somebody wants a pod recreated.
func (v *view) chosen(p *model.Pod) bool { return v.saysItself(p, annotationRecreate, recreateWanted) }

// hasNotes reports whether a drain has left anything on a pod.
func hasDrainNotes(p *model.Pod) bool {
	return p.Annotations != nil && (drainSetOf(p) != "" || drainClaimsOf(p) != "" || drainRequest(p) != "" || drainAnswer(p) != "")
}

// drainSet is "<name>/<uid>" of the set whose drain policy covers a claim; empty: none.
func drainSetOfClaim(c *model.Claim) string { return c.Annotations.Get(annotationDrainSet) }

// longestAttempts is the longest text of an int32. What is longer is no number of attempts, whatever zeros it begins with.
const longestAttempts = len("-2147483648")

// attempts is the number of drain pods begun for a claim. An invalid text counts as one, since a drain has begun.
func drainAttempts(c *model.Claim) int32 {
	if c.Annotations == nil {
		return 0
	}
	text, noted := c.Annotations.Values[annotationDrainAttempts]
	if !noted {
		return 0
	}
	if len(text) > longestAttempts {
		return 1
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		return 1
	}
	return int32(n)
}

// longestTime is longer than any time that somebody notes: RFC 3339 lets a fraction of a second have any number of digits.
const longestTime = 64

// begunAt is the creation time of a claim's latest drain pod whose replacement is not yet counted, in whole milliseconds; zero: none, or an
// invalid text. A time that a protobuf Timestamp cannot hold counts as none, since a block returns it.
func drainBegunAt(c *model.Claim) time.Time {
	text := c.Annotations.Get(annotationDrainBegun)
	if text == "" || len(text) > longestTime {
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
