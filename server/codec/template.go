package codec

import (
	"encoding/json"

	"github.com/setplan/setplan/proto/yamljson"
)

// templateProblem is why a caller could not make JSON of a drain template: it sends such a text as it is, and the author
// wants to know. Empty for JSON, of which the engine says itself what is wrong with it.
func templateProblem(text []byte) string {
	if len(text) == 0 || json.Valid(text) {
		return ""
	}
	if _, err := yamljson.Template(text); err != nil {
		return err.Error()
	}
	return "" // YAML that the caller could have converted: to the engine it is JSON with a mistake
}
