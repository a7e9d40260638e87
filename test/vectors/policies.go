package vectors

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// policyScenes say in which scene a field of the policy makes a difference; it is "down drained" for those that are not here.
var policyScenes = map[protoreflect.FullName]string{
	"setplan.v1.Policy.behavior":          "mended template",
	"setplan.v1.Policy.repair":            "mended template",
	"setplan.v1.DrainPolicy.scale_up":     "back in range",
	"setplan.v1.DrainPolicy.max_parallel": "parallel drained",
	"setplan.v1.DrainPolicy.leftovers":    "claims left over",
	"setplan.v1.DrainPolicy.on_delete":    "being deleted",
	"setplan.v1.DrainPolicy.proof":        "drain pod succeeded",
}

// texts are what a policy's bytes are tried with.
var texts = map[string]string{
	"template":    `{"spec":{"containers":[{"name":"typed","image":"typed:1"}]}}`,
	"nothing":     ``,
	"no_json":     `spec: {}`,
	"no_template": `{"containers":[]}`,
}

// withPolicies sets each field of the policy to each of its values, beside annotations that say something else.
func withPolicies() ([]*draft, error) {
	var all []*draft
	err := eachSetting((&setplanv1.Policy{}).ProtoReflect(), func(field protoreflect.FieldDescriptor, name string, value protoreflect.Value, path ...protoreflect.FieldDescriptor) error {
		of := policyScenes[field.FullName()]
		if of == "" {
			of = "down drained"
		}
		d, err := scene(of)
		if err != nil {
			return err
		}
		about := fmt.Sprintf("Scene %q. The caller sets %s of the policy: %s.", of, field.FullName(), strings.ReplaceAll(name, "_", " "))
		all = append(all, d.changed("policy/"+string(field.Name())+"-"+strings.ToLower(name), about, func(r *setplanv1.PlanRequest) {
			r.Snapshot.Policy = &setplanv1.Policy{}
			in := r.Snapshot.Policy.ProtoReflect()
			for _, step := range path {
				in = in.Mutable(step).Message()
			}
			in.Set(field, value)
		}))
		return nil
	})
	return all, err
}

// eachSetting calls f for each value that is tried of each field of a message and of those in it. path leads to the message.
func eachSetting(m protoreflect.Message, f func(protoreflect.FieldDescriptor, string, protoreflect.Value, ...protoreflect.FieldDescriptor) error, path ...protoreflect.FieldDescriptor) error {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if field.Message() != nil {
			if err := eachSetting(m.NewField(field).Message(), f, append(path, field)...); err != nil {
				return err
			}
			continue
		}
		values, err := settings(field)
		if err != nil {
			return err
		}
		for name, value := range values {
			if err := f(field, name, value, path...); err != nil {
				return err
			}
		}
	}
	return nil
}

// settings are the values that a field is tried with, by name.
func settings(field protoreflect.FieldDescriptor) (map[string]protoreflect.Value, error) {
	out := map[string]protoreflect.Value{}
	switch field.Kind() {
	case protoreflect.EnumKind:
		for i := range field.Enum().Values().Len() {
			if value := field.Enum().Values().Get(i); value.Number() != 0 {
				out[string(value.Name())] = protoreflect.ValueOfEnum(value.Number())
			}
		}
	case protoreflect.BoolKind:
		out["true"], out["false"] = protoreflect.ValueOfBool(true), protoreflect.ValueOfBool(false)
	case protoreflect.Int32Kind:
		out["1"], out["2"] = protoreflect.ValueOfInt32(1), protoreflect.ValueOfInt32(2)
	case protoreflect.BytesKind:
		for name, text := range texts {
			out[name] = protoreflect.ValueOfBytes([]byte(text))
		}
	default:
		return nil, fmt.Errorf("%s: no values to try for a %s", field.FullName(), field.Kind())
	}
	return out, nil
}
