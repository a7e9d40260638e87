package engine

import (
	"math"
	"strconv"
	"strings"
)

// readOrdinals reads which ordinals a set has. It returns false where that cannot be known: each reading of a bad text would make
// pods or delete them. Whoever runs a set beside us reserves nothing.
func readOrdinals(v *view, out *draft) bool {
	v.ordinals.start = v.set.OrdinalsStart
	if v.s.Policy.wholeSet() {
		v.guard, v.paused = readGuard(v, out), readPause(v, out)
		if text := v.set.Annotations[annotationReserved]; text != "" {
			list, err := parseReserved(v.meter, text)
			if err != nil {
				out.block(blockInvalidReserved(v.set, err))
				return false
			}
			v.ordinals.reserve(v.meter, list)
		}
	}
	if last := v.ordinals.at(int(v.set.Replicas) - 1); v.set.Replicas > 0 && last > math.MaxInt32 {
		out.block(blockLastOrdinal(v.set, last))
		return false
	}
	return true
}

// parseReserved reads "1,3-5", and the same as a list of JSON, [1,"3-5"], as Kruise and PingCAP write it.
func parseReserved(m *Meter, text string) (list []span, err error) {
	m.work(partAnnotations, len(text)/8)
	text = strings.TrimSpace(text)
	if inside, listed := strings.CutPrefix(text, "["); listed {
		if text, listed = strings.CutSuffix(inside, "]"); !listed {
			return nil, errListOpen
		}
		if strings.TrimSpace(text) == "" {
			return nil, nil
		}
	}
	list = make([]span, 0, 1+strings.Count(text, ","))
	for item := range strings.SplitSeq(text, ",") {
		m.pause(len(list))
		item = strings.TrimSpace(item)
		if inside, quoted := strings.CutPrefix(item, `"`); quoted {
			if item, quoted = strings.CutSuffix(inside, `"`); !quoted {
				return nil, errQuoteOpen
			}
		}
		s, ok := parseSpan(item)
		if !ok {
			return nil, errNoOrdinal(item)
		}
		list = append(list, s)
	}
	return list, nil
}

// parseSpan reads "3" or "3-5".
func parseSpan(text string) (s span, ok bool) {
	from, to, ranged := strings.Cut(text, "-")
	first, ok := parseDigits(from)
	last := first
	if ok && ranged {
		last, ok = parseDigits(to)
	}
	return span{from: int64(first), to: int64(last)}, ok && first <= last
}

func parseDigits(text string) (ordinal int32, ok bool) {
	n, err := strconv.ParseUint(text, 10, 31)
	return int32(n), err == nil && text[0] != '+'
}

// readGuard reads whether only reserved pods may be taken away. A text that nobody knows guards.
func readGuard(v *view, out *draft) bool {
	text := v.set.Annotations[annotationGuard]
	if text != "" && text != "named" {
		out.block(blockInvalidGuard(v.set, text))
	}
	return text != ""
}

// guarded reports whether the pod of an ordinal outside the range stays, because nobody has named it. A set that is deleted names all.
func (v *view) guarded(ordinal int32) bool {
	return v.guard && !v.emptying() && !v.ordinals.isReserved(ordinal)
}

// wanted reports whether the pod of an ordinal is to stay, and its claims with it.
func (v *view) wanted(ordinal int32) bool {
	_, inRange := v.slotOf(ordinal)
	return inRange || v.guarded(ordinal)
}
