package kube

import (
	"encoding/json"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
)

// templates are the parts of a set that stay JSON.
type templates struct {
	pod        []byte
	claims     [][]byte
	claimNames []string
}

// templateCache keeps the JSON of each set's templates for as long as the set does not change: a set is snapshotted many
// times for each time it is edited. The bytes are shared by snapshots; nobody writes to them.
type templateCache struct {
	mu   sync.Mutex
	sets map[adapters.Key]versionedTemplates
}

type versionedTemplates struct {
	uid             types.UID
	resourceVersion string
	templates       templates
}

func newTemplateCache() *templateCache {
	return &templateCache{sets: map[adapters.Key]versionedTemplates{}}
}

func (c *templateCache) of(key adapters.Key, set *unstructured.Unstructured) (templates, error) {
	c.mu.Lock()
	known, ok := c.sets[key]
	c.mu.Unlock()
	if ok && known.uid == set.GetUID() && known.resourceVersion == set.GetResourceVersion() {
		return known.templates, nil
	}
	encoded, err := encodeTemplates(set)
	if err != nil {
		return templates{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sets[key] = versionedTemplates{uid: set.GetUID(), resourceVersion: set.GetResourceVersion(), templates: encoded}
	return encoded, nil
}

func (c *templateCache) forget(key adapters.Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sets, key)
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
