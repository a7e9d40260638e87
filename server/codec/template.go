package codec

import (
	"encoding/json"
	"errors"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/proto/yamljson"
)

// decodeDocuments converts what users wrote as YAML to JSON, and leaves JSON as it is. YAML that cannot be converted, or only at
// too high a price, becomes a document with a problem, which the engine tells its author.
func decodeDocuments(texts map[string]string, stop func() bool) (map[string]model.Document, error) {
	var documents map[string]model.Document
	for name, text := range texts {
		given := []byte(text)
		if json.Valid(given) {
			continue
		}
		var document model.Document
		var err error
		if document.JSON, err = yamljson.Template(given, stop); errors.Is(err, yamljson.ErrStopped) {
			return nil, ErrStopped
		} else if err != nil {
			document = model.Document{Problem: err.Error()}
		}
		if documents == nil {
			documents = map[string]model.Document{}
		}
		documents[name] = document
	}
	return documents, nil
}
