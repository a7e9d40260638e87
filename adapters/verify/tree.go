package verify

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// node is a JSON value with its place in the document.
type node struct {
	kind     byte   // '{', '[', '"', '0' for a number, 'b' for a truth value, 'n' for null
	text     string // of a string, decoded; of others as written
	items    []*node
	members  map[string]*node
	from, to int
}

// Limits of a document: no API server accepts larger ones, and no Kubernetes object is deeper or has more values. The planner takes templates of
// 100,000 values, to which it adds some.
const (
	maxDocument = 3 << 20
	maxDepth    = 200
	maxValues   = 110_000
)

var (
	errTooLarge = errors.New("it is larger than an API server takes")
	errTooDeep  = errors.New("it is nested too deep")
	errTooMany  = errors.New("it has too many values")
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
	p := parser{text: string(document), strict: strict}
	root, err := p.value(0)
	if err != nil {
		return nil, err // and not the part that was read
	}
	return root, nil
}

// parser reads valid JSON.
type parser struct {
	text   string
	at     int
	strict bool
	values int
}

// next skips white space, commas and colons, and returns the next character.
func (p *parser) next() byte {
	for strings.IndexByte(" \t\r\n,:", p.text[p.at]) >= 0 {
		p.at++
	}
	return p.text[p.at]
}

func (p *parser) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	if p.values++; p.values > maxValues {
		return nil, errTooMany
	}
	c := p.next()
	n := &node{kind: c, from: p.at}
	var err error
	switch c {
	case '{':
		err = p.object(n, depth)
	case '[':
		err = p.array(n, depth)
	case '"':
		n.text = p.str()
	default:
		end := strings.IndexAny(p.text[p.at:], " \t\r\n,]}")
		if end < 0 {
			end = len(p.text) - p.at
		}
		n.text, n.kind = p.text[p.at:p.at+end], '0'
		p.at += end
		switch n.text {
		case "null":
			n.kind = 'n'
		case "true", "false":
			n.kind = 'b'
		}
	}
	n.to = p.at
	return n, err
}

func (p *parser) object(n *node, depth int) error {
	n.members = map[string]*node{}
	for p.at++; p.next() != '}'; {
		key := p.str()
		if _, twice := n.members[key]; twice && p.strict {
			return fmt.Errorf("the key %s stands twice in an object", quote(key))
		}
		member, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.members[key] = member
	}
	p.at++
	return nil
}

func (p *parser) array(n *node, depth int) error {
	for p.at++; p.next() != ']'; {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	p.at++
	return nil
}

// str reads a string, and decodes it only if necessary.
func (p *parser) str() string {
	from, plain := p.at, true
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if c := p.text[p.at]; c == '\\' {
			plain = false
			p.at++
		} else if c >= 0x80 {
			plain = false
		}
	}
	p.at++
	if plain {
		return p.text[from+1 : p.at-1]
	}
	var text string
	_ = json.Unmarshal([]byte(p.text[from:p.at]), &text) // the document is valid, and so is this part of it
	return text
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
		return equalItems(a.items, b.items)
	case '0':
		return sameNumber(a.text, b.text)
	default:
		return a.text == b.text
	}
}

func equalItems(a, b []*node) bool {
	return slices.EqualFunc(a, b, equal)
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
