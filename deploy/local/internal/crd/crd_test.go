// Package crd has tests of the definition of our own kind, by the code of the API server that reads it.
package crd

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/runtime"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

const committed = "../../../crd/statefulset.yaml"

func made(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(committed)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestValid asks the API server's own validation, which also knows the cost limit of each rule.
func TestValid(t *testing.T) {
	for _, problem := range validation.ValidateCustomResourceDefinition(t.Context(), stored(t)) {
		t.Error(problem)
	}
}

// TestLimits: no new set has a name for which its pods could not exist; an existing set can still be edited.
func TestLimits(t *testing.T) {
	structure, err := structural.NewStructural(stored(t).Spec.Validation.OpenAPIV3Schema)
	if err != nil {
		t.Fatal(err)
	}
	validator := cel.NewValidator(structure, true, celconfig.PerCallLimit)
	set := func(name, service int) any {
		return map[string]any{"metadata": map[string]any{"name": strings.Repeat("w", name)}, "spec": map[string]any{"serviceName": strings.Repeat("s", service)}}
	}
	for _, test := range []struct {
		set, before any
		refused     string
	}{
		{set(52, 63), nil, ""}, {set(53, 63), nil, "metadata.name: must have no more than 52"}, {set(52, 64), nil, "spec.serviceName: must have no more than 63"},
		{set(53, 64), set(53, 64), ""},
	} {
		problems, _ := validator.Validate(t.Context(), nil, structure, test.set, test.before, celconfig.RuntimeCELCostBudget)
		text := problems.ToAggregate()
		if got := text != nil && strings.Contains(text.Error(), "must have no more than"); got != (test.refused != "") || got && !strings.Contains(text.Error(), test.refused) {
			t.Errorf("%v: %v, want %q", test.set, text, test.refused)
		}
	}
}

// stored is the definition as the API server has it.
func stored(t *testing.T) *apiextensions.CustomResourceDefinition {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{apiextensions.AddToScheme, apiextensionsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	given := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(made(t), given); err != nil {
		t.Fatal(err)
	}
	scheme.Default(given)
	given.Status.StoredVersions = []string{given.Spec.Versions[0].Name}
	internal := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(given, internal, nil); err != nil {
		t.Fatal(err)
	}
	return internal
}

// TestApplies: kubectl apply stores the whole object in an annotation, and annotations are limited to 256 KiB.
func TestApplies(t *testing.T) {
	text, err := yaml.YAMLToJSON(made(t))
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	const most = 240 << 10
	t.Logf("%d KiB as kubectl keeps it", compact.Len()>>10)
	if compact.Len() > most {
		t.Errorf("the definition has %d bytes; kubectl apply needs room within 256 KiB, want at most %d", compact.Len(), most)
	}
}
