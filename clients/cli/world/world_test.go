package world

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
)

func readText(t *testing.T, text string) *World {
	t.Helper()
	w, err := ReadFile(Stdin, strings.NewReader(text), kube.StatefulSets())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

const set = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: default, uid: s}
`

// TestCompleteness: a kind without objects only counts as absent if nothing in the file mentions such objects.
func TestCompleteness(t *testing.T) {
	tests := map[string]struct {
		text                    string
		pods, claims, revisions bool
		note                    string
	}{
		"a new set":    {set, true, true, true, ""},
		"pods":         {set + "status: {replicas: 2}", false, true, true, "the status of web counts 2; get them with: kubectl -n default get sts,pods,"},
		"revisions":    {set + "status: {currentRevision: web-1}", true, true, false, "the status of web names web-1"},
		"claims":       {set + "---\n{kind: Pod, apiVersion: v1, metadata: {name: web-0, uid: p}, spec: {volumes: [{name: d, persistentVolumeClaim: {claimName: d-web-0}}]}}", true, false, true, "pod web-0 uses d-web-0"},
		"all of none":  {set + "status: {replicas: 2}\n---\n{kind: PodList, apiVersion: v1, items: []}", true, true, true, ""},
		"a page":       {set + "---\n{kind: PodList, apiVersion: v1, metadata: {continue: x}, items: [{metadata: {name: web-0, uid: p}}]}", false, true, true, "only some of the pods"},
		"some are one": {set + "status: {replicas: 2}\n---\n{kind: Pod, apiVersion: v1, metadata: {name: web-0, uid: p}}", true, true, true, ""},
	}
	for name, test := range tests {
		w := readText(t, test.text)
		if w.Pods.Complete != test.pods || w.Claims.Complete != test.claims || w.Revisions.Complete != test.revisions {
			t.Errorf("%s: pods %v, claims %v, revisions %v", name, w.Pods.Complete, w.Claims.Complete, w.Revisions.Complete)
		}
		if notes := strings.Join(w.Notes, "\n"); (test.note == "") != (notes == "") || !strings.Contains(notes, test.note) {
			t.Errorf("%s: %q", name, notes)
		}
	}
}

// TestIncompleteFile: the planner is told what is incomplete.
func TestIncompleteFile(t *testing.T) {
	source, err := readText(t, set+"status: {replicas: 2}").Source(time.Unix(7, 0))
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := source.Snapshot(context.Background(), adapters.Key{Namespace: "default", Name: "web"})
	if err != nil || snapshot.GetCoverage().GetPods() || !snapshot.GetCoverage().GetClaims() || snapshot.GetObservedAt().GetSeconds() != 7 {
		t.Errorf("%v, %v", snapshot, err)
	}
}

// TestRevisionData: the file's layout does not change what the planner gets.
func TestRevisionData(t *testing.T) {
	const want = `{"a":12345678901234567,"b":"\u003cx\u003e"}`
	for _, text := range []string{
		"apiVersion: apps/v1\nkind: ControllerRevision\nmetadata: {name: web-1, uid: r}\ndata: {b: <x>, a: 12345678901234567}\nrevision: 1",
		"{\"apiVersion\":\"apps/v1\",\"kind\":\"ControllerRevision\",\n \"metadata\":{\"name\":\"web-1\",\"uid\":\"r\"},\n \"data\": {\n  \"b\": \"<x>\",\n  \"a\": 12345678901234567 }}",
	} {
		w := readText(t, text)
		if got := string(w.Revisions.Items[0].Data.Raw); got != want {
			t.Errorf("got %s", got)
		}
	}
}

// TestLists: items of a typed list need no kind.
func TestLists(t *testing.T) {
	w := readText(t, `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"web-0","uid":"p"}},{"metadata":{"name":"web-1","uid":"q"}}]}`)
	if len(w.Pods.Items) != 2 || w.Pods.Items[1].Name != "web-1" {
		t.Errorf("%v", w.Pods.Items)
	}
}

// TestSetsInLists: sets need no kind either, as in lists from the API; none of their fields is lost.
func TestSetsInLists(t *testing.T) {
	w := readText(t, `{"kind":"StatefulSetList","apiVersion":"apps/v1","items":[{"metadata":{"name":"web","uid":"s"},"spec":{"replicas":3}}]}`)
	if len(w.Sets.Items) != 1 || w.Sets.Items[0].GetAPIVersion() != "apps/v1" || w.Sets.Items[0].GetKind() != "StatefulSet" {
		t.Fatalf("%v, %v", w.Sets.Items, w.Notes)
	}
	if spec, ok := w.Sets.Items[0].Object["spec"].(map[string]any); !ok || spec["replicas"] != int64(3) {
		t.Errorf("%v", w.Sets.Items[0].Object)
	}
}

// TestOneMoment: an object that is twice in a file counts once. In two versions it is an error, because the file then has no single
// time.
func TestOneMoment(t *testing.T) {
	pod := func(version string) string {
		return "---\n{kind: Pod, apiVersion: v1, metadata: {name: web-0, namespace: default, uid: p, resourceVersion: '" + version + "'}}\n"
	}
	if w := readText(t, pod("1")+pod("1")); len(w.Pods.Items) != 1 {
		t.Errorf("%v", w.Pods.Items)
	}
	_, err := ReadFile(Stdin, strings.NewReader(pod("1")+pod("2")), kube.StatefulSets())
	if err == nil || !strings.Contains(err.Error(), `line 4: shows Pod "web-0" of namespace "default" a second time, in another version`) {
		t.Error(err)
	}
}

// TestBadText: errors name the line of the file, whatever comes before it, in words that are not Go's.
func TestBadText(t *testing.T) {
	const pod = "kind: Pod\napiVersion: v1\nmetadata: {name: web-0, uid: p}\n"
	for name, test := range map[string]struct{ text, want string }{
		"YAML":               {"a: 1\nb: [1, 2\nc: 3\n", "standard input: line 2: did not find expected ',' or ']'"},
		"second document":    {pod + "---\n# x\na: 1\nb: [1, 2\nc: 3\n", "standard input: line 7: did not find expected ',' or ']'"},
		"JSON":               {"{\"kind\": \"Pod\",\n \"a\" 1}", `standard input: line 2: invalid character '1' after object key`},
		"JSON after JSON":    {"{\"kind\": \"Pod\", \"metadata\": {\"uid\": \"p\"}}\n\n{\"a\" 1}", `standard input: line 3: invalid character '1' after object key`},
		"aliases":            {pod + "---\n# x\na: &b x\nc: [*b, *b]\n", "standard input: line 6: it has the anchor &b; anchors are not supported"},
		"half JSON":          {"{\"kind\":\n \"Pod\",\n", "standard input: line 2: the JSON is incomplete"},
		"half of a list":     {"apiVersion: v1\nitems:\n- kind: Pod\n", "is a list without a kind; kubectl writes the kind last, so it seems to be cut off"},
		"a sentence":         {pod + "---\nNo resources found.\n", "standard input: the document that begins on line 5: must be a Kubernetes object, and is a string"},
		"no metadata":        {pod + "---\nkind: Pod\nmetadata: 7\n", "line 5: metadata: must be an object, and is a number"},
		"another kind there": {"---\n" + pod + "---\n\n---\n" + strings.Replace(pod, "web-0", "web-1", 1) + "spec: 7\n", "line 8: Pod web-1: "},
	} {
		_, err := ReadFile(Stdin, strings.NewReader(test.text), kube.StatefulSets())
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// TestMixedDocuments: JSON beside YAML, a byte order mark at the beginning, and empty documents.
func TestMixedDocuments(t *testing.T) {
	w := readText(t, "\ufeff---\r\n# nothing\r\n---  # JSON\n"+
		`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a-0","uid":"1"}} {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a-1","uid":"2"}}`+
		"\n---\n{kind: Pod, apiVersion: v1, metadata: {name: a-2, uid: '3'}}\n---\nkind: Pod\nmetadata: {name: a-3, uid: '4', labels: {x: '---'}}\n")
	var names []string
	for _, pod := range w.Pods.Items {
		names = append(names, pod.Name)
	}
	if diff := cmp.Diff([]string{"a-0", "a-1", "a-2", "a-3"}, names); diff != "" {
		t.Error(diff)
	}
}

// TestEventsOfBothAPIs: an event of events.k8s.io is the same one under other names.
func TestEventsOfBothAPIs(t *testing.T) {
	w := readText(t, set+`---
{apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: e, namespace: default}, eventTime: "2026-01-31T11:00:00.000000Z", reason: FailedCreate, type: Warning, note: refused,
 regarding: {kind: StatefulSet, namespace: default, name: web, uid: s}, series: {count: 9, lastObservedTime: "2026-01-31T12:00:00.000000Z"}}`)
	events := w.EventsOf("StatefulSet", w.Sets.Items[0])
	if len(events) != 1 || events[0].Message != "refused" || events[0].Series.Count != 9 || LastSeen(&events[0]).UTC().Hour() != 12 {
		t.Errorf("%+v", events)
	}
}

// TestEventsOf: only events about this object, newest first, whichever field their recorders write the time to.
func TestEventsOf(t *testing.T) {
	event := func(reason, name, uid string, old, modern int64) corev1.Event {
		e := corev1.Event{Reason: reason, InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: name, UID: types.UID(uid)}}
		if old > 0 {
			e.LastTimestamp = metav1.Unix(old, 0)
		}
		if modern > 0 {
			e.EventTime = metav1.NewMicroTime(time.Unix(modern, 0))
		}
		return e
	}
	w := &World{Events: []corev1.Event{
		event("old", "web-0", "p", 1, 0), event("new", "web-0", "p", 0, 3), event("middle", "web-0", "", 2, 0),
		event("other pod", "web-1", "p", 9, 0), event("earlier pod", "web-0", "before", 9, 0),
	}}
	var got []string
	for _, e := range w.EventsOf("Pod", &metav1.ObjectMeta{Namespace: "default", Name: "web-0", UID: "p"}) {
		got = append(got, e.Reason)
	}
	if diff := cmp.Diff([]string{"new", "middle", "old"}, got); diff != "" {
		t.Error(diff)
	}
}
