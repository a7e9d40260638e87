package adapters

import (
	"encoding/json"
	"sync"

	"github.com/setplan/setplan/proto/yamljson"
)

// templates keeps each set's drain template as JSON. It seldom changes, and to read it as YAML on every pass takes 0.15 ms.
type templates struct {
	mu sync.Mutex
	of map[Key]template
}

type template struct {
	text string
	json []byte
}

func newTemplates() *templates { return &templates{of: map[Key]template{}} }

// json is a set's template in the form of the contract. Passes share it; nobody changes it. The work is done outside the
// lock: a template that takes long costs its own set time, and no other.
func (t *templates) json(key Key, text string) []byte {
	t.mu.Lock()
	last := t.of[key]
	t.mu.Unlock()
	if last.text == text && last.json != nil {
		return last.json
	}
	converted := template{text, templateJSON(text)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of[key] = converted
	return converted.json
}

func (t *templates) forget(key Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.of, key)
}

// templateJSON turns YAML into JSON. JSON stays as it is, and so does what cannot be converted, or only at too high a price:
// the planner says what is wrong with it.
func templateJSON(text string) []byte {
	given := []byte(text)
	if json.Valid(given) {
		return given
	}
	converted, err := yamljson.Template(given)
	if err != nil {
		return given
	}
	return converted
}
