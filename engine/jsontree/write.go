package jsontree

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Append writes v in canonical form: what json.Marshal gives for the same value read into map[string]any.
func Append(to []byte, v Value) []byte {
	switch v.Kind {
	case Bool:
		return append(to, v.Text...)
	case Number:
		return appendNumber(to, v.Text)
	case String:
		return AppendString(to, v.Text)
	case Array:
		to = append(to, '[')
		for i := range v.Items {
			if i > 0 {
				to = append(to, ',')
			}
			to = Append(to, v.Items[i])
		}
		return append(to, ']')
	case Object:
		return appendObject(to, v.Members)
	default:
		return append(to, "null"...)
	}
}

func appendObject(to []byte, members []Member) []byte {
	byKey := func(a, b Member) int { return strings.Compare(a.Key, b.Key) }
	if !slices.IsSortedFunc(members, byKey) {
		members = slices.Clone(members)
		slices.SortFunc(members, byKey)
	}
	to = append(to, '{')
	for i := range members {
		if i > 0 {
			to = append(to, ',')
		}
		to = AppendString(to, members[i].Key)
		to = append(to, ':')
		to = Append(to, members[i].Value)
	}
	return append(to, '}')
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
