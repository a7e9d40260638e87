package crd

import (
	"fmt"
	"slices"
)

// form is how a part of the set is put into a structural schema.
type form struct {
	api *OpenAPI
	// described keeps the descriptions. A pod template's are five times as long as all the rest.
	described bool
	// open keeps fields that this release does not know, and takes null for a field that is not there, as apps/v1 does. What fields are
	// worth is said by the API server when it is asked for the template's defaults.
	open bool
	// number takes quantities that are fractions too, which rules cannot read.
	number bool
}

// of is the structural schema of a type.
func (f form) of(s *source) (object, error) {
	target, name, err := f.api.follow(s)
	if err != nil {
		return nil, err
	}
	var out object
	switch name {
	case "Quantity":
		out = object{"x-kubernetes-int-or-string": true}
		if f.number {
			out = object{"x-kubernetes-preserve-unknown-fields": true}
		}
	case "IntOrString":
		out = object{"x-kubernetes-int-or-string": true}
	default:
		if out, err = f.plain(target); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if f.described && s.Description != "" {
		out["description"] = s.Description
	}
	return out, nil
}

func (f form) plain(s *source) (object, error) {
	out := object{"type": s.Type}
	if s.Format != "" {
		out["format"] = s.Format
	}
	if s.MapType != "" && s.MapType != "granular" {
		out["x-kubernetes-map-type"] = s.MapType
	}
	switch s.Type {
	case "object":
		return out, f.fields(s, out)
	case "array":
		return out, f.list(s, out)
	case "string", "integer", "number", "boolean":
		return out, nil
	}
	return nil, fmt.Errorf("no form for type %q", s.Type)
}

func (f form) fields(s *source, out object) error {
	if s.Additional != nil {
		values, err := f.of(s.Additional)
		if err != nil {
			return err
		}
		out["additionalProperties"] = values
		return nil
	}
	if f.open || len(s.Properties) == 0 {
		out["x-kubernetes-preserve-unknown-fields"] = true
	}
	if len(s.Properties) == 0 {
		return nil
	}
	properties := object{}
	for name, field := range s.Properties {
		schema, err := f.of(field)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if f.open && !slices.Contains(s.Required, name) {
			schema["nullable"] = true
		}
		properties[name] = schema
	}
	out["properties"] = properties
	if len(s.Required) > 0 {
		out["required"] = s.Required
	}
	return nil
}

// list keeps how lists are merged. A key of entries that may be left out needs a default, which is the one of apps/v1.
func (f form) list(s *source, out object) error {
	items, err := f.of(s.Items)
	if err != nil {
		return err
	}
	out["items"] = items
	if s.ListType == "" {
		return nil
	}
	out["x-kubernetes-list-type"] = s.ListType
	if s.ListType != "map" {
		return nil
	}
	out["x-kubernetes-list-map-keys"] = s.ListMapKeys
	entry, _, err := f.api.follow(s.Items)
	if err != nil {
		return err
	}
	for _, key := range s.ListMapKeys {
		if slices.Contains(entry.Required, key) {
			continue
		}
		fallback := entry.Properties[key].Default
		if fallback == nil {
			return fmt.Errorf("key %s has no default", key)
		}
		field := items["properties"].(object)[key].(object)
		delete(field, "nullable")
		field["default"] = fallback
	}
	return nil
}
