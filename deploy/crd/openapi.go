package crd

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// OpenAPI is a document of the API server's, version 3, of one group and version.
type OpenAPI struct {
	Components struct {
		Schemas map[string]*source `json:"schemas"`
	} `json:"components"`
}

// source is a schema in such a document, as far as it is used.
type source struct {
	Ref         string             `json:"$ref"`
	AllOf       []*source          `json:"allOf"`
	Type        string             `json:"type"`
	Format      string             `json:"format"`
	Description string             `json:"description"`
	Properties  map[string]*source `json:"properties"`
	Additional  *source            `json:"additionalProperties"`
	Items       *source            `json:"items"`
	Required    []string           `json:"required"`
	Default     any                `json:"default"`
	ListType    string             `json:"x-kubernetes-list-type"`
	ListMapKeys []string           `json:"x-kubernetes-list-map-keys"`
	MapType     string             `json:"x-kubernetes-map-type"`
}

// Read reads a document.
func Read(text []byte) (*OpenAPI, error) {
	out := &OpenAPI{}
	if err := json.Unmarshal(text, out); err != nil {
		return nil, fmt.Errorf("the OpenAPI of apps/v1: %w", err)
	}
	return out, nil
}

// Published reads what the release of Kubernetes that moduleDir requires says its API server serves.
func Published(ctx context.Context, moduleDir string) (*OpenAPI, error) {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", "k8s.io/kubernetes")
	download.Dir, download.Stderr = moduleDir, os.Stderr
	out, err := download.Output()
	if err != nil {
		return nil, fmt.Errorf("downloading k8s.io/kubernetes: %w", err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return nil, fmt.Errorf("downloading k8s.io/kubernetes: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, "api/openapi-spec/v3/apis__apps__v1_openapi.json"))
	if err != nil {
		return nil, err
	}
	return Read(text)
}

// named is a schema by the end of its name: "v1.StatefulSetSpec".
func (o *OpenAPI) named(suffix string) (*source, error) {
	for name, schema := range o.Components.Schemas {
		if strings.HasSuffix(name, "."+suffix) {
			return schema, nil
		}
	}
	return nil, fmt.Errorf("the OpenAPI has no %s", suffix)
}

// follow returns what a schema refers to, and the name of that; "" where it refers to nothing.
func (o *OpenAPI) follow(s *source) (*source, string, error) {
	ref := s.Ref
	if ref == "" && len(s.AllOf) == 1 {
		ref = s.AllOf[0].Ref
	}
	if ref == "" {
		return s, "", nil
	}
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	found := o.Components.Schemas[name]
	if found == nil {
		return nil, "", fmt.Errorf("the OpenAPI has no %s", name)
	}
	return found, name[strings.LastIndexByte(name, '.')+1:], nil
}
