package crd

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/policy"
)

// setSchema is the schema of the whole object.
func setSchema(api *OpenAPI) (object, error) {
	spec, err := specSchema(api)
	if err != nil {
		return nil, err
	}
	status, err := statusSchema(api)
	if err != nil {
		return nil, err
	}
	return object{
		"type": "object",
		"description": "A StatefulSet that Setplan runs beside the built-in controller. It has the same fields, defaults and pods as one of apps/v1, " +
			"and some fields more.",
		"required": []any{"spec"},
		"properties": object{
			"apiVersion": object{"type": "string"},
			"kind":       object{"type": "string"},
			"metadata":   object{"type": "object"},
			"spec":       spec,
			"status":     status,
		},
		"x-kubernetes-validations": []any{
			rule(`self.metadata.name.size() <= 63 && !self.metadata.name.contains('.')`, "metadata.name: must be a DNS label: no more than 63 of a-z, 0-9 and '-'"),
			created(`self.metadata.name.size() <= 52`, "metadata.name: must have no more than 52 characters: a label of the pods holds the name, a dash and up to 10 more, and has room for 63"),
			created(`!has(self.spec.serviceName) || self.spec.serviceName.size() <= 63`, "spec.serviceName: must have no more than 63 characters, because it becomes the subdomain of the pods"),
		},
	}, nil
}

// specSchema has the spec's own fields closed, with the defaults of apps/v1, and the templates open.
func specSchema(api *OpenAPI) (object, error) {
	from, err := api.named("v1.StatefulSetSpec")
	if err != nil {
		return nil, err
	}
	own := form{api: api, described: true}
	spec, err := own.of(&source{Type: "object", Required: from.Required, Properties: without(from.Properties, "template", "volumeClaimTemplates")})
	if err != nil {
		return nil, err
	}
	fields := properties(spec)
	template, err := form{api: api, open: true, number: true}.of(from.Properties["template"])
	if err != nil {
		return nil, err
	}
	template["required"] = []any{"spec"}
	delete(properties(template)["spec"].(object), "nullable")
	template["description"] = from.Properties["template"].Description
	claims, err := form{api: api, open: true}.of(from.Properties["volumeClaimTemplates"])
	if err != nil {
		return nil, err
	}
	claims["description"] = from.Properties["volumeClaimTemplates"].Description
	fields["template"], fields["volumeClaimTemplates"] = template, claims
	for _, field := range fields {
		schema := field.(object)
		if text, ok := schema["description"].(string); ok {
			schema["description"] = firstSentence(text)
		}
	}
	addDefaults(fields)
	addLimits(fields)
	addFields(fields)
	takeNull(spec)
	spec["x-kubernetes-validations"] = specRules()
	return spec, nil
}

// takeNull: null is a field that is not there, as in apps/v1, and a field with a default gets it.
func takeNull(of object) {
	required, _ := of["required"].([]string)
	for name, field := range properties(of) {
		schema := field.(object)
		if name == "template" || slices.Contains(required, name) {
			continue
		}
		if schema["default"] == nil {
			schema["nullable"] = true
		}
		if schema["type"] == "object" && schema["properties"] != nil {
			takeNull(schema)
		}
	}
}

// statusSchema has one field more than apps/v1: the selector as a text, which a scale subresource needs.
func statusSchema(api *OpenAPI) (object, error) {
	from, err := api.named("v1.StatefulSetStatus")
	if err != nil {
		return nil, err
	}
	status, err := form{api: api}.of(from)
	if err != nil {
		return nil, err
	}
	delete(status, "required")
	properties(status)["labelSelector"] = object{"type": "string", "description": "spec.selector as a string, for autoscalers."}
	return status, nil
}

