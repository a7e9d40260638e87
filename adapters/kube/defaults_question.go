package kube

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// questionID names a question: sets that ask the same get the same answer.
type questionID [sha256.Size]byte

// asked are the fields of a spec that get defaults which neither a definition nor the planner can know, and what the API server wants to
// see beside them. That replicas changed, or a pause, is no new question.
var asked = [...]string{"selector", "serviceName", "template", "updateStrategy", "volumeClaimTemplates"}

// defaulted are those of them that are the API server's as a whole. Of the others, what the set says counts: the API server drops what a
// feature gate of its own controller is for.
var defaulted = [...]string{"template", "volumeClaimTemplates"}

// questionOf is the set of apps/v1 that the API server is asked about.
func questionOf(spec json.RawMessage) ([]byte, error) {
	from, part := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if err := json.Unmarshal(spec, &from); err != nil {
		return nil, err
	}
	for _, field := range asked {
		if value, ok := from[field]; ok {
			part[field] = value
		}
	}
	kind := StatefulSets()
	return json.Marshal(object{"apiVersion": kind.APIVersion(), "kind": kind.Kind, "metadata": object{"generateName": Manager + "-"}, "spec": part})
}

// withQuestion notes of a set what has to be asked for it.
func (s *cachedSet) withQuestion(spec json.RawMessage) error {
	manifest, err := questionOf(spec)
	if err != nil {
		return err
	}
	s.undefaulted, s.question = spec, sha256.Sum256(manifest)
	return nil
}

// filledIn is what comes from the spec of a set once the answer is put under it.
func (a *givenDefaults) filledIn(set *cachedSet) (*setplanv1.StatefulSet, error) {
	if a.refusal != "" {
		out := snapshot.WithSpec(set.message, set.message)
		out.Refusal = a.refusal
		return out, nil
	}
	var own map[string]any
	if err := utiljson.Unmarshal(set.undefaulted, &own); err != nil {
		return nil, err
	}
	var stored struct {
		Spec map[string]any `json:"spec"`
	}
	if err := utiljson.Unmarshal(a.said, &stored); err != nil {
		return nil, fmt.Errorf("the API server's answer: %w", err)
	}
	if stored.Spec["template"] == nil {
		return nil, errors.New("the API server's answer has no template")
	}
	for _, field := range defaulted {
		if _, given := stored.Spec[field]; given { // a revision has no claim templates
			delete(own, field)
		}
	}
	text, err := json.Marshal(laidOver(stored.Spec, own))
	if err != nil {
		return nil, err
	}
	whole := &snapshot.Set{Spec: text}
	whole.APIVersion, whole.Kind = set.message.GetApiVersion(), set.message.GetKind()
	return whole.Message()
}

// laidOver puts what a set says over what there would be without it.
func laidOver(under, over map[string]any) map[string]any {
	for key, value := range over {
		if value == nil {
			continue
		}
		lower, isObject := under[key].(map[string]any)
		upper, too := value.(map[string]any)
		if isObject && too {
			value = laidOver(lower, upper)
		}
		under[key] = value
	}
	return under
}
