package crd

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

const committed = "../../../crd/statefulset.yaml"

func made(t *testing.T) []byte {
	t.Helper()
	openapi, err := Published(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	text, err := Make(openapi)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestCommitted(t *testing.T) {
	text, err := os.ReadFile(committed)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, made(t)) {
		t.Error(committed, "is not what the OpenAPI of this release gives: run \"make rewrite WHAT=crd\"")
	}
}

// TestValid asks the API server's own validation, which also knows the cost limit of each rule.
func TestValid(t *testing.T) {
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
	given.Status.StoredVersions = []string{Version}
	internal := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(given, internal, nil); err != nil {
		t.Fatal(err)
	}
	for _, problem := range validation.ValidateCustomResourceDefinition(t.Context(), internal) {
		t.Error(problem)
	}
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
