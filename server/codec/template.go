package codec

import (
	"encoding/json"
	"errors"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/proto/yamljson"
)

// decodeDocuments makes JSON of what users wrote as YAML. JSON stays where it is, and as it is. YAML that cannot be converted,
// or only at too high a price, is a document with a problem: the engine says so to its author.
func decodeDocuments(texts map[string]string, stop func() bool) (map[string]engine.Document, error) {
	var documents map[string]engine.Document
	for name, text := range texts {
		given := []byte(text)
		if json.Valid(given) {
			continue
		}
		var document engine.Document
		var err error
		if document.JSON, err = yamljson.Template(given, stop); errors.Is(err, yamljson.ErrStopped) {
			return nil, ErrStopped
		} else if err != nil {
			document = engine.Document{Problem: err.Error()}
		}
		if documents == nil {
			documents = map[string]engine.Document{}
		}
		documents[name] = document
	}
	return documents, nil
}
