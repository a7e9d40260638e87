package rawjson

import (
	"bytes"
	"encoding/json"
	"sort"
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

// Walk goes over the members of an object, or the items of an array, in order:
//
//	for w := v.Members(); w.Next(); {
//		... string(w.Key()), w.Value
type Walk struct {
	Value Value // the present one
	Index int   // which it is
	key   Value
	rest  Value // what is not passed yet
	keyed bool
}

// Members goes over those of an object. Where a key is there twice, whoever keeps the last value reads it as Kubernetes does. Other values have none.
func (v Value) Members() Walk { return v.walk('{') }

// Items goes over those of an array. Other values have none.
func (v Value) Items() Walk { return v.walk('[') }

func (v Value) walk(kind byte) Walk {
	if v.Kind() != kind {
		return Walk{}
	}
	return Walk{Index: -1, rest: Value{v.of, v.of.space(v.from + 1), v.to - 1}, keyed: kind == '{'}
}

// Next goes on to the next one, if there is one.
func (w *Walk) Next() bool {
	t, at := w.rest.of, w.rest.from
	if t == nil || at >= w.rest.to {
		return false
	}
	begin := at
	if w.keyed {
		w.key = Value{t, at, t.endOfString(at)}
		at = t.space(t.space(w.key.to) + 1)
	}
	w.Value = Value{t, at, t.end(at)}
	w.Index++
	t.Spend(w.Value.to - begin)
	if at = t.space(w.Value.to); t.next(at) == ',' {
		at = t.space(at + 1)
	}
	w.rest.from = at
	return true
}

// Key is the key of a member. It shares the text where it can.
func (w *Walk) Key() []byte { return w.key.plain() }

// Get is the value of a key of an object.
func (v Value) Get(key string) (found Value) {
	for w := v.Members(); w.Next(); {
		if string(w.Key()) == key {
			found = w.Value
		}
	}
	return found
}

// Text is what a string says, with U+FFFD for half of a surrogate pair. Of any other value it is empty.
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
	if v.of.plain(v.from+1) >= v.to-1 {
		return raw // as nearly always
	}
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
	if i := sort.Search(len(t.spans), func(i int) bool { return t.spans[i].from >= at }); i < len(t.spans) && t.spans[i].from == at {
		return t.spans[i].to
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
	from := at
	for at++; ; at++ {
		switch at = t.plain(at); t.bytes[at] {
		case '"':
			t.Spend(at - from)
			return at + 1
		case '\\':
			at++
		}
		if at-from >= bytesAtOnce {
			t.Spend(at - from)
			from = at
		}
	}
}
