package jsontree

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// maxDepth is deeper than any Kubernetes object and keeps hostile input from exhausting the stack.
const maxDepth = 200

// maxValues is more than any Kubernetes object has, and bounds the memory of a tree: a value of two bytes takes many times
// that in it.
const maxValues = 100_000

// Parse reads one JSON value. The tree may share memory with a copy of data that it keeps.
func Parse(data []byte) (Value, error) { return Count{}.Parse(data) }

// Parse is the function Parse, counted.
func (c Count) Parse(data []byte) (Value, error) {
	p := newParser(c, data)
	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	return v, p.end()
}

func tooManyValues() error { return fmt.Errorf("JSON has more than %d values", maxValues) }

type parser struct {
	tally
	text   string
	at     int
	values int
}

func newParser(c Count, data []byte) parser {
	p := parser{tally: tally{count: c}, text: string(data)}
	p.add(len(data) / bytesPerUnit)
	return p
}

// end checks that nothing follows the value.
func (p *parser) end() error {
	p.settle()
	if p.space(); p.at < len(p.text) {
		return p.unexpected("the end")
	}
	return nil
}

func (p *parser) unexpected(wanted string) error {
	if p.at >= len(p.text) {
		return fmt.Errorf("JSON ends at byte %d where %s should be", p.at, wanted)
	}
	return fmt.Errorf("JSON has %q at byte %d where %s should be", p.text[p.at], p.at, wanted)
}

