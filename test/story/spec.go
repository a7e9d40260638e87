package story

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/test/sim"
)

// newSpec returns the spec of a set as the API server stores it, with all defaults.
func newSpec(name string) map[string]any {
	return map[string]any{
		"replicas":                             3,
		"selector":                             map[string]any{"matchLabels": map[string]any{"app": name}},
		"serviceName":                          name,
		"podManagementPolicy":                  "OrderedReady",
		"revisionHistoryLimit":                 10,
		"updateStrategy":                       map[string]any{"type": "RollingUpdate", "rollingUpdate": map[string]any{"partition": 0}},
		"persistentVolumeClaimRetentionPolicy": map[string]any{"whenDeleted": "Retain", "whenScaled": "Retain"},
		"template": map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"app": name}},
			"spec": map[string]any{
				"containers": []any{map[string]any{
					"name": "nginx", "image": "nginx:v1", "imagePullPolicy": "IfNotPresent", "resources": map[string]any{},
					"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
				}},
				"dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler",
				"securityContext": map[string]any{}, "terminationGracePeriodSeconds": 30,
			},
		},
	}
}

// option changes a spec by one word of a command.
var options = map[string]func(spec map[string]any, value string) error{
	"replicas":       number("replicas"),
	"minReady":       number("minReadySeconds"),
	"history":        number("revisionHistoryLimit"),
	"policy":         func(s map[string]any, v string) error { s["podManagementPolicy"] = v; return nil },
	"image":          setImage,
	"cpu":            asking("requests", "cpu"),
	"memoryLimit":    asking("limits", "memory"),
	"resizePolicy":   setResizePolicy,
	"start":          setStart,
	"partition":      rolling("partition"),
	"maxUnavailable": rolling("maxUnavailable"),
	"strategy":       setStrategy,
	"claims":         setClaims,
	"retention":      setRetention,
	"selector":       setSelector,
}

func number(field string) func(map[string]any, string) error {
	return func(spec map[string]any, value string) error {
		n, err := strconv.Atoi(value)
		spec[field] = n
		return err
	}
}

func setImage(spec map[string]any, value string) error {
	firstContainer(spec)["image"] = "nginx:" + value
	return nil
}

