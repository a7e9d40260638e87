package kube

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// templates are the parts of a set that stay JSON.
type templates struct {
	pod        []byte
	claims     [][]byte
	claimNames []string
}

// encodeTemplates writes the templates as the API server writes JSON: sorted keys, integers as integers, fields that no
// Go type of ours knows included.
func encodeTemplates(set *unstructured.Unstructured) (templates, error) {
	var out templates
	spec, _ := set.Object["spec"].(map[string]any)
	var err error
	if template, ok := spec["template"]; ok {
		if out.pod, err = json.Marshal(template); err != nil {
			return templates{}, fmt.Errorf("template of %s: %w", set.GetName(), err)
		}
	}
	claims, _ := spec["volumeClaimTemplates"].([]any)
	for i, claim := range claims {
		encoded, err := json.Marshal(claim)
		if err != nil {
			return templates{}, fmt.Errorf("claim template %d of %s: %w", i, set.GetName(), err)
		}
		out.claims = append(out.claims, encoded)
		fields, _ := claim.(map[string]any)
		if name, _, _ := unstructured.NestedString(fields, "metadata", "name"); name != "" {
			out.claimNames = append(out.claimNames, name)
		}
	}
	return out, nil
}
