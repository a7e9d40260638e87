package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Encode writes a vector in the one form that its file has: the same vector, the same bytes. What is JSON already stays as it is
// but for the blanks, which protobuf's JSON has at random. Each object of the cluster stands on a line of its own.
func (v *Vector) Encode() ([]byte, error) {
	written := *v
	written.Objects = nil
	indented, err := encode(&written, " ")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Name, err)
	}
	if v.Objects == nil {
		return indented, nil
	}
	objects, err := v.Objects.encode()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Name, err)
	}
	// The question comes after the objects that it is made from, and is the first thing that is left.
	before, after, _ := bytes.Cut(indented, []byte("\n \"request"))
	return bytes.Join([][]byte{before, []byte("\n \"objects\": "), objects, []byte(",\n \"request"), after}, nil), nil
}

func (o *Objects) encode() ([]byte, error) {
	set, err := encode(o.Set, "")
	if err != nil {
		return nil, err
	}
	text := fmt.Appendf(nil, "{\n  \"set\": %s", bytes.TrimSpace(set))
	for _, list := range []struct {
		name    string
		objects []json.RawMessage
	}{{"otherSets", o.Others}, {"pods", o.Pods}, {"claims", o.Claims}, {"revisions", o.Revisions}} {
		if len(list.objects) == 0 {
			continue
		}
		separator := fmt.Sprintf(",\n  %q: [", list.name)
		for _, object := range list.objects {
			line, err := encode(object, "")
			if err != nil {
				return nil, err
			}
			text = fmt.Appendf(text, "%s\n   %s", separator, bytes.TrimSpace(line))
			separator = ","
		}
		text = append(text, "\n  ]"...)
	}
	return append(text, "\n }"...), nil
}

func encode(value any, indent string) ([]byte, error) {
	var compact, indented bytes.Buffer
	encoder := json.NewEncoder(&compact)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil || indent == "" {
		return compact.Bytes(), err
	}
	err := json.Indent(&indented, compact.Bytes(), "", indent)
	return indented.Bytes(), err
}
