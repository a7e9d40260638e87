package vectors

import (
	"encoding/json"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
)

// prefix is that of our own annotations.
const prefix = "setplan.io/"

const (
	jsonTemplate = `{"spec":{"containers":[{"name":"drain","image":"drain:annotated"}]}}`
	yamlTemplate = "spec:\n  containers:\n  - name: drain   # by hand\n    image: drain:annotated\n"
)

// annotated is a text for an annotation of a set, and the scene in which it makes a difference.
type annotated struct{ scene, annotation, name, text string }

var annotations = []annotated{
	{"mended template", prefix + "repair", "never", "Never"},
	{"mended template", prefix + "repair", "never-ready", "NeverReady"},
	{"mended template", prefix + "repair", "unready", "Unready"},
	{"mended template", prefix + "repair", "empty", ""},
	{"mended template", prefix + "repair", "bad", "never"},
	{"down", prefix + "drain-pod-template", "json", jsonTemplate},
	{"down", prefix + "drain-pod-template", "yaml", yamlTemplate},
	{"down", prefix + "drain-pod-template", "blank", " \n"},
	{"down", prefix + "drain-pod-template", "bad-yaml", "spec: [\n"},
	{"down", prefix + "drain-pod-template", "alias", "a: &a {x: 1}\nspec: *a\n"},
	{"down", "statefulsets.kubernetes.io/drainer-pod-template", "json", jsonTemplate},
	{"down", "statefulsets.kubernetes.io/scaledown-pod-template", "yaml", yamlTemplate},
	{"down drained", "statefulsets.kubernetes.io/drainer-pod-template", "differs", jsonTemplate},
	{"back in range", prefix + "drain-scale-up", "finish", "Finish"},
	{"back in range", prefix + "drain-scale-up", "cancel", "Cancel"},
	{"back in range", prefix + "drain-scale-up", "bad", "Abort"},
	{"parallel drained", prefix + "drain-max-parallel", "2", "2"},
	{"parallel drained", prefix + "drain-max-parallel", "0", "0"},
	{"parallel drained", prefix + "drain-max-parallel", "huge", "99999999999999999999"},
	{"claims left over", prefix + "drain-leftovers", "true", "true"},
	{"claims left over", prefix + "drain-leftovers", "false", "false"},
	{"claims left over", prefix + "drain-leftovers", "bad", "yes"},
	{"being deleted", prefix + "drain-on-delete", "true", "true"},
	{"being deleted", prefix + "drain-on-delete", "false", "false"},
	{"being deleted", prefix + "drain-on-delete", "bad", "True"},
	{"down", prefix + "drain-ask", "true", "true"},
	{"down", prefix + "drain-ask", "bad", "1"},
	{"drain pod succeeded", prefix + "drain-proof", "token", "Token"},
	{"drain pod succeeded", prefix + "drain-proof", "bad", "token"},
	{"down", prefix + "taken-over-at", "time", "2026-01-01T00:00:00Z"},
	{"down", prefix + "drian-on-delete", "unknown", "true"},
	{"down", prefix + "reserved-ordinals", "unknown", "1"},
	{"down", "example.com/setplan.io", "another-prefix", "true"},
}

// withAnnotations gives sets each annotation that a planner reads, with values that it takes and values that it cannot use.
func withAnnotations() ([]*draft, error) {
	var all []*draft
	for _, a := range annotations {
		d, err := scene(a.scene)
		if err != nil {
			return nil, err
		}
		_, key, _ := strings.Cut(a.annotation, "/")
		about := fmt.Sprintf("Scene %q. The set has the annotation %s: %q.", a.scene, a.annotation, a.text)
		changed, err := d.withSet("annotations/"+key+"-"+a.name, about, func(set object) {
			in(set, "metadata", "annotations")[a.annotation] = a.text
		})
		if err != nil {
			return nil, err
		}
		all = append(all, changed)
	}
	return all, nil
}

// withSet is another draft whose set differs.
func (d *draft) withSet(name, about string, change func(object)) (*draft, error) {
	set, err := parsed(d.Objects.Set)
	if err != nil {
		return nil, err
	}
	change(set)
	text, err := json.Marshal(set)
	if err != nil {
		return nil, err
	}
	objects := *d.Objects
	objects.Set = text
	snapshot, err := build(&objects, d.request.GetSnapshot())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	request := &setplanv1.PlanRequest{Snapshot: snapshot, Capabilities: proto.CloneOf(d.request).GetCapabilities()}
	return &draft{Vector: files.Vector{Name: name, About: about, Objects: &objects}, request: request}, nil
}
