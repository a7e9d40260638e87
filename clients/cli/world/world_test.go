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
)

func readText(t *testing.T, text string) *World {
	t.Helper()
	w, err := ReadFile(Stdin, strings.NewReader(text))
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

// TestCompleteness: a kind without objects is only taken for absent where nothing in the file speaks of some.
func TestCompleteness(t *testing.T) {
	tests := map[string]struct {
		text                    string
		pods, claims, revisions bool
		note                    string
	}{
		"a new set":    {set, true, true, true, ""},
		"pods":         {set + "status: {replicas: 2}", false, true, true, "the status of web counts 2"},
		"revisions":    {set + "status: {currentRevision: web-1}", true, true, false, "the status of web names web-1"},
		"claims":       {set + "---\n{kind: Pod, apiVersion: v1, metadata: {name: web-0, uid: p}, spec: {volumes: [{name: d, persistentVolumeClaim: {claimName: d-web-0}}]}}", true, false, true, "pod web-0 uses d-web-0"},
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

// TestIncompleteFile: the planner is told what is not complete.
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

// TestRevisionData: the layout of the file does not show in what the planner gets.
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

// TestLists: items of a typed list need not say their kind.
func TestLists(t *testing.T) {
	w := readText(t, `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"web-0","uid":"p"}},{"metadata":{"name":"web-1","uid":"q"}}]}`)
	if len(w.Pods.Items) != 2 || w.Pods.Items[1].Name != "web-1" {
		t.Errorf("%v", w.Pods.Items)
	}
}

// TestEventsOf: only events about this very object, the newest first, whichever field its recorder writes the time to.
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
