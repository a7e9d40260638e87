// Package yamljson turns YAML into JSON at a cost that the length of the text bounds. YAML lets a text of 55 kB mean 200 MB:
// an alias repeats what its anchor marks, as often as the author likes. No template needs that, so aliases are refused, and
// with them anchors and merges, which mean nothing without.
//
// Both sides of the contract may need it, so it imports neither, and nothing of Kubernetes. It reads scalars as kubectl
// does: yes and on are true, and a date is a text.
package yamljson

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// MaxTemplate is how long a template may be that is no JSON. Real ones have a few kB; one that needs more can be JSON, which
// is not converted.
const MaxTemplate = 64 << 10

// MaxDepth is how deep values may lie in each other.
const MaxDepth = 200

// ErrStopped is the error of a conversion that was told to stop.
var ErrStopped = errors.New("stopped")

// Template converts the text of a pod template that somebody may have written into an annotation. It asks many times in ten
// milliseconds whether to stop; nil never does.
func Template(text []byte, stop func() bool) ([]byte, error) {
	if len(text) > MaxTemplate {
		return nil, fmt.Errorf("it has %d bytes, but YAML may have at most %d; JSON may have more", len(text), MaxTemplate)
	}
	return convert(text, stop)
}

// Convert makes JSON of the first document of a text, null where there is none. The JSON has no more than six bytes for each
// byte of the text, and two more. Members are sorted by name. Errors begin with "line" where they know it.
func Convert(text []byte) ([]byte, error) { return convert(text, nil) }

func convert(text []byte, stop func() bool) ([]byte, error) {
	if stop == nil {
		stop = func() bool { return false }
	}
	var document yaml.Node
	switch err := yaml.NewDecoder(&pieces{text, stop}).Decode(&document); {
	case stop():
		return nil, ErrStopped
	case err != nil && err != io.EOF:
		return nil, readable(err, bytes.Count(text, []byte("\n"))+1)
	case len(document.Content) == 0:
		return []byte("null"), nil
	}
	w := writer{stop: stop}
	return w.appendNode(nil, document.Content[0], 1)
}

// pieces is a text of which the library reads half a kilobyte at a time.
type pieces struct {
	text []byte
	stop func() bool
}

func (p *pieces) Read(piece []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	if p.stop() {
		return 0, ErrStopped
	}
	n := copy(piece, p.text)
	p.text = p.text[n:]
	return n, nil
}
