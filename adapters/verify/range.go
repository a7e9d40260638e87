package verify

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// annotationReserved lists the ordinals that a set does not have.
const annotationReserved = "setplan.io/reserved-ordinals"

// Span is a run of ordinals, both ends included.
type Span struct{ From, To int64 }

// inRange reports whether an ordinal is one of the first spec.replicas unreserved ordinals from the start.
func (v *Verifier) inRange(ordinal int64) bool {
	if v.spans == nil {
		v.spans = v.Range()
	}
	// A user may write tens of thousands of spans, and a plan has a thousand actions.
	n, _ := slices.BinarySearchFunc(v.spans, ordinal, func(s Span, ordinal int64) int { return cmp.Compare(s.To, ordinal) })
	return n < len(v.spans) && v.spans[n].From <= ordinal
}

// Range returns the first spec.replicas unreserved ordinals from the start, in ascending order.
func (v *Verifier) Range() []Span {
	left := int64(1)
	if v.set.Replicas != nil {
		left = int64(v.set.GetReplicas())
	}
	spans, next := []Span{}, int64(v.set.GetOrdinalsStart())
	for _, s := range append(v.reserved(), Span{From: math.MaxInt64}) {
		if n := min(left, s.From-next); n > 0 {
			spans = append(spans, Span{next, next + n - 1})
			left -= n
		}
		next = max(next, s.To+1)
	}
	return spans
}

// reservedText is the annotation, or the field of the same meaning. Where they differ nothing is planned.
func (v *Verifier) reservedText() string {
	var texts []string
	for _, item := range v.document("own fields", v.set.GetOwnFields()).get("ordinals", "reserved").list() {
		texts = append(texts, item.text)
	}
	return cmp.Or(strings.Join(texts, ","), v.set.GetAnnotations()[annotationReserved])
}

// reserved reads that text into spans in ascending order, which may overlap. Another controller that runs the set knows no reserved
// ordinals. If the planner cannot read the text it plans nothing, so the result here does not matter then.
func (v *Verifier) reserved() (spans []Span) {
	text := v.reservedText()
	if text == "" || v.snapshot.GetPolicy().GetScope() > setplanv1.Scope_SCOPE_WHOLE_SET {
		return nil
	}
	for item := range strings.SplitSeq(text, ",") {
		item = strings.Trim(item, " \t\r\n[]\"")
		from, to, ranged := strings.Cut(item, "-")
		if !ranged {
			to = from
		}
		first, err1 := strconv.ParseUint(from, 10, 31)
		last, err2 := strconv.ParseUint(to, 10, 31)
		if err1 == nil && err2 == nil && first <= last {
			spans = append(spans, Span{int64(first), int64(last)})
		}
	}
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	return spans
}