func firstContainer(spec map[string]any) map[string]any {
	return spec["template"].(map[string]any)["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
}

// asking lets the container ask for an amount of a resource; "none" removes it.
func asking(list, resource string) func(map[string]any, string) error {
	return func(spec map[string]any, value string) error {
		of := firstContainer(spec)["resources"].(map[string]any)
		amounts, _ := of[list].(map[string]any)
		switch {
		case value == "none":
			delete(amounts, resource)
			return nil
		case amounts == nil:
			amounts = map[string]any{}
			of[list] = amounts
		}
		amounts[resource] = value
		return nil
	}
}

// setResizePolicy says what the container does to get another amount of cpu.
func setResizePolicy(spec map[string]any, value string) error {
	firstContainer(spec)["resizePolicy"] = []any{map[string]any{"resourceName": "cpu", "restartPolicy": value}}
	return nil
}

// setStart sets the first ordinal; "none" removes the field.
func setStart(spec map[string]any, value string) error {
	if value == "none" {
		delete(spec, "ordinals")
		return nil
	}
	n, err := strconv.Atoi(value)
	spec["ordinals"] = map[string]any{"start": n}
	return err
}

func rolling(field string) func(map[string]any, string) error {
	return func(spec map[string]any, value string) error {
		strategy := spec["updateStrategy"].(map[string]any)
		parameters, ok := strategy["rollingUpdate"].(map[string]any)
		if !ok {
			parameters = map[string]any{"partition": 0}
			strategy["rollingUpdate"] = parameters
		}
		if n, err := strconv.Atoi(value); err == nil {
			parameters[field] = n
		} else {
			parameters[field] = value
		}
		return nil
	}
}

// setStrategy reads "OnDelete", "RollingUpdate", or "nil" for a RollingUpdate without parameters.
func setStrategy(spec map[string]any, value string) error {
	switch value {
	case "nil":
		spec["updateStrategy"] = map[string]any{"type": "RollingUpdate"}
	case "RollingUpdate":
		spec["updateStrategy"] = map[string]any{"type": value, "rollingUpdate": map[string]any{"partition": 0}}
	default:
		spec["updateStrategy"] = map[string]any{"type": value}
	}
	return nil
}

func setClaims(spec map[string]any, value string) error {
	var templates []any
	for _, name := range strings.Split(value, ",") {
		templates = append(templates, map[string]any{
			"apiVersion": "v1", "kind": sim.KindClaim,
			"metadata": map[string]any{"name": name},
			"spec": map[string]any{"accessModes": []any{"ReadWriteOnce"}, "volumeMode": "Filesystem",
				"resources": map[string]any{"requests": map[string]any{"storage": "1Gi"}}},
			"status": map[string]any{"phase": "Pending"},
		})
	}
	spec["volumeClaimTemplates"] = templates
	return nil
}

// setRetention reads "WhenDeleted/WhenScaled", such as "Delete/Retain".
func setRetention(spec map[string]any, value string) error {
	deleted, scaled, found := strings.Cut(value, "/")
	if !found {
		return fmt.Errorf("retention is WhenDeleted/WhenScaled, not %q", value)
	}
	spec["persistentVolumeClaimRetentionPolicy"] = map[string]any{"whenDeleted": deleted, "whenScaled": scaled}
	return nil
}

// setSelector reads a selector; "none" is an empty one.
func setSelector(spec map[string]any, value string) error {
	if value == "none" {
		spec["selector"] = map[string]any{}
		return nil
	}
	spec["selector"] = map[string]any{"matchLabels": labels(value)}
	return nil
}

// NewSet makes a set with options as in the command "set".
func NewSet(name string, words map[string]string, patch string) (*sim.Set, error) {
	spec, err := change(newSpec(name), words, patch)
	if err != nil {
		return nil, err
	}
	return &sim.Set{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: spec}, nil
}

// ChangeSpec applies options, and then a JSON merge patch, to a stored spec.
func ChangeSpec(stored json.RawMessage, words map[string]string, patch string) (json.RawMessage, error) {
	var spec map[string]any
	if err := json.Unmarshal(stored, &spec); err != nil {
		return nil, err
	}
	return change(spec, words, patch)
}

func change(spec map[string]any, words map[string]string, patch string) (json.RawMessage, error) {
	for key, value := range words {
		option := options[key]
		if option == nil {
			return nil, fmt.Errorf("a set has no %q", key)
		}
		if err := option(spec, value); err != nil {
			return nil, err
		}
	}
	if strings.TrimSpace(patch) != "" {
		var changes map[string]any
		if err := json.Unmarshal([]byte(patch), &changes); err != nil {
			return nil, err
		}
		merge(spec, changes)
	}
	dropEmptied(spec)
	return json.Marshal(spec)
}

// dropEmptied drops the labels and annotations of the template where none are left: the API server stores no empty map.
func dropEmptied(spec map[string]any) {
	template, _ := spec["template"].(map[string]any)
	metadata, _ := template["metadata"].(map[string]any)
	for _, field := range []string{"labels", "annotations"} {
		if entries, is := metadata[field].(map[string]any); is && len(entries) == 0 {
			delete(metadata, field)
		}
	}
}

// merge applies a JSON merge patch (RFC 7396).
func merge(target, patch map[string]any) {
	for key, value := range patch {
		inner, isMap := value.(map[string]any)
		existing, wasMap := target[key].(map[string]any)
		switch {
		case value == nil:
			delete(target, key)
		case isMap && !wasMap:
			existing = map[string]any{}
			target[key] = existing
			fallthrough
		case isMap:
			merge(existing, inner)
		default:
			target[key] = value
		}
	}
}
