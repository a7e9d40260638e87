package snapshot

import (
	"math"
	"strconv"
	"strings"
)

// SplitOrdinal splits "web-3" into "web" and 3. It does not ask whether the set would use ordinal 3: the snapshot holds every name
// of that form, and the planner tells members from strangers. The largest number stands for larger ones and for names of another
// form, which come last.
func SplitOrdinal(name string) (base string, ordinal uint64, ok bool) {
	base, digits, ok := splitDigits(name)
	if !ok {
		return "", math.MaxUint64, false
	}
	ordinal, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		ordinal = math.MaxUint64
	}
	return base, ordinal, true
}

func splitDigits(name string) (base, digits string, ok bool) {
	dash := strings.LastIndexByte(name, '-')
	if dash < 0 || dash == len(name)-1 {
		return "", "", false
	}
	base, digits = name[:dash], name[dash+1:]
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return "", "", false
		}
	}
	return base, digits, true
}
