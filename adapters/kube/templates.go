package kube

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/setplan/setplan/adapters"
)

// templates are the parts of a set that stay JSON.
type templates struct {
	pod        []byte
	claims     [][]byte
	claimNames []string
}

// templateCache keeps what was encoded of each set's spec for as long as the spec is the same: a set is snapshotted many
// times for each time it is edited, and each of our writes to its status is a new version of it. The spec is compared and
// not the generation, which does not grow when a quantity is only spelled differently, and the bytes do. What is kept is
// shared by snapshots; nobody writes to it.
type templateCache struct {
	mu   sync.Mutex
	sets map[adapters.Key]encodedSpec
}

type encodedSpec struct {
	raw       map[string]any
	typed     *appsv1.StatefulSetSpec // without the templates
	templates templates
}

func newTemplateCache() *templateCache {
	return &templateCache{sets: map[adapters.Key]encodedSpec{}}
}

func (c *templateCache) of(key adapters.Key, set *unstructured.Unstructured) (encodedSpec, error) {
	raw, _ := set.Object["spec"].(map[string]any)
	c.mu.Lock()
	spec, known := c.sets[key]
	c.mu.Unlock()
	if !known || !reflect.DeepEqual(spec.raw, raw) {
		var err error
		if spec, err = encodeSpec(set.GetName(), raw); err != nil {
			return encodedSpec{}, err
		}
	}
	spec.raw = raw // the one that the cache holds anyway
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sets[key] = spec
	return spec, nil
}

func (c *templateCache) forget(key adapters.Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sets, key)
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
		return encodedSpec{}, fmt.Errorf("spec of %s: %w", name, err)
	}
	return encodedSpec{typed: typed, templates: templates}, nil
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
	for i, claim := range claims {
		encoded, err := json.Marshal(claim)
		if err != nil {
			return templates{}, fmt.Errorf("claim template %d of %s: %w", i, name, err)
		}
		out.claims = append(out.claims, encoded)
		fields, _ := claim.(map[string]any)
		if claimName, _, _ := unstructured.NestedString(fields, "metadata", "name"); claimName != "" {
			out.claimNames = append(out.claimNames, claimName)
		}
	}
	return out, nil
}
