package objects

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	meta      = `"namespace":"default","uid":"s","resourceVersion":"7"`
	set       = `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web",` + meta + `},"spec":{"template":{"n": 12345678901234567890.50 }}}`
	otherSet  = `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","namespace":"b","uid":"o"}}`
	editedSet = `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web",` + meta + `},"spec":{"replicas":9,"template":{}}}`
)

// pod is one of the set's, with more in its metadata.
func pod(name, more string) string {
	return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `","namespace":"default","uid":"u-` + name + `"` + more + `}}`
}

func read(in *setplanv1.Objects, documents ...string) (*Snapshot, error) {
	for _, document := range documents {
		in.Documents = append(in.Documents, []byte(document))
	}
	return Read(in, Limits{MaxElements: 20})
}

// TestBelongs: what a snapshot has of the documents.
func TestBelongs(t *testing.T) {
	owned := func(by string) string {
		return `,"ownerReferences":[{"controller":false,"uid":"s"},{"controller":true,"uid":"` + by + `"}]`
	}
	of := func(apiVersion, kind, name, more string) string {
		return `{"apiVersion":"` + apiVersion + `","kind":"` + kind + `","metadata":{"name":"` + name + `","namespace":"default","uid":"u"` + more + `}}`
	}
	got, err := Read(&setplanv1.Objects{Name: "web", Documents: [][]byte{[]byte(set),
		[]byte(pod("web-0", "")), []byte(pod("web-x", "")), []byte(pod("stray", owned("s"))), []byte(pod("other", owned("o"))), []byte(pod("web-a-1", "")),
		[]byte(strings.Replace(pod("web-1", ""), `"default"`, `"b"`, 1)),
		[]byte(of("v1", "PersistentVolumeClaim", "data-web-0", "")),
		[]byte(of("apps/v1", "ControllerRevision", "web-1", owned("o"))), []byte(of("apps/v1", "ControllerRevision", "x", "")),
		[]byte(of("apps/v1", "ControllerRevision", "y", owned("o"))), []byte(of("apps/v1", "ControllerRevision", "z", owned("s"))),
		[]byte(of("v1", "Secret", "web-0", "")),
	}}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range got.Pods {
		names = append(names, p.GetName())
	}
	for _, c := range got.Claims {
		names = append(names, c.GetName())
	}
	for _, r := range got.Revisions {
		names = append(names, r.GetName())
	}
	if diff := cmp.Diff([]string{"web-0", "stray", "web-1", "x", "z"}, names); diff != "" {
		t.Error(diff)
	}
	if text := string(got.GetSet().GetPodTemplate()); text != `{"n": 12345678901234567890.50 }` {
		t.Errorf("the template becomes %s", text)
	}
	if got.GetSet().GetNamespace() != "default" {
		t.Error("the set is of another namespace than the only one that has it")
	}
}

// TestCoverage: what the caller states, and what typed lists say. Where there is nothing, nothing is complete.
func TestCoverage(t *testing.T) {
	list := func(kind string) string {
		return `{"apiVersion":"v1","kind":"` + kind + `List","metadata":{},"items":[]}`
	}
	revisions := `{"apiVersion":"apps/v1","kind":"ControllerRevisionList","items":[]}`
	for name, test := range map[string]struct {
		stated    *setplanv1.Coverage
		documents []string
		want      *setplanv1.Coverage
	}{
		"nothing":  {nil, nil, &setplanv1.Coverage{}},
		"stated":   {&setplanv1.Coverage{Pods: true, PodsVersion: "5"}, nil, &setplanv1.Coverage{Pods: true, PodsVersion: "5"}},
		"pods":     {nil, []string{list("Pod")}, &setplanv1.Coverage{Pods: true}},
		"the rest": {nil, []string{list("PersistentVolumeClaim"), revisions}, &setplanv1.Coverage{Claims: true, Revisions: true}},
		"both":     {&setplanv1.Coverage{Claims: true}, []string{revisions}, &setplanv1.Coverage{Claims: true, Revisions: true}},
		"pages":    {&setplanv1.Coverage{Pods: true}, []string{strings.Replace(list("Pod"), `{}`, `{"continue":"x"}`, 1), list("Pod")}, &setplanv1.Coverage{Pods: true}},
	} {
		got, err := read(&setplanv1.Objects{Name: "web", Coverage: test.stated}, append(test.documents, set)...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got.GetCoverage(), protocmp.Transform()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// TestEditedSet: it takes the place of the set, and may be a new one.
func TestEditedSet(t *testing.T) {
	for _, documents := range [][]string{{set}, nil} {
		got, err := read(&setplanv1.Objects{Name: "web", EditedSet: []byte(editedSet)}, documents...)
		if err != nil || got.GetSet().GetReplicas() != 9 {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// TestErrors: each names the field, and where it is in the document.
func TestErrors(t *testing.T) {
	podWith := func(rest string) string {
		return `{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"web-0","namespace":"default","uid":"u"` + rest + `}]}`
	}
	for name, test := range map[string]struct {
		in        *setplanv1.Objects
		documents []string
		want      string
	}{
		"no name":            {&setplanv1.Objects{}, []string{set}, "objects.name: required"},
		"no documents":       {&setplanv1.Objects{Name: "web"}, nil, `objects.name: the documents have no StatefulSet "web" of apps/v1`},
		"another name":       {&setplanv1.Objects{Name: "w"}, []string{set}, `objects.name: the documents have no StatefulSet "w" of apps/v1`},
		"another namespace":  {&setplanv1.Objects{Name: "web", Namespace: "b"}, []string{set}, `objects.name: the documents have no StatefulSet "web" of apps/v1`},
		"another kind":       {&setplanv1.Objects{Name: "web", Kind: "Database"}, []string{set}, `objects.name: the documents have no Database "web" of apps/v1`},
		"another version":    {&setplanv1.Objects{Name: "web", ApiVersion: "x/v1"}, []string{set}, `objects.name: the documents have no StatefulSet "web" of x/v1`},
		"two namespaces":     {&setplanv1.Objects{Name: "web"}, []string{set, otherSet}, `objects.namespace: required: the documents have sets of the name in the namespaces "default" and "b"`},
		"no JSON":            {&setplanv1.Objects{Name: "web"}, []string{set, "x"}, "objects.documents[1]: must be JSON at byte 0"},
		"two versions":       {&setplanv1.Objects{Name: "web"}, []string{set, editedSet, strings.Replace(set, `"7"`, `"8"`, 1)}, `objects.documents[2]: shows StatefulSet "web" of namespace "default" a second time, in another version; all must be of one moment`},
		"no version":         {&setplanv1.Objects{Name: "web"}, []string{set, `{"kind":"Pod","metadata":{"name":"web-0"}}`}, "objects.documents[1].apiVersion: required"},
		"a set without uid":  {&setplanv1.Objects{Name: "web"}, []string{strings.Replace(set, `"uid":"s",`, "", 1)}, "objects.documents[0].metadata: must have a uid: a manifest has none, and what an API server sends has one"},
		"a set of nowhere":   {&setplanv1.Objects{Name: "web"}, []string{strings.Replace(set, `"namespace":"default",`, "", 1)}, "objects.documents[0].metadata.namespace: required"},
		"a text":             {&setplanv1.Objects{Name: "web"}, []string{set, podWith(`},"status":{"phase":7}`)}, "objects.documents[1].items[0].status.phase: must be a string"},
		"a time":             {&setplanv1.Objects{Name: "web"}, []string{set, podWith(`,"deletionTimestamp":"soon"}`)}, "objects.documents[1].items[0].metadata.deletionTimestamp: must be a time such as 2026-01-02T15:04:05Z"},
		"a number":           {&setplanv1.Objects{Name: "web"}, []string{strings.Replace(set, `"spec":{`, `"spec":{"replicas":3000000000,`, 1)}, "objects.documents[0].spec.replicas: must be a whole number of at most 32 bits"},
		"an object":          {&setplanv1.Objects{Name: "web"}, []string{strings.Replace(set, `"spec":{`, `"spec":{"selector":[],`, 1)}, "objects.documents[0].spec.selector: must be an object"},
		"an array":           {&setplanv1.Objects{Name: "web"}, []string{set, podWith(`,"ownerReferences":{}}`)}, "objects.documents[1].items[0].metadata.ownerReferences: must be an array"},
		"a flag":             {&setplanv1.Objects{Name: "web"}, []string{set, podWith(`,"ownerReferences":[{"controller":1}]}`)}, "objects.documents[1].items[0].metadata.ownerReferences[0].controller: must be true or false"},
		"a label":            {&setplanv1.Objects{Name: "web"}, []string{set, podWith(`,"labels":{"s3cret":7}}`)}, "objects.documents[1].items[0].metadata.labels: must be a string"},
		"too much":           {&setplanv1.Objects{Name: "web"}, []string{set, podWith(`,"finalizers":[],"labels":{` + strings.Repeat(`"a":"b",`, 30) + `"c":"d"}}`)}, "objects.documents[1].items[0].metadata.labels: more than 20 elements of lists and maps in one request"},
		"not UTF-8":          {&setplanv1.Objects{Name: "web"}, []string{set, podWith(`,"x":"` + "\xff" + `"}`)}, "objects.documents[1].items[0].metadata: must be UTF-8 at byte 110"},
		"a NUL":              {&setplanv1.Objects{Name: "web"}, []string{set, podWith(`,"uid":"` + "\x00" + `"}`)}, "objects.documents[1].items[0].metadata.uid: must not have a control character in a string at byte"},
		"too deep":           {&setplanv1.Objects{Name: "web"}, []string{set, podWith(`},"spec":` + strings.Repeat("[", 300) + strings.Repeat("]", 300))}, "objects.documents[1].items[0].spec[0]"},
		"too many bytes":     {&setplanv1.Objects{Name: "web"}, []string{set, podWith(`},"x":"` + strings.Repeat("x", maxObjectBytes) + `"`)}, "objects.documents[1].items[0]: has 3145"},
		"a huge number":      {&setplanv1.Objects{Name: "web"}, []string{strings.Replace(set, `"spec":{`, `"spec":{"replicas":1e400,`, 1)}, "objects.documents[0].spec.replicas: must be a whole number"},
		"the first page":     {&setplanv1.Objects{Name: "web", Coverage: &setplanv1.Coverage{Pods: true}}, []string{set, `{"apiVersion":"v1","kind":"PodList","metadata":{"continue":"x"},"items":[]}`}, "objects.coverage: must not name a kind whose last page is missing: each PodList goes on elsewhere"},
		"an edited pod":      {&setplanv1.Objects{Name: "web", EditedSet: []byte(pod("web", ""))}, []string{set}, "objects.edited_set: must be the set that objects.name, namespace, api_version and kind name"},
		"edited, and broken": {&setplanv1.Objects{Name: "web", EditedSet: []byte(`{"kind":7}`)}, []string{set}, "objects.edited_set.kind: must be a string, and is a number"},
		"edited, wrong":      {&setplanv1.Objects{Name: "web", EditedSet: []byte(strings.Replace(editedSet, "9", `"9"`, 1))}, []string{set}, "objects.edited_set.spec.replicas: must be a whole number of at most 32 bits"},
		"edited, another":    {&setplanv1.Objects{Name: "web", EditedSet: []byte(strings.Replace(editedSet, `"s"`, `"t"`, 1))}, []string{set}, "objects.edited_set: must have the uid of the set in the documents"},
	} {
		_, err := read(test.in, test.documents...)
		wrong := new(Error)
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v\nwant %s", name, err, test.want)
		}
	}
}

// TestWrongTypes: whatever stands in the place of a value, an error names that place, or where it lies.
func TestWrongTypes(t *testing.T) {
	documents := []string{
		`{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","namespace":"default","uid":"s","resourceVersion":"7","generation":2,"annotations":{"a":"b"},"finalizers":["f"]},
			"spec":{"replicas":1,"ordinals":{"start":1},"selector":{"matchLabels":{"a":"b"},"matchExpressions":[{"key":"k","operator":"In","values":["v"]}]},"serviceName":"web",
			"podManagementPolicy":"Parallel","updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1,"maxUnavailable":1}},"minReadySeconds":1,"revisionHistoryLimit":1,
			"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain","whenScaled":"Retain"},"template":{},"volumeClaimTemplates":[{"metadata":{"name":"data"}}]},
			"status":{"observedGeneration":2,"replicas":1,"currentRevision":"web-1","collisionCount":1,"conditions":[{"type":"t","status":"True","lastTransitionTime":"2020-01-01T00:00:00Z"}]}}`,
		`{"apiVersion":"v1","kind":"PodList","metadata":{"continue":""},"items":[{"metadata":{"name":"web-1","namespace":"default","uid":"p","creationTimestamp":"2020-01-01T00:00:00Z",
			"labels":{"a":"b"},"annotations":{"setplan.io/in-place-update":"x"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"s","controller":true}]},
			"spec":{"containers":[{"name":"c","image":"i","env":[{"name":"SETPLAN_DRAIN_TOKEN"}],"resources":{"requests":{"cpu":1}}}],"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"x"}}],
			"readinessGates":[{"conditionType":"g"}]},"status":{"phase":"Running","startTime":"2020-01-01T00:00:00Z","conditions":[{"type":"Ready","status":"False","reason":"r"}],
			"containerStatuses":[{"name":"c","imageID":"i","state":{"running":{"startedAt":"2020-01-01T00:00:00Z"}},"resources":{"limits":{"memory":"1Gi"}}}]}}]}`,
		`{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data-web-1","namespace":"default","uid":"c"},"spec":{"storageClassName":"f","resources":{"requests":{"storage":"1Gi"}}},
			"status":{"phase":"Bound","capacity":{"storage":"1Gi"},"allocatedResourceStatuses":{"storage":"x"},"modifyVolumeStatus":{"status":"x"}}}`,
		`{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"web-1","namespace":"default","uid":"r"},"revision":1,"data":{"spec":{"template":{}}}}`,
		`{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"f"},"allowVolumeExpansion":true}`,
	}
	if _, err := read(&setplanv1.Objects{Name: "web"}, documents...); err == nil || !strings.Contains(err.Error(), "more than 20 elements") {
		t.Fatal(err)
	}
	tried, refused := 0, 0
	for i, document := range documents {
		var walk func(v any, path string, change func(any))
		var root any
		if err := json.Unmarshal([]byte(document), &root); err != nil {
			t.Fatal(err)
		}
		with := func(path string) {
			text, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			in := &setplanv1.Objects{Name: "web"}
			for j := range documents {
				in.Documents = append(in.Documents, []byte(documents[j]))
			}
			in.Documents[i] = text
			tried++
			_, err = Read(in, Limits{})
			wrong := new(Error)
			if err == nil {
				return
			}
			refused++
			place := fmt.Sprintf("objects.documents[%d]%s", i, path)
			if !errors.As(err, &wrong) || !strings.HasPrefix(place, wrong.Field) && !strings.HasPrefix(wrong.Field, place) && wrong.Field != "objects.name" {
				t.Errorf("%s: %v", place, err)
			}
		}
		walk = func(v any, path string, change func(any)) {
			for _, other := range []any{nil, true, -1.5, "x", "\x00", []any{1}, map[string]any{"name": 7}, []any{[]any{}}, json.Number("1e400")} {
				change(other)
				with(path)
			}
			change(v)
			switch v := v.(type) {
			case map[string]any:
				for key, member := range v {
					if path == "" && (key == "apiVersion" || key == "kind") {
						continue // it is something else then
					}
					walk(member, path+"."+key, func(to any) { v[key] = to })
				}
			case []any:
				for j, item := range v {
					walk(item, fmt.Sprintf("%s[%d]", path, j), func(to any) { v[j] = to })
				}
			}
		}
		walk(root, "", func(to any) { root = to })
	}
	if tried < 1000 || refused < 500 {
		t.Errorf("%d tried, %d refused", tried, refused)
	}
}

// TestPlaces: a path in the snapshot is the place that it came from.
func TestPlaces(t *testing.T) {
	got, err := read(&setplanv1.Objects{Name: "web"}, set, pod("x-0", ""), `{"apiVersion":"v1","kind":"List","items":[`+pod("web-0", `,"annotations":{"setplan.io/a":"b"}`)+`]}`)
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"snapshot.set.replicas":                            "objects.documents[0].spec.replicas",
		"snapshot.set.status.conditions":                   "objects.documents[0]",
		"snapshot.pods[0].name":                            "objects.documents[2].items[0].metadata.name",
		"snapshot.pods[0].containers.containers.name":      "objects.documents[2].items[0]",
		"snapshot.tables.annotation_sets[1].annotations":   "objects.documents[2].items[0].metadata.annotations",
		"snapshot.tables.annotation_sets[0].annotations":   "objects.documents",
		"snapshot.policy.behavior":                         "objects.policy.behavior",
		"snapshot.observed_at":                             "objects.observed_at",
		"snapshot.claims":                                  "objects.documents",
		"capabilities[1]":                                  "capabilities[1]",
		fmt.Sprintf("snapshot.claims[%s].x", "1234567890"): "objects.documents",
	} {
		if place := got.Place(field); place != want {
			t.Errorf("%s is %s, want %s", field, place, want)
		}
	}
}

// TestYAMLOfNeighbours: of other sets only those are converted whose claims may have the same names, and of these no more than 256 KiB. Those beyond count as
// neighbours: whoever writes such an annotation must not stop somebody else's set.
func TestYAMLOfNeighbours(t *testing.T) {
	owner := `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","namespace":"default","uid":"u"},"spec":{"volumeClaimTemplates":[{"metadata":{"name":"a-s5"}},{"metadata":{"name":"b"}}]}}`
	for _, c := range []struct {
		name string
		size int
		want string
	}{
		{"web%d", 50_000, "[]"},
		{"s%d-web", 10_000, "[]"},
		{"s%d-web", 50_000, "[set:\"s5-web\" claim_template:\"a-s5\"]"},
		{"s%d-web", 200_000, "[]"}, // no planner follows it
	} {
		var all []string
		for i := range 6 {
			all = append(all, fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"`+c.name+`","namespace":"default","uid":"u","annotations":{"setplan.io/claim-templates":"#%s\\nx: {}"}}}`, i, strings.Repeat("x", c.size)))
		}
		got, err := read(&setplanv1.Objects{Name: "web"}, owner, `{"apiVersion":"v1","kind":"List","items":[`+strings.Join(all, ",")+`]}`)
		if err != nil {
			t.Error(err)
		} else if strings.ReplaceAll(fmt.Sprint(got.GetClaimNeighbours()), "  ", " ") != c.want { // the printer adds spaces at random
			t.Errorf("%s, %d bytes: %v", c.name, c.size, got.GetClaimNeighbours())
		}
	}
}

// FuzzRead: whatever is sent becomes a snapshot or an error with a place, the same each time.
func FuzzRead(f *testing.F) {
	f.Add([]byte(set), []byte(pod("web-0", "")), []byte(editedSet))
	f.Add([]byte(`{"apiVersion":"v1","kind":"List","items":[`+set+`]}`), []byte(`{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"web-0"}}]}`), []byte(nil))
	f.Fuzz(func(t *testing.T, one, two, edited []byte) {
		in := &setplanv1.Objects{Name: "web", Documents: [][]byte{one, two}, EditedSet: edited}
		got, err := Read(in, Limits{MaxElements: 1000})
		again, err2 := Read(in, Limits{MaxElements: 1000})
		wrong := new(Error)
		switch {
		case err != nil && (!errors.As(err, &wrong) || !strings.HasPrefix(wrong.Field, "objects.") || err2 == nil || err2.Error() != err.Error()):
			t.Fatalf("%v, and then %v", err, err2)
		case err == nil && cmp.Diff(got.Snapshot, again.Snapshot, protocmp.Transform()) != "":
			t.Fatal("the same documents give two snapshots")
		}
	})
}
