package verify

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// annotationReserved lists the ordinals that a set does not have.
const annotationReserved = "setplan.io/reserved-ordinals"

// reservedSpan is a span of reserved ordinals, both ends included.
type reservedSpan struct {
	from, to int64
	upTo     int64 // how many are reserved from the start to here, these included
}

// inRange reports whether an ordinal is one of the first spec.replicas unreserved ordinals from the start.
func (v *Verifier) inRange(ordinal int64) bool {
	replicas := int64(1)
	if v.set.Replicas != nil {
		replicas = int64(v.set.GetReplicas())
	}
	place := ordinal - int64(v.set.GetOrdinalsStart())
	if place < 0 {
		return false
	}
	if !v.known {
		v.reserved, v.known = v.reservedSpans(), true
	}
	// A user may write tens of thousands of spans, and a plan has a thousand actions.
	n, _ := slices.BinarySearchFunc(v.reserved, ordinal, func(s reservedSpan, ordinal int64) int { return cmp.Compare(s.to, ordinal) })
	if n < len(v.reserved) && v.reserved[n].from <= ordinal {
		return false
	}
	if n > 0 {
		place -= v.reserved[n-1].upTo
	}
	return place < replicas
}

// reservedText is the annotation, or the field of the same meaning. Where they differ nothing is planned.
func (v *Verifier) reservedText() string {
	var own struct {
		Ordinals struct {
			Reserved json.RawMessage `json:"reserved"`
		} `json:"ordinals"`
	}
	if fields := v.set.GetOwnFields(); len(fields) > 0 && json.Unmarshal(fields, &own) == nil {
		if text := string(own.Ordinals.Reserved); text != "" && text != "[]" && text != "null" {
			return text
		}
	}
	return v.set.GetAnnotations()[annotationReserved]
}

// reservedSpans reads that text into spans from the start on, in ascending order, which do not touch. Another controller that runs
// the set knows no reserved ordinals. If the planner cannot read the text it plans nothing, so the result here does not matter then.
func (v *Verifier) reservedSpans() (spans []reservedSpan) {
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
			spans = append(spans, reservedSpan{from: max(int64(first), int64(v.set.GetOrdinalsStart())), to: int64(last)})
		}
	}
	slices.SortFunc(spans, func(a, b reservedSpan) int { return cmp.Compare(a.from, b.from) })
	joined := spans[:0]
	for _, s := range spans {
		switch n := len(joined); {
		case s.to < s.from: // below the start
		case n > 0 && s.from <= joined[n-1].to+1:
			joined[n-1].to = max(joined[n-1].to, s.to)
		default:
			joined = append(joined, s)
		}
	}
	held := int64(0)
	for i := range joined {
		held += joined[i].to + 1 - joined[i].from
		joined[i].upTo = held
	}
	return joined
}
