// Package yamljson turns YAML into JSON at a cost that the length of the text bounds. YAML lets a text of 55 kB mean 200 MB:
// an alias repeats what its anchor marks, as often as the author likes. No template needs that, so aliases are refused, and
// with them anchors and merges, which mean nothing without.
//
// Both sides of the contract may need it, so it imports neither, and nothing of Kubernetes. It reads scalars as kubectl
// does: yes and on are true, and a date is a text.
package yamljson

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// MaxTemplate is how long a template may be that is no JSON. Real ones have a few kB; one that needs more can be JSON, which
// is not converted.
const MaxTemplate = 64 << 10

// MaxDepth is how deep values may lie in each other.
const MaxDepth = 200

// Template converts the text of a pod template that somebody may have written into an annotation.
func Template(text []byte) ([]byte, error) {
	if len(text) > MaxTemplate {
		return nil, fmt.Errorf("it has %d bytes, and YAML may have %d; JSON may have more", len(text), MaxTemplate)
	}
	return Convert(text)
}

// Convert makes JSON of the first document of a text, null where there is none. The JSON has no more than six bytes for each
// byte of the text, and two more. Members are sorted by name. Errors begin with "line" where they know it.
func Convert(text []byte) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, readable(err, bytes.Count(text, []byte("\n"))+1)
	}
	if len(document.Content) == 0 {
		return []byte("null"), nil
	}
	return appendNode(nil, document.Content[0], 1)
}
