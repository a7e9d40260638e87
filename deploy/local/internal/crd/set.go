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
		"description": "StatefulSet is that of apps/v1 under a name of its own: the same fields, the same defaults, the same pods. " +
			"Setplan runs it beside the built-in controller.",
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
	properties(status)["labelSelector"] = object{"type": "string", "description": "spec.selector as a text, for autoscalers."}
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
		"description":            `Ordinals that the set does not have, such as "1" or "3-5". The set has the first spec.replicas of the others.`,
		"items":                  object{"x-kubernetes-int-or-string": true},
		"x-kubernetes-list-type": "atomic",
	}
	fields["scaleInGuard"] = object{
		"type": "string", "enum": []any{"", "named"},
		"description": "With named, only pods of reserved ordinals are deleted for being outside the range.",
	}
	fields["pause"] = object{
		"type": "string", "enum": []any{"", "Updates", "HealOnly", "All"},
		"description": "What is held back: Updates, scale-downs as well (HealOnly), or every write to pods and claims (All).",
	}
	fields["claimUpdatePolicy"] = object{
		"type": "string", "enum": []any{"", "OnDelete", "InPlace", "InPlaceOrRecreate"},
		"description": "Whether claims that are there follow their templates, and whether a pod is recreated where its file system does not grow otherwise.",
	}
	fields["claimUpdateLimit"] = object{
		"type": "integer", "format": "int32", "minimum": 1,
		"description": "How many claims change at once, once the first one has; 3 if unset.",
	}
	fields["claimUpdateCooldown"] = object{
		"type":        "string",
		"description": "How long a claim is left alone after a change, such as 6h.",
	}
	fields["scaleUpLimit"] = object{
		"x-kubernetes-int-or-string": true,
		"description":                "How many pods a Parallel set may have that were created and are not ready: a number, or a percentage of spec.replicas.",
	}
	fields["beforeUpdate"] = object{
		"type":        "string",
		"description": "Who agrees before each pod is updated, by the annotation setplan.io/before-update of the pod with the name of the revision.",
	}
	fields["afterUpdate"] = object{
		"type":        "string",
		"description": "Who agrees that the update goes on after each pod, by the annotation setplan.io/after-update of the pod with the name of the revision.",
	}
	fields["disruptionBudget"] = object{
		"type": "string", "enum": []any{"", "Respect", "Ignore"},
		"description": "With Respect, a ready pod that is updated, recreated, or outside the range is evicted, so that PodDisruptionBudgets hold.",
	}
	fields["inPlace"] = object{
		"type": "string", "enum": []any{"", "Recreate", "InPlaceIfPossible", "InPlaceOnly"},
		"description": "What becomes of an outdated pod that differs in what can change while it stays: it is recreated, or it changes and only others are recreated, or nothing is.",
	}
	fields["resizeDeferred"] = object{
		"type":        "string",
		"description": "What becomes of a pod whose node has no room for its new resources now: Wait, Recreate, Keep, or a time such as 10m after which it is recreated.",
	}
	fields["resizeInfeasible"] = object{
		"type":        "string",
		"description": "The same of a pod whose node can never give it its new resources.",
	}
	fields["updateRank"] = object{
		"type":        "string",
		"description": "Which pods are updated last: those with the highest numbers in the label of this key, or the pod with this label, as KEY=VALUE.",
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
