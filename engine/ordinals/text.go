package ordinals

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/prose"
)

// parse reads the list of New.
func parse(text string) (list []span, err error) {
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

var (
	errListOpen  = errors.New("the closing bracket is missing")
	errQuoteOpen = errors.New("a closing quotation mark is missing")
)

func errNoOrdinal(text string) error {
	return fmt.Errorf("%q is neither an ordinal nor a range of ordinals", prose.Short(text))
}
