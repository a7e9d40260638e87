package snapshot

import (
	"encoding/json"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// builtin is the API version whose fields the contract has. What else a spec of another kind has is forwarded as it is: what it means is
// the planner's business, and a new field needs no new adapter.
var builtin = appsv1.SchemeGroupVersion.String()

// ownFields are what a spec has beyond apps/v1, nil where there is nothing.
func ownFields(spec json.RawMessage) (json.RawMessage, error) {
	tree := map[string]any{}
	if err := utiljson.Unmarshal(spec, &tree); err != nil {
		return nil, err
	}
	if tree = beyond(tree, reflect.TypeFor[appsv1.StatefulSetSpec]()); len(tree) == 0 {
		return nil, nil
	}
	return json.Marshal(tree)
}

// parts are the structs of a spec that are looked into. What a template has is in the template.
var parts = []reflect.Type{reflect.TypeFor[appsv1.StatefulSetOrdinals](), reflect.TypeFor[appsv1.StatefulSetUpdateStrategy](),
	reflect.TypeFor[appsv1.RollingUpdateStatefulSetStrategy](), reflect.TypeFor[appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy]()}

// beyond is what of a tree a type has no field for.
func beyond(tree map[string]any, of reflect.Type) map[string]any {
	known := map[string]reflect.Type{}
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		kind := of.Field(i).Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		known[name] = kind
	}
	rest := map[string]any{}
	for key, value := range tree {
		kind, has := known[key]
		if !has {
			rest[key] = value
			continue
		}
		inside, _ := value.(map[string]any)
		for _, part := range parts {
			if kind != part {
				continue
			}
			if more := beyond(inside, kind); len(more) > 0 {
				rest[key] = more
			}
		}
	}
	return rest
}
