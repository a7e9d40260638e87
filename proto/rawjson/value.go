package rawjson

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
)

// Value is one value of a text. The zero Value is one that is not there.
type Value struct {
	of       *text
	from, to int
}

// Kind is the first byte of a value: '{', '[', '"', 't', 'f', 'n', '-' or a digit; 0 of one that is not there.
func (v Value) Kind() byte {
	if v.of == nil {
		return 0
	}
	return v.of.bytes[v.from]
}

// Is reports whether a value is there and not null.
func (v Value) Is() bool { return v.of != nil && v.Kind() != 'n' }

// Raw is the value as it was sent, nil if it is not there. It shares the text.
func (v Value) Raw() []byte {
	if v.of == nil {
		return nil
	}
	return v.of.bytes[v.from:v.to:v.to]
}

// Members are those of an object, in order. Where a key is there twice, whoever keeps the last value reads it as Kubernetes does. Other values have none.
func (v Value) Members() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		if v.Kind() != '{' {
			return
		}
		t := v.of
		for at := t.space(v.from + 1); at < v.to-1; {
			end := t.endOfString(at)
			key := Value{t, at, end}
			from := t.space(t.space(end) + 1)
			member := Value{t, from, t.end(from)}
			t.Spend(member.to - at)
			if !yield(key.plain(), member) {
				return
			}
			if at = t.space(member.to); t.next(at) == ',' {
				at = t.space(at + 1)
			}
		}
	}
}

// Items are those of an array, in order. Other values have none.
func (v Value) Items() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != '[' {
			return
		}
		t := v.of
		for i, at := 0, t.space(v.from+1); at < v.to-1; i++ {
			item := Value{t, at, t.end(at)}
			t.Spend(item.to - at)
			if !yield(i, item) {
				return
			}
			if at = t.space(item.to); t.next(at) == ',' {
				at = t.space(at + 1)
			}
		}
	}
}

// Get is the value of a key of an object.
func (v Value) Get(key string) (found Value) {
	for name, value := range v.Members() {
		if string(name) == key {
			found = value
		}
	}
	return found
}

// Text is what a string says, with U+FFFD for what is no UTF-8. Of any other value it is empty.
func (v Value) Text() string {
	if v.Kind() != '"' {
		return ""
	}
	return string(v.plain())
}

// Int is the number of a value that is a whole one.
func (v Value) Int(bits int) (int64, bool) {
	if !v.Is() {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v.Raw()[:min(v.to-v.from, 32)]), 10, bits)
	return n, err == nil && v.to-v.from <= 32
}

// plain is what a string says. It shares the text where it can.
func (v Value) plain() []byte {
	raw := v.of.bytes[v.from+1 : v.to-1]
	for i, b := range raw {
		if b == '\\' || b >= 0x80 {
			return v.unquote()
		}
		if i%bytesAtOnce == bytesAtOnce-1 {
			v.of.Spend(bytesAtOnce)
		}
	}
	return raw
}

// unquote reads any string. It is not stopped: strings that are read lie in objects, whose size is limited.
func (v Value) unquote() []byte {
	var said string
	if json.Unmarshal(v.Raw(), &said) != nil {
		panic("rawjson: a string that was checked cannot be read")
	}
	return []byte(said)
}

// end is where a value ends that begins at a position of a text that was checked.
func (t *text) end(at int) int {
	switch t.bytes[at] {
	case '"':
		return t.endOfString(at)
	case '{', '[':
	default:
		for at < len(t.bytes) && bytes.IndexByte([]byte(",]} \t\r\n"), t.bytes[at]) < 0 {
			t.Spend(1)
			at++
		}
		return at
	}
	b := t.bytes
	for depth := 0; ; t.Spend(bytesAtOnce) {
		for limit := min(at+bytesAtOnce, len(b)); at < limit; at++ {
			switch b[at] {
			case '"':
				at = t.endOfString(at) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return at + 1
				}
			}
		}
	}
}

func (t *text) endOfString(at int) int {
	b := t.bytes
	for at++; ; t.Spend(bytesAtOnce) {
		for limit := min(at+bytesAtOnce, len(b)); at < limit; at++ {
			if b[at] == '"' {
				return at + 1
			}
			if b[at] == '\\' {
				at++
			}
		}
	}
}