// addDefaults: what is filled in here, users see. Of a template the defaults are asked of the API server when pods are made.
func addDefaults(fields object) {
	fallback := func(of object, name string, value any) { of[name].(object)["default"] = value }
	fallback(fields, "replicas", 1)
	fallback(fields, "podManagementPolicy", "OrderedReady")
	fallback(fields, "revisionHistoryLimit", 10)
	// Under apps/v1 a strategy with neither gets a rollingUpdate with its type, and one with the type alone does not, which is another
	// strategy. So the type of one that is there is not filled in here.
	fallback(fields, "updateStrategy", object{"type": "RollingUpdate", "rollingUpdate": object{"partition": 0}})
	fallback(fields, "persistentVolumeClaimRetentionPolicy", object{"whenDeleted": "Retain", "whenScaled": "Retain"})
	for _, when := range []string{"whenDeleted", "whenScaled"} {
		fallback(fieldsOf(fields, "persistentVolumeClaimRetentionPolicy"), when, "Retain")
	}
	// Little of a claim template can change, so what apps/v1 fills in is filled in here too: to write it out is no change.
	claim := properties(fields["volumeClaimTemplates"].(object)["items"].(object))
	for name, value := range map[string]string{"apiVersion": "v1", "kind": "PersistentVolumeClaim"} {
		delete(claim[name].(object), "nullable")
		fallback(claim, name, value)
	}
	// A size that is none would be refused with the whole set, whose pods would wait for it; so it is refused when it is written.
	fieldsOf(fieldsOf(claim, "spec"), "resources")["requests"].(object)["additionalProperties"].(object)["pattern"] = quantity
	mode := fieldsOf(claim, "spec")["volumeMode"].(object)
	delete(mode, "nullable")
	mode["default"] = "Filesystem"
}

// quantity matches what is an amount (apimachinery, pkg/api/resource).
const quantity = `^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$`

// addLimits says what apps/v1 refuses of the spec's own fields.
func addLimits(fields object) {
	for _, name := range []string{"replicas", "minReadySeconds"} {
		fields[name].(object)["minimum"] = 0
	}
	fieldsOf(fields, "ordinals")["start"].(object)["minimum"] = 0
	rolling := fieldsOf(fields, "updateStrategy")["rollingUpdate"].(object)
	properties(rolling)["partition"].(object)["minimum"] = 0
	properties(rolling)["maxUnavailable"].(object)["description"] = "How many pods may be unavailable during an update: a number, or a percentage of spec.replicas, rounded down, and at least 1."
	fields["serviceName"].(object)["pattern"] = `^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$`
	fields["serviceName"].(object)["maxLength"] = 63
	// These let the API server know what its check of the selector costs.
	selected := fieldsOf(fields, "selector")["matchLabels"].(object)
	selected["maxProperties"] = 64
	fields["volumeClaimTemplates"].(object)["maxItems"] = 100 // no node has so many volumes
	labels := fieldsOf(fieldsOf(fields, "template"), "metadata")["labels"].(object)
	for _, of := range []object{selected, labels} {
		of["additionalProperties"].(object)["maxLength"] = 63
	}
	for _, limited := range []struct {
		in     object
		name   string
		values []any
	}{
		{fields, "podManagementPolicy", []any{"OrderedReady", "Parallel"}},
		{fieldsOf(fields, "updateStrategy"), "type", []any{"RollingUpdate", "OnDelete", "Recreate"}},
		{fieldsOf(fields, "persistentVolumeClaimRetentionPolicy"), "whenDeleted", []any{"Retain", "Delete"}},
		{fieldsOf(fields, "persistentVolumeClaimRetentionPolicy"), "whenScaled", []any{"Retain", "Delete"}},
	} {
		limited.in[limited.name].(object)["enum"] = limited.values
	}
}

// addFields adds what apps/v1 has annotations for, as the engine's table of settings has it.
func addFields(fields object) {
	for _, s := range policy.All {
		if s.Field == "" {
			continue
		}
		field := object{"type": "string", "description": s.Help}
		switch s.Form {
		case policy.Count:
			field["type"], field["format"], field["minimum"] = "integer", "int32", 1
		case policy.CountOrPercent:
			delete(field, "type")
			field["x-kubernetes-int-or-string"] = true
		case policy.List:
			field["type"], field["items"], field["x-kubernetes-list-type"] = "array", object{"x-kubernetes-int-or-string": true}, "atomic"
		}
		if s.Values != nil {
			values := []any{""}
			for _, v := range s.Values {
				values = append(values, v)
			}
			field["enum"] = values
		}
		at := fields
		path := strings.Split(strings.TrimPrefix(s.Field, policy.FieldPrefix), ".")
		for _, name := range path[:len(path)-1] {
			at = fieldsOf(at, name)
		}
		at[path[len(path)-1]] = field
	}
}

func properties(of object) object { return of["properties"].(object) }

func fieldsOf(of object, name string) object { return properties(of[name].(object)) }

func without(fields map[string]*source, names ...string) map[string]*source {
	rest := map[string]*source{}
	for name, field := range fields {
		rest[name] = field
	}
	for _, name := range names {
		delete(rest, name)
	}
	return rest
}

func firstSentence(text string) string {
	first, _, _ := strings.Cut(text, ". ")
	return strings.TrimSuffix(first, ".") + "."
}
