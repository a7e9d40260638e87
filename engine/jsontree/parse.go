package jsontree

import (
	"encoding/json"
	"fmt"
	"strings"
)

// maxDepth is deeper than any Kubernetes object and keeps hostile input from exhausting the stack.
const maxDepth = 200

// maxValues is more than any Kubernetes object has, and bounds the memory of a tree: a value of two bytes takes many times
// that in it.
const maxValues = 100_000

// Parse reads one JSON value. The tree may share memory with a copy of data that it keeps.
func Parse(data []byte) (Value, error) {
	p := parser{text: string(data)}
	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	return v, p.end()
}

func tooManyValues() error { return fmt.Errorf("JSON has more than %d values", maxValues) }

type parser struct {
	text   string
	at     int
	values int
}

// end checks that nothing follows the value.
func (p *parser) end() error {
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

// object reads an object. A repeated key keeps its place and takes the last value, as encoding/json does with a map.
func (p *parser) object(depth int) (Value, error) {
	var members []Member
	places := map[string]int{}
	err := p.members(func(key string) error {
		value, err := p.value(depth + 1)
		if at, repeated := places[key]; repeated {
			members[at].Value = value
			return err
		}
		places[key] = len(members)
		members = append(members, Member{key, value})
		return err
	})
	return NewObject(members...), err
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

func (p *parser) array(depth int) (Value, error) {
	var items []Value
	err := p.items(func() error {
		item, err := p.value(depth + 1)
		items = append(items, item)
		return err
	})
	return NewArray(items...), err
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

// str reads a string. A plain one, as most are, is a part of the input; encoding/json reads any other.
func (p *parser) str() (string, error) {
	start := p.at
	plain := true
	for i := p.at + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			p.at = i + 1
			if plain {
				return p.text[start+1 : i], nil
			}
			var text string
			if err := json.Unmarshal([]byte(p.text[start:p.at]), &text); err != nil {
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
