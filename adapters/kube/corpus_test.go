package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/adapters"
)

// TestSnapshotOfCorpus reads what every version of Kubernetes serves. It sends the bytes that the engine's test of the
// take-over corpus starts from: the template with sorted keys and exact integers, and the revision's data unchanged.
func TestSnapshotOfCorpus(t *testing.T) {
	paths, err := filepath.Glob("../../engine/testdata/corpus/*/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file corpusFile
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		file.check(t, path, file.Set)
		for _, form := range file.Later {
			file.check(t, path, form.Set)
		}
	}
}

type corpusFile struct {
	RevisionName, Data string
	Set                json.RawMessage
	Revision           appsv1.ControllerRevision
	Pods               []corev1.Pod
	Later              []struct{ Set json.RawMessage }
}

func (f *corpusFile) check(t *testing.T, path string, form json.RawMessage) {
	t.Helper()
	set := setOf(t, string(form))
	crowd := &crowdOfSets{sets: []*unstructured.Unstructured{set}, revisions: []*appsv1.ControllerRevision{&f.Revision}}
	for i := range f.Pods {
		crowd.pods = append(crowd.pods, &f.Pods[i])
	}
	source := NewSource(StatefulSets(), filledCaches(t, crowd.all()...), nil, time.Now)
	got, err := source.Snapshot(context.Background(), adapters.Key{Namespace: set.GetNamespace(), Name: set.GetName()})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if diff := fromBuilt(t, crowd, set, got); diff != "" {
		t.Errorf("%s (-built +cached):\n%s", path, diff)
	}
	if want := templateText(t, form); !bytes.Equal(got.GetSet().GetPodTemplate(), want) {
		t.Errorf("%s: the template is\n%s\nwant\n%s", path, got.GetSet().GetPodTemplate(), want)
	}
	if len(got.GetRevisions()) != 1 || string(got.GetRevisions()[0].GetData()) != f.Data {
		t.Errorf("%s: the revisions are %v, want one with\n%s", path, got.GetRevisions(), f.Data)
	}
	if len(got.GetPods()) != len(f.Pods) {
		t.Errorf("%s: %d pods, want %d", path, len(got.GetPods()), len(f.Pods))
	}
	for _, pod := range got.GetPods() {
		if revision := got.GetTables().GetRevisionNames()[pod.GetRevisionNameIndex()]; revision != f.RevisionName || !pod.GetPodNameLabel() || !pod.GetReady() {
			t.Errorf("%s: %v of revision %s", path, pod, revision)
		}
	}
}

// templateText is the set's template with sorted keys and unchanged numbers.
func templateText(t *testing.T, set json.RawMessage) []byte {
	t.Helper()
	var parts struct {
		Spec struct{ Template json.RawMessage }
	}
	if err := json.Unmarshal(set, &parts); err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(parts.Spec.Template))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
