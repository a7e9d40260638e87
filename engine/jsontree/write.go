package jsontree

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Append writes v in canonical form: what json.Marshal gives for the same value read into map[string]any.
func Append(to []byte, v Value) []byte { return Count{}.Append(to, v) }

// Append is the function Append, counted.
func (c Count) Append(to []byte, v Value) []byte {
	to, _ = c.AppendCut(to, v)
	return to
}

// AppendCut is Append that also returns where in the result the strings made by NewCut end, before their closing quote.
func (c Count) AppendCut(to []byte, v Value) (out []byte, cuts []int) {
	w := writer{tally: tally{count: c}, to: to}
	w.value(v)
	w.add(len(w.to) / bytesPerUnit)
	w.settle()
	return w.to, w.cuts
}

type writer struct {
	tally
	to   []byte
	cuts []int
}

func (w *writer) value(v Value) {
	w.add(1)
	switch v.Kind {
	case Bool:
		w.to = append(w.to, v.Text...)
	case Number:
		w.to = appendNumber(w.to, v.Text)
	case String:
		w.text(v.Text)
		if v.Cut {
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
	for i, m := range w.sorted(members) {
		if i > 0 {
			w.to = append(w.to, ',')
		}
		w.text(m.Key)
		w.to = append(w.to, ':')
		w.value(m.Value)
	}
	w.to = append(w.to, '}')
}

// text writes a string, a long one in pieces that begin with a character.
func (w *writer) text(text string) {
	start := len(w.to)
	for len(text) > bytesAtOnce {
		end := bytesAtOnce
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		if end == 0 {
			break // this is not a string
		}
		w.to = w.piece(start, text[:end])
		w.pause(unitsAtOnce - 1)
		text = text[end:]
	}
	w.to = w.piece(start, text)
}

// piece goes on with the string that begins at start, if it has begun.
func (w *writer) piece(start int, text string) []byte {
	at := len(w.to)
	if at == start {
		return AppendString(w.to, text)
	}
	out := AppendString(w.to[:at-1], text) // in place of the closing quote stands an opening one, which is none
	return append(out[:at-1], out[at:]...)
}

// AppendString writes a JSON string with encoding/json's escapes, those for HTML included.
func AppendString(to []byte, text string) []byte {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < 0x20 || c >= 0x80 || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(text) // a string always marshals
			return append(to, quoted...)
		}
	}
	to = append(to, '"')
	to = append(to, text...)
	return append(to, '"')
}

// exactDigits is the number of decimal digits that a float64 always keeps.
const exactDigits = 15

// appendNumber writes a number as upstream stores it: read into a float64 and written again, which changes integers
// beyond 2^53. A number beyond float64 is written as it stands; Kubernetes would not have admitted it.
func appendNumber(to []byte, text string) []byte {
	if len(text) <= exactDigits && !strings.ContainsAny(text, ".eE") {
		return append(to, text...)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return append(to, text...)
	}
	number, err := json.Marshal(f)
	if err != nil {
		return append(to, text...)
	}
	return append(to, number...)
}
