package vectors

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	files "github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/test/sim"
)

// printed is when kubectl printed the sets that are stuck.
var printed = time.Date(2026, time.November, 21, 6, 40, 43, 0, time.UTC)

// fromStuck are sets of a real control plane that wait for something, each with the objects of its namespace that its pods and
// claims could be taken for.
func fromStuck(path string) ([]*draft, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	byKind := map[string][]json.RawMessage{}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var list struct{ Items []json.RawMessage }
		asJSON, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := json.Unmarshal(asJSON, &list); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, item := range list.Items {
			kind := metav1.PartialObjectMetadata{}
			if err := json.Unmarshal(item, &kind); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			byKind[kind.Kind] = append(byKind[kind.Kind], item)
		}
	}
	var all []*draft
	for i, set := range byKind[sim.KindSet] {
		name, err := nameOf(set)
		if err != nil {
			return nil, err
		}
		next, err := nameOf(byKind[sim.KindSet][(i+1)%len(byKind[sim.KindSet])])
		if err != nil {
			return nil, err
		}
		objects := &files.Objects{Set: set}
		for kind, list := range map[string]*[]json.RawMessage{sim.KindSet: &objects.Others, sim.KindPod: &objects.Pods,
			sim.KindClaim: &objects.Claims, sim.KindRevision: &objects.Revisions} {
			if *list, err = about(byKind[kind], name, next); err != nil {
				return nil, err
			}
		}
		objects.Others = slices.DeleteFunc(objects.Others, func(other json.RawMessage) bool { return string(other) == string(set) })
		d, err := drawn("stuck/"+name, fmt.Sprintf("Set %s as kubectl printed it on a real control plane; objects of set %s are there too.", name, next),
			objects, printed)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

func nameOf(object json.RawMessage) (string, error) {
	meta := metav1.PartialObjectMetadata{}
	err := json.Unmarshal(object, &meta)
	return meta.Name, err
}

// about are the objects with one of the sets' names in theirs.
func about(objects []json.RawMessage, sets ...string) ([]json.RawMessage, error) {
	var out []json.RawMessage
	for _, object := range objects {
		name, err := nameOf(object)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(strings.Split(name, "-"), func(part string) bool { return slices.Contains(sets, part) }) {
			out = append(out, object)
		}
	}
	return out, nil
}
