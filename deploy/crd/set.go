package crd

import (
	"slices"
	"strings"
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
		{fieldsOf(fields, "updateStrategy"), "type", []any{"RollingUpdate", "OnDelete"}},
		{fieldsOf(fields, "persistentVolumeClaimRetentionPolicy"), "whenDeleted", []any{"Retain", "Delete"}},
		{fieldsOf(fields, "persistentVolumeClaimRetentionPolicy"), "whenScaled", []any{"Retain", "Delete"}},
	} {
		limited.in[limited.name].(object)["enum"] = limited.values
	}
}

// addFields adds what apps/v1 has annotations for.
func addFields(fields object) {
	properties(fields["ordinals"].(object))["reserved"] = object{
		"type":                   "array",
		"description":            `Ordinals that the set must not use, such as "1" or "3-5". The set uses the first spec.replicas of the remaining ones.`,
		"items":                  object{"x-kubernetes-int-or-string": true},
		"x-kubernetes-list-type": "atomic",
	}
	fields["scaleInGuard"] = object{
		"type": "string", "enum": []any{"", "named"},
		"description": "With named, a scale-down deletes only pods whose ordinals are reserved, and keeps all others.",
	}
	fields["pause"] = object{
		"type": "string", "enum": []any{"", "Updates", "HealOnly", "All"},
		"description": "What is held back: updates (Updates), scale-downs too (HealOnly), or every write to pods and claims (All).",
	}
	fields["claimUpdatePolicy"] = object{
		"type": "string", "enum": []any{"", "OnDelete", "InPlace", "InPlaceOrRecreate"},
		"description": "Whether existing claims follow their templates, and whether a pod is recreated if its file system cannot grow otherwise.",
	}
	fields["claimUpdateLimit"] = object{
		"type": "integer", "format": "int32", "minimum": 1,
		"description": "How many claims may change at once after the first one has changed; 3 if unset.",
	}
	fields["claimUpdateCooldown"] = object{
		"type":        "string",
		"description": "How long to wait after a change of a claim before it is changed again, such as 6h.",
	}
	fields["scaleUpLimit"] = object{
		"x-kubernetes-int-or-string": true,
		"description":                "How many pods of a Parallel set may be starting at once, that is, created and not ready yet: a number or a percentage of spec.replicas.",
	}
	fields["beforeUpdate"] = object{
		"type":        "string",
		"description": "Who approves the update of each pod, by setting the pod's annotation setplan.io/before-update to the name of the revision.",
	}
	fields["afterUpdate"] = object{
		"type":        "string",
		"description": "Who approves after each updated pod that the update continues, by setting the pod's annotation setplan.io/after-update to the name of the revision.",
	}
	fields["disruptionBudget"] = object{
		"type": "string", "enum": []any{"", "Respect", "Ignore"},
		"description": "With Respect, updates, recreations and scale-downs evict ready pods instead of deleting them, so that PodDisruptionBudgets apply.",
	}
	fields["inPlace"] = object{
		"type": "string", "enum": []any{"", "Recreate", "InPlaceIfPossible", "InPlaceOnly"},
		"description": "How pods are updated: recreated (Recreate), in place if the change allows it and recreated otherwise (InPlaceIfPossible), or never recreated (InPlaceOnly).",
	}
	fields["resizeDeferred"] = object{
		"type":        "string",
		"description": "What happens to a pod whose node has no room for its new resources now: Wait, Recreate, Keep, or a duration such as 10m after which it is recreated.",
	}
	fields["resizeInfeasible"] = object{
		"type":        "string",
		"description": "The same for a pod whose node can never provide its new resources.",
	}
	fields["updateRank"] = object{
		"type":        "string",
		"description": "Which pods are updated last: those with the highest numbers in the label with this key, or the pod with this label, given as KEY=VALUE.",
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
