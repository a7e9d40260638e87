package crd

import (
	"bytes"
	"os"
	"testing"
)

// TestCommitted: deploy/local has tests of what the committed definition means to an API server.
func TestCommitted(t *testing.T) {
	openapi, err := Published(t.Context(), "../local")
	if err != nil {
		t.Fatal(err)
	}
	made, err := Make(openapi)
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("statefulset.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, made) {
		t.Error(`statefulset.yaml is not what the OpenAPI of this release and the table of settings give: run "make rewrite WHAT=crd"`)
	}
}
