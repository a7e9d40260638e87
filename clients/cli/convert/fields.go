package convert

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/setplan/setplan/engine/policy"
)

// shared lists the fields of a spec that mean the same in all kinds. Where fields below one are listed, only those are shared.
var shared = map[string][]string{
	"replicas": nil, "selector": nil, "template": nil, "volumeClaimTemplates": nil, "serviceName": nil, "podManagementPolicy": nil, "revisionHistoryLimit": nil,
	"minReadySeconds": nil, "persistentVolumeClaimRetentionPolicy": {"whenDeleted", "whenScaled"}, "ordinals": {"start"},
	"updateStrategy": {"type", "rollingUpdate"}, "updateStrategy.rollingUpdate": {"partition", "maxUnavailable"},
}

// translation is the annotation of Setplan that means the same as something else, and its value.
type translation struct {
	name  string
	value func(any) string
}

// asAnnotations maps fields, those of our own kind as the engine's table has them.
var asAnnotations = func() map[string]translation {
	all := map[string]translation{"reserveOrdinals": {policy.Reserved, listed}, "updateStrategy.rollingUpdate.paused": {policy.Pause, pausedUpdates}} // Kruise
	for _, p := range policy.All {
		if path, has := strings.CutPrefix(p.Field, policy.FieldPrefix); has {
			all[path] = translation{p.Annotation, text}
		}
	}
	all["ordinals.reserved"] = all["reserveOrdinals"]
	return all
}()

// fromAnnotations maps annotations of other controllers.
var fromAnnotations = map[string]translation{
	"delete-slots":                      {policy.Reserved, text},      // PingCAP
	"apps.pingcap.com/paused-reconcile": {policy.Pause, pausedWholly}, // PingCAP
}

func text(value any) string { return fmt.Sprint(value) }

func listed(value any) string {
	list, _ := value.([]any)
	items := make([]string, len(list))
	for i, item := range list {
		items[i] = fmt.Sprint(item)
	}
	return strings.Join(items, ",")
}

func pausedUpdates(value any) string { return onTrue(value, "Updates") }
func pausedWholly(value any) string  { return onTrue(value, "All") }

func onTrue(value any, mode string) string {
	if fmt.Sprint(value) == "true" {
		return mode
	}
	return ""
}

// usual has values of other kinds' fields that ask for what every kind does.
var usual = map[string]any{"updateStrategy.rollingUpdate.podUpdatePolicy": "ReCreate"}

// lost is a field that the new kind does not have.
type lost struct {
	path, effect string
	harmless     bool // its absence changes no pod
}

// effects says what happens without fields of other kinds.
var effects = map[string]struct {
	effect   string
	harmless bool
}{
	"updateStrategy.rollingUpdate.podUpdatePolicy":       {"Pods are updated by being deleted and created, unless you set setplan.io/in-place.", true},
	"updateStrategy.rollingUpdate.inPlaceUpdateStrategy": {"No update in place takes a pod out of service, so nothing has a grace period.", true},
	"updateStrategy.rollingUpdate.unorderedUpdate":       {"Pods are updated in the order of their ordinals, the highest first.", true},
	"lifecycle":                 {"No hook holds a pod back before it is deleted or updated.", false},
	"scaleStrategy":             {"How many pods may be created at once is not limited, unless you set setplan.io/scale-up-limit.", true},
	"volumeClaimUpdateStrategy": {"Claims are not changed when a claim template is.", true},
}

// newSpec returns the new set's spec, which is what both kinds have, unchanged, and the fields that are lost. Fields that become
// annotations are in annotations.
func (c *Case) newSpec() (spec map[string]any, dropped []lost) {
	spec, _, _ = unstructured.NestedMap(c.Set.Object, "spec")
	c.prune(spec, "", &dropped)
	if retention := c.retention(); retention != nil {
		if object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(retention); err == nil {
			spec["persistentVolumeClaimRetentionPolicy"] = object
		}
	}
	if seconds, there, _ := unstructured.NestedFieldNoCopy(c.Set.Object, "spec", "updateStrategy", "rollingUpdate", "minReadySeconds"); there && c.From.Group == Kruise.Group {
		spec["minReadySeconds"] = seconds
	}
	return spec, dropped
}

// prune removes from the object at a path what the new kind does not have.
func (c *Case) prune(object map[string]any, path string, dropped *[]lost) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		at := strings.TrimPrefix(path+"."+key, ".")
		_, top := shared[key]
		if path != "" && !slices.Contains(shared[path], key) || path == "" && !top {
			value := object[key]
			delete(object, key)
			if _, translated := asAnnotations[at]; translated || empty(value) || value == usual[at] || c.From.Group == Kruise.Group && at == "updateStrategy.rollingUpdate.minReadySeconds" {
				continue
			}
			known := effects[at]
			if known.effect == "" {
				known.effect = "Its effect is not known here."
			}
			*dropped = append(*dropped, lost{at, known.effect, known.harmless})
			continue
		}
		if below, is := object[key].(map[string]any); is && shared[at] != nil {
			c.prune(below, at, dropped)
		}
	}
}

// empty reports whether a value says nothing, so that losing it does not matter.
func empty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case bool:
		return !value
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}

// annotations returns those of the new set, before it is paused for the move.
func (c *Case) annotations() map[string]string {
	all := maps.Clone(c.Set.GetAnnotations())
	if all == nil {
		all = map[string]string{}
	}
	for _, name := range []string{AnnotationRetention, lastApplied} {
		delete(all, name)
	}
	if c.drainsOnDelete() {
		all[policy.DrainOnDelete] = "true"
	}
	delete(all, annotationDrain)
	for name, from := range fromAnnotations { // the annotation that the set's controller obeys wins over ours
		value, there := c.Set.GetAnnotations()[name]
		if delete(all, name); there && from.value(value) != "" {
			all[from.name] = from.value(value)
		}
	}
	for path, to := range asAnnotations {
		value, there, _ := unstructured.NestedFieldNoCopy(c.Set.Object, append([]string{"spec"}, strings.Split(path, ".")...)...)
		if there && !empty(value) && to.value(value) != "" {
			all[to.name] = to.value(value)
		}
	}
	return all
}
