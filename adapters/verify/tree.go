package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// node is a JSON value.
type node struct {
	kind    byte   // '{', '[', '"', '0' for a number, 'b' for a truth value, 'n' for null
	text    string // of a string, decoded; of others as written
	items   []*node
	members map[string]*node
}

// Limits of a document: no API server accepts larger ones, and no Kubernetes object is deeper or has more values. The planner takes templates of
// 100,000 values, to which it adds some.
const (
	maxDocument = 3 << 20
	maxDepth    = 200
	maxValues   = 110_000
)

var (
	errTooLarge = errors.New("it is larger or deeper than an API server takes")
	errNoJSON   = errors.New("it is not JSON")
)

// parse reads a document. strict refuses a key that occurs twice in an object: two readers may take different ones.
func parse(document []byte, strict bool) (*node, error) {
	if len(document) > maxDocument {
		return nil, errTooLarge
	}
	if !json.Valid(document) {
		return nil, errNoJSON
	}
	p := parser{Decoder: json.NewDecoder(bytes.NewReader(document)), strict: strict}
	p.UseNumber()
	return p.value(0)
}

// parser reads valid JSON.
type parser struct {
	*json.Decoder
	strict bool
	values int
}

func (p *parser) value(depth int) (*node, error) {
	if p.values++; p.values > maxValues || depth > maxDepth {
		return nil, errTooLarge
	}
	switch token, _ := p.Token(); token := token.(type) {
	case json.Delim:
		return p.list(&node{kind: byte(token)}, depth)
	case string:
		return &node{kind: '"', text: token}, nil
	case json.Number:
		return &node{kind: '0', text: token.String()}, nil
	case bool:
		return &node{kind: 'b', text: strconv.FormatBool(token)}, nil
	}
	return &node{kind: 'n'}, nil
}

// list reads an object or an array to its end.
func (p *parser) list(n *node, depth int) (*node, error) {
	if n.kind == '{' {
		n.members = map[string]*node{}
	}
	for p.More() {
		key := ""
		if n.kind == '{' {
			token, _ := p.Token()
			if key, _ = token.(string); n.members[key] != nil && p.strict {
				return nil, fmt.Errorf("the key %s stands twice in an object", quote(key))
			}
		}
		value, err := p.value(depth + 1)
		switch {
		case err != nil:
			return nil, err
		case n.kind == '{':
			n.members[key] = value
		default:
			n.items = append(n.items, value)
		}
	}
	_, _ = p.Token() // its end
	return n, nil
}

// get walks down the keys; nil if there is nothing, or null.
func (n *node) get(keys ...string) *node {
	for _, key := range keys {
		if n == nil {
			return nil
		}
		n = n.members[key]
	}
	if n != nil && n.kind == 'n' {
		return nil
	}
	return n
}

// is reports whether a node is the string text.
func (n *node) is(text string) bool { return n != nil && n.kind == '"' && n.text == text }

// equal compares values. A null member differs from a missing one: in a map of strings it is a key.
func equal(a, b *node) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.kind != b.kind:
		return false
	}
	switch a.kind {
	case '{':
		return differing(a, b, nil) == ""
	case '[':
		return slices.EqualFunc(a.items, b.items, equal)
	case '0':
		return sameNumber(a.text, b.text)
	default:
		return a.text == b.text
	}
}

// sameNumber: a stored revision holds what a float64 keeps of a number, the set holds its text.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// differing returns a key under which two objects differ, in quotes, exceptions aside; "" if there is none.
func differing(a, b *node, except map[string]bool) string {
	for key, value := range a.object() {
		if !except[key] && !equal(value, b.object()[key]) {
			return quote(key)
		}
	}
	for key := range b.object() {
		if !except[key] && a.object()[key] == nil {
			return quote(key)
		}
	}
	return ""
}

// object returns the members of an object node; nil for other nodes.
func (n *node) object() map[string]*node {
	if n == nil {
		return nil
	}
	return n.members
}

// nodeOf makes a node of a value.
func nodeOf(value any) *node {
	text, _ := json.Marshal(value)
	n, _ := parse(text, false)
	return n
}

// list returns the items of an array node; nil for other nodes.
func (n *node) list() []*node {
	if n == nil {
		return nil
	}
	return n.items
}

// string returns the text of a string node, or "".
func (n *node) string() string {
	if n == nil || n.kind != '"' {
		return ""
	}
	return n.text
}

// label reads a node as a map of labels.
func (n *node) label(key string) (string, bool) {
	value := n.get(key)
	return value.string(), value != nil && value.kind == '"'
}

// without returns a copy of an object without a key. It shares the rest.
func (n *node) without(key string) *node {
	if n.object() == nil {
		return n
	}
	left := &node{kind: n.kind, members: maps.Clone(n.members)}
	delete(left.members, key)
	return left
}
