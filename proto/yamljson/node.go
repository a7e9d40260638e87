package yamljson

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// writer makes JSON of nodes.
type writer struct {
	stop  func() bool
	nodes int
}

// nodesAtOnce is how many nodes are written between two looks at stop.
const nodesAtOnce = 1024

func (w *writer) appendNode(out []byte, node *yaml.Node, depth int) ([]byte, error) {
	if w.nodes++; w.nodes%nodesAtOnce == 0 && w.stop() {
		return nil, ErrStopped
	}
	switch {
	case node.Kind == yaml.AliasNode:
		return nil, fmt.Errorf("line %d: it uses the alias *%.32s; aliases are not supported", node.Line, node.Value)
	case node.Anchor != "":
		return nil, fmt.Errorf("line %d: it has the anchor &%.32s; anchors are not supported", node.Line, node.Anchor)
	case depth > MaxDepth:
		return nil, fmt.Errorf("line %d: it is nested deeper than %d", node.Line, MaxDepth)
	}
	switch node.Kind {
	case yaml.MappingNode:
		return w.appendMapping(out, node, depth)
	case yaml.SequenceNode:
		return w.appendSequence(out, node, depth)
	default:
		return appendScalar(out, node)
	}
}

func (w *writer) appendSequence(out []byte, node *yaml.Node, depth int) ([]byte, error) {
	out = append(out, '[')
	for i, item := range node.Content {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = w.appendNode(out, item, depth+1); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

// member is a key and the value that belongs to it.
type member struct {
	key   string
	line  int
	value *yaml.Node
}

// appendMapping sorts instead of asking a decoder for a map: that one compares each key with every other.
func (w *writer) appendMapping(out []byte, node *yaml.Node, depth int) ([]byte, error) {
	members := make([]member, 0, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, err := keyOf(node.Content[i])
		if err != nil {
			return nil, err
		}
		members = append(members, member{key: key, line: node.Content[i].Line, value: node.Content[i+1]})
	}
	slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(a.key, b.key) })
	out = append(out, '{')
	for i, m := range members {
		if i > 0 {
			if m.key == members[i-1].key {
				return nil, fmt.Errorf("line %d: the key %.64q is also on line %d", m.line, m.key, members[i-1].line)
			}
			out = append(out, ',')
		}
		var err error
		if out, err = appendJSON(out, m.key); err != nil {
			return nil, err
		}
		out = append(out, ':')
		if out, err = w.appendNode(out, m.value, depth+1); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

// keyOf is a key as text, as it was written: 8080 and yes are names like any other.
func keyOf(node *yaml.Node) (string, error) {
	switch {
	case node.Kind == yaml.AliasNode:
		return "", fmt.Errorf("line %d: it uses the alias *%.32s; aliases are not supported", node.Line, node.Value)
	case node.Kind != yaml.ScalarNode:
		return "", fmt.Errorf("line %d: a key is a list or a mapping", node.Line)
	case node.Anchor != "":
		return "", fmt.Errorf("line %d: it has the anchor &%.32s; anchors are not supported", node.Line, node.Anchor)
	case node.Tag == "!!merge":
		return "", fmt.Errorf("line %d: it uses the merge key <<, which is not supported", node.Line)
	}
	return node.Value, nil
}

func appendJSON(out []byte, value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err // an infinity, or no number
	}
	return append(out, text...), nil
}
