package kube

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
)

// What claims follow while pods run on may change in the claim templates of our own kind. It is no new question, and the answer to the one
// before holds: neither a webhook that would say something else of the pod template by now, nor a quota that is used up, may come between a full
// disk and a bigger one.

const claimTemplatesField = "volumeClaimTemplates"

// followed lists these fields of a claim template.
var followed = [...][]string{{"metadata", "labels"}, {"metadata", "annotations"}, {"spec", "resources", "requests"}, {"spec", "volumeAttributesClassName"}}

// withoutFollowed returns the hash of a question without the values of these fields.
func withoutFollowed(manifest []byte) (questionID, error) {
	var question struct {
		Spec map[string]json.RawMessage `json:"spec"`
	}
	if err := json.Unmarshal(manifest, &question); err != nil {
		return questionID{}, err
	}
	var templates []any
	decoder := json.NewDecoder(bytes.NewReader(question.Spec[claimTemplatesField]))
	decoder.UseNumber() // numbers that differ stay different
	if decoder.Decode(&templates) != nil || len(templates) == 0 {
		return sha256.Sum256(manifest), nil
	}
	for _, template := range templates {
		for _, path := range followed {
			replaceAt(template, path, nil)
		}
	}
	var err error
	if question.Spec[claimTemplatesField], err = json.Marshal(templates); err != nil {
		return questionID{}, err
	}
	rest, err := json.Marshal(question.Spec)
	return sha256.Sum256(rest), err
}

// follow gives the claim templates of an answer what the set's templates of these names say now.
func follow(answer, own any) {
	templates, _ := own.([]any)
	named := make(map[string]any, len(templates))
	for _, template := range templates {
		name, _ := memberAt(template, []string{"metadata", "name"}).(string)
		named[name] = template
	}
	answers, _ := answer.([]any)
	for _, template := range answers {
		name, _ := memberAt(template, []string{"metadata", "name"}).(string)
		if now, ok := named[name]; ok {
			for _, path := range followed {
				replaceAt(template, path, memberAt(now, path))
			}
		}
	}
}

// memberAt returns a member of nested objects; nil if there is none.
func memberAt(object any, path []string) any {
	for _, key := range path {
		members, _ := object.(map[string]any)
		object = members[key]
	}
	return object
}

// replaceAt sets such a member, or takes it away if the value is nil. An object that it takes the last member from goes, too.
func replaceAt(object any, path []string, value any) {
	members, ok := object.(map[string]any)
	if !ok {
		return
	}
	key := path[0]
	switch inner, nested := members[key].(map[string]any); {
	case len(path) == 1 && value == nil:
		delete(members, key)
	case len(path) == 1:
		members[key] = value
	case nested:
		if replaceAt(inner, path[1:], value); len(inner) == 0 {
			delete(members, key)
		}
	case value != nil:
		inner = map[string]any{}
		members[key] = inner
		replaceAt(inner, path[1:], value)
	}
}