func (p *parser) space() {
	for p.at < len(p.text) && p.text[p.at] <= ' ' { // few bytes are
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// take consumes c, after white space, if it is next.
func (p *parser) take(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) value(depth int) (Value, error) {
	if depth > maxDepth {
		return Value{}, fmt.Errorf("JSON is nested deeper than %d", maxDepth)
	}
	if p.values++; p.values > maxValues {
		return Value{}, tooManyValues()
	}
	p.add(1)
	p.space()
	if p.at >= len(p.text) {
		return Value{}, p.unexpected("a value")
	}
	switch c := p.text[p.at]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		text, err := p.str()
		return Value{Kind: String, Text: text}, err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case p.word("null"):
		return Value{}, nil
	case p.word("true"):
		return Value{Kind: Bool, Text: "true"}, nil
	case p.word("false"):
		return Value{Kind: Bool, Text: "false"}, nil
	}
	return Value{}, p.unexpected("a value")
}

// word consumes a word, if it is next.
func (p *parser) word(word string) bool {
	found := strings.HasPrefix(p.text[p.at:], word)
	if found {
		p.at += len(word)
	}
	return found
}

func (p *parser) object(depth int) (Value, error) {
	members, seen := pile[Member]{}, map[string]int(nil)
	err := p.members(func(key string) error {
		member, err := p.value(depth + 1)
		seen = put(&members, seen, key, member)
		return err
	})
	return NewObject(members.list(&p.tally)...), err
}

// members reads the braces, keys and colons of an object; read has to consume the value of each key.
func (p *parser) members(read func(key string) error) error {
	p.at++
	if p.take('}') {
		return nil
	}
	for {
		if p.space(); p.at >= len(p.text) || p.text[p.at] != '"' {
			return p.unexpected("a key")
		}
		key, err := p.str()
		if err != nil {
			return err
		}
		if !p.take(':') {
			return p.unexpected("a colon")
		}
		if err := read(key); err != nil {
			return err
		}
		if p.take(',') {
			continue
		}
		if p.take('}') {
			return nil
		}
		return p.unexpected("a comma or a brace")
	}
}

// smallObject is the size up to which a linear search for a repeated key is cheaper than a map.
const smallObject = 32

// put adds a member; a repeated key keeps its place and takes the last value, as encoding/json does with a map.
func put(members *pile[Member], seen map[string]int, key string, value Value) map[string]int {
	n := members.len()
	if n < smallObject {
		for i := range members.last {
			if members.last[i].Key == key {
				members.last[i].Value = value
				return nil
			}
		}
		members.push(Member{key, value})
		return nil
	}
	if seen == nil {
		seen = make(map[string]int, 2*n)
		for i := range members.last {
			seen[members.last[i].Key] = i
		}
	}
	if i, repeated := seen[key]; repeated {
		members.at(i).Value = value
		return seen
	}
	seen[key] = n
	members.push(Member{key, value})
	return seen
}

func (p *parser) array(depth int) (Value, error) {
	items := pile[Value]{}
	err := p.items(func() error {
		item, err := p.value(depth + 1)
		items.push(item)
		return err
	})
	return NewArray(items.list(&p.tally)...), err
}

// items reads the brackets and commas of an array; read has to consume each item.
func (p *parser) items(read func() error) error {
	p.at++
	if p.take(']') {
		return nil
	}
	for {
		if err := read(); err != nil {
			return err
		}
		if p.take(',') {
			continue
		}
		if p.take(']') {
			return nil
		}
		return p.unexpected("a comma or a bracket")
	}
}

// str reads a string. The usual one is short and plain: it is a part of the input. It looks at eight bytes at once for the first that does not stand
// for itself: anything but ASCII, a control character, the quote or the backslash.
func (p *parser) str() (string, error) {
	from := p.at + 1
	for at := from; at+8 <= len(p.text) && at < from+bytesAtOnce; at += 8 {
		if found := special(eight(p.text[at:])); found != 0 {
			if at += bits.TrailingZeros64(found) / 8; p.text[at] != '"' {
				break
			}
			p.at = at + 1
			return p.text[from:at], nil
		}
	}
	return p.longStr()
}

// longStr reads any string.
func (p *parser) longStr() (string, error) {
	start := p.at
	plain := true
	for i := p.at + 1; i < len(p.text); i++ {
		if i%bytesAtOnce == 0 {
			p.pause(unitsAtOnce - 1)
		}
		switch c := p.text[i]; {
		case c == '"':
			p.at = i + 1
			if plain {
				return p.text[start+1 : i], nil
			}
			text, err := p.unquote(p.text[start+1 : i])
			if err != nil {
				return "", fmt.Errorf("JSON string at byte %d: %w", start, err)
			}
			return text, nil
		case c == '\\':
			plain = false
			i++
		case c < 0x20 || c >= 0x80:
			plain = false
		}
	}
	p.at = len(p.text)
	return "", p.unexpected("the end of a string")
}

// unquote reads what is between quotes, a long text in pieces.
func (p *parser) unquote(raw string) (string, error) {
	if len(raw) <= bytesAtOnce {
		return unquote(raw)
	}
	var out strings.Builder
	for len(raw) > 0 {
		n := pieceOf(raw)
		text, err := unquote(raw[:n])
		if err != nil {
			return "", err
		}
		out.WriteString(text)
		raw = raw[n:]
		p.pause(unitsAtOnce - 1)
	}
	return out.String(), nil
}

func unquote(raw string) (text string, err error) {
	err = json.Unmarshal([]byte(`"`+raw+`"`), &text)
	return text, err
}

// pieceOf is how much of a long text can be read apart from the rest: it ends neither in a character nor in an escape, nor
// between two escapes that are one character.
func pieceOf(raw string) int {
	first := false // the escape before was the first half of a character
	for at := 0; at < len(raw); {
		length := 1
		half := byte(0)
		if raw[at] == '\\' {
			if length = 2; at+3 < len(raw) && raw[at+1] == 'u' {
				length = 6
				half = surrogate(raw[at+2 : at+4])
			}
		}
		if at > bytesAtOnce && utf8.RuneStart(raw[at]) && !(first && half == 'c') {
			return at
		}
		first = half == '8'
		at += length
	}
	return len(raw)
}

// surrogate tells from the first two digits of an escape whether it is the first half of a character, '8', or the second, 'c'.
func surrogate(digits string) byte {
	switch {
	case digits[0] != 'd' && digits[0] != 'D':
	case strings.IndexByte("89abAB", digits[1]) >= 0:
		return '8'
	case strings.IndexByte("cdefCDEF", digits[1]) >= 0:
		return 'c'
	}
	return 0
}

func (p *parser) number() (Value, error) {
	start := p.at
	for p.at < len(p.text) && strings.IndexByte("+-.eE0123456789", p.text[p.at]) >= 0 {
		p.at++
	}
	text := p.text[start:p.at]
	if !json.Valid([]byte(text)) {
		p.at = start
		return Value{}, p.unexpected("a number")
	}
	return Value{Kind: Number, Text: text}, nil
}
