package jsontree

import (
	"encoding/json"
	"strconv"
)

// Append writes v in canonical form: what json.Marshal gives for the same value read into map[string]any.
func Append(to []byte, v Value) []byte {
	to, _ = AppendCut(to, v)
	return to
}

// AppendCut is Append that also returns where in the result the strings made by NewCut end, before their closing quote.
func AppendCut(to []byte, v Value) (out []byte, cuts []int) {
	w := writer{to: to}
	w.value(v)
	return w.to, w.cuts
}

type writer struct {
	to   []byte
	cuts []int
}

func (w *writer) value(v Value) {
	switch v.Kind {
	case Bool:
		w.to = append(w.to, v.Text...)
	case Number:
		w.to = appendNumber(w.to, v.Text)
	case String:
		w.to = appendString(w.to, v.Text)
		if v.cut {
			w.cuts = append(w.cuts, len(w.to)-1)
		}
	case Array:
		w.to = append(w.to, '[')
		for i, item := range v.Items() {
			if i > 0 {
				w.to = append(w.to, ',')
			}
			w.value(item)
		}
		w.to = append(w.to, ']')
	case Object:
		w.object(v.Members())
	default:
		w.to = append(w.to, "null"...)
	}
}

func (w *writer) object(members []Member) {
	w.to = append(w.to, '{')
	for i, m := range sorted(members) {
		if i > 0 {
			w.to = append(w.to, ',')
		}
		w.to = appendString(w.to, m.Key)
		w.to = append(w.to, ':')
		w.value(m.Value)
	}
	w.to = append(w.to, '}')
}

// appendString writes a JSON string with encoding/json's escapes, those for HTML included.
func appendString(to []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a string always marshals
	return append(to, quoted...)
}

// appendNumber writes a number as upstream stores it: read into a float64 and written again, which changes integers
// beyond 2^53. A number beyond float64 is written as it stands; Kubernetes would not have admitted it.
func appendNumber(to []byte, text string) []byte {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return append(to, text...)
	}
	number, _ := json.Marshal(f) // which is finite
	return append(to, number...)
}
