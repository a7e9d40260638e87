package rawjson

import (
	"strconv"
	"strings"
)

// Step is one step on the way to a value: a key of an object, or, where that is empty, an index of an array.
type Step struct {
	Key   string
	Index int
}

// Way is the way from the whole text's value to this one.
func (v Value) Way() []Step {
	if v.of == nil {
		return nil
	}
	return Value{v.of, v.of.from, v.of.to}.wayTo(v.from)
}

// wayTo is the way from a value to the innermost one in it that has a byte.
func (v Value) wayTo(at int) []Step {
	for w := v.Members(); w.Next(); {
		if at >= w.Value.from && at < w.Value.to {
			return append([]Step{{Key: string(w.Key())}}, w.Value.wayTo(at)...)
		}
	}
	for w := v.Items(); w.Next(); {
		if at >= w.Value.from && at < w.Value.to {
			return append([]Step{{Index: w.Index}}, w.Value.wayTo(at)...)
		}
	}
	return nil
}

// Path writes a way, such as "items[17].metadata.name". It ends before the first key that known does not know: keys may be anybody's, and in a template they
// are nobody's business.
func Path(way []Step, known func(key string) bool) string {
	var path strings.Builder
	for _, step := range way {
		switch {
		case step.Key == "":
			path.WriteString("[" + strconv.Itoa(step.Index) + "]")
		case !known(step.Key):
			return path.String()
		case path.Len() > 0:
			path.WriteString("." + step.Key)
		default:
			path.WriteString(step.Key)
		}
	}
	return path.String()
}
