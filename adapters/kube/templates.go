package kube

import (
	"encoding/json"
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// templates are the parts of a set that stay JSON.
type templates struct {
	pod        []byte
	claims     [][]byte
	claimNames []string // each once: to refuse a template that is there twice is the planner's business
}

// encodedSpec is what is made of a spec. Of one that cannot be read it has the templates, if those can: other sets have to know
// what this one calls its claims.
type encodedSpec struct {
	typed     *appsv1.StatefulSetSpec // without the templates
	templates templates
}

func encodeSpec(name string, raw map[string]any) (encodedSpec, error) {
	templates, err := encodeTemplates(name, raw)
	if err != nil {
		return encodedSpec{}, err
	}
	light := maps.Clone(raw)
	delete(light, "template")
	delete(light, "volumeClaimTemplates")
	typed := &appsv1.StatefulSetSpec{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(light, typed); err != nil {
		return encodedSpec{templates: templates}, fmt.Errorf("spec of %s: %w", name, err)
	}
	return encodedSpec{typed, templates}, nil
}

// encodeTemplates writes the templates as the API server writes JSON: sorted keys, integers as integers, fields that no
// Go type of ours knows included.
func encodeTemplates(name string, spec map[string]any) (templates, error) {
	var out templates
	var err error
	if template, ok := spec["template"]; ok {
		if out.pod, err = json.Marshal(template); err != nil {
			return templates{}, fmt.Errorf("template of %s: %w", name, err)
		}
	}
	claims, _ := spec["volumeClaimTemplates"].([]any)
	named := map[string]bool{}
	for i, claim := range claims {
		encoded, err := json.Marshal(claim)
		if err != nil {
			return templates{}, fmt.Errorf("claim template %d of %s: %w", i, name, err)
		}
		out.claims = append(out.claims, encoded)
		fields, _ := claim.(map[string]any)
		if claimName, _, _ := unstructured.NestedString(fields, "metadata", "name"); claimName != "" && !named[claimName] {
			named[claimName] = true
			out.claimNames = append(out.claimNames, claimName)
		}
	}
	return out, nil
}
