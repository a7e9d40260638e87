package kube

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// questionID is the hash of a question: equal questions have equal answers.
type questionID [sha256.Size]byte

// asked lists the spec fields that are sent to the API server: those whose defaults neither the CustomResourceDefinition nor the planner
// can know, and those that it requires with them. A change of replicas or of a pause is no new question. The strategy Recreate is left out: apps/v1 refuses it
// while its gate is off, and it has no defaults.
var asked = [...]string{"selector", "serviceName", "template", "updateStrategy", "volumeClaimTemplates"}

// defaulted lists those of them that are taken from the answer as a whole. In the others the set's own values win, because the API server
// drops fields of features that are off for the built-in controller.
var defaulted = [...]string{"template", "volumeClaimTemplates"}

// questionOf returns the set of apps/v1 that the API server is asked to create.
func questionOf(spec json.RawMessage) ([]byte, error) {
	from, part := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if err := json.Unmarshal(spec, &from); err != nil {
		return nil, err
	}
	for _, field := range asked {
		if value, ok := from[field]; ok && (field != "updateStrategy" || !bytes.Contains(value, []byte(`"Recreate"`))) {
			part[field] = value
		}
	}
	kind := StatefulSets()
	return json.Marshal(object{"apiVersion": kind.APIVersion(), "kind": kind.Kind, "metadata": object{"generateName": Manager + "-"}, "spec": part})
}

// withQuestion notes a set's spec and its question.
func (s *cachedSet) withQuestion(spec json.RawMessage) error {
	manifest, err := questionOf(spec)
	if err != nil {
		return err
	}
	s.undefaulted, s.claimed = spec, sha256.Sum256(manifest)
	s.question, err = withoutFollowed(manifest)
	return err
}

// filledIn returns the set with its spec merged over the answer, or with the refusal.
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
	if a.claimed != set.claimed {
		follow(stored.Spec[claimTemplatesField], own[claimTemplatesField])
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

// laidOver merges what a set says over the defaults, and returns the result; null says nothing.
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
