package engine

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// corpusFile is one set as one version of Kubernetes serves it; corpus/README.md says how it is made.
type corpusFile struct {
	Version      string
	RevisionName string
	Hash, Data   string
	Set          json.RawMessage
	Revision     json.RawMessage
	Pods         []json.RawMessage
	Later        []corpusForm

	path string
}

// corpusForm is the set as other versions serve it.
type corpusForm struct {
	Versions []string
	Set      json.RawMessage
}

func readCorpus(t *testing.T) []*corpusFile {
	t.Helper()
	paths, err := filepath.Glob("testdata/corpus/*/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	var files []*corpusFile
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := &corpusFile{path: path}
		mustUnmarshal(t, text, f)
		files = append(files, f)
	}
	return files
}

// forms are all encodings of the stored set, its own version's first.
func (f *corpusFile) forms() []corpusForm {
	return append([]corpusForm{{[]string{f.Version}, f.Set}}, f.Later...)
}

type corpusMeta struct {
	Name, Namespace, UID, ResourceVersion string
	Generation                            int64
	CreationTimestamp                     time.Time
	Labels, Annotations                   map[string]string
	OwnerReferences                       []model.Owner
}

type corpusSet struct {
	APIVersion, Kind string
	Metadata         corpusMeta
	Spec             struct {
		Replicas                             int32
		Selector                             model.Selector
		ServiceName                          string
		Template                             json.RawMessage
		VolumeClaimTemplates                 []json.RawMessage
		PodManagementPolicy                  string
		UpdateStrategy                       corpusStrategy
		MinReadySeconds                      int32
		RevisionHistoryLimit                 int32
		PersistentVolumeClaimRetentionPolicy struct{ WhenDeleted, WhenScaled string }
	}
	Status model.Status
}

type corpusStrategy struct {
	Type          string
	RollingUpdate *struct {
		Partition      int32
		MaxUnavailable string
	}
}

type corpusRevision struct {
	APIVersion, Kind string
	Metadata         corpusMeta
	Data             json.RawMessage
	Revision         int64
}

type corpusPod struct {
	Metadata corpusMeta
	Spec     struct{ Volumes []corpusVolume }
	Status   struct {
		Phase      string
		Conditions []struct {
			Type, Status       string
			LastTransitionTime time.Time
		}
	}
}

type corpusVolume struct {
	Name                  string
	PersistentVolumeClaim *struct{ ClaimName string }
}

// snapshot is what an adapter reads of the file's set in one form: its own revision, its pods and their claims.
func (f *corpusFile) snapshot(t *testing.T, form json.RawMessage, rules model.Rules) *model.Snapshot {
	t.Helper()
	s := &model.Snapshot{ObservedAt: noon, Coverage: model.Coverage{Pods: true, Claims: true, Revisions: true}, Rules: rules, Capabilities: model.AllCapabilities}
	s.Set = decodeCorpusSet(t, form)
	var r corpusRevision
	mustUnmarshal(t, f.Revision, &r)
	s.Revisions = []model.Revision{{Name: r.Metadata.Name, UID: r.Metadata.UID, ResourceVersion: r.Metadata.ResourceVersion,
		Number: r.Revision, Owners: r.Metadata.OwnerReferences, Labels: r.Metadata.Labels,
		CreatedAt: r.Metadata.CreationTimestamp, Data: r.Data}}
	for _, text := range f.Pods {
		var p corpusPod
		mustUnmarshal(t, text, &p)
		s.Pods = append(s.Pods, p.seen())
		for _, v := range p.Spec.Volumes {
			if v.PersistentVolumeClaim != nil {
				name := v.PersistentVolumeClaim.ClaimName
				s.Claims = append(s.Claims, model.Claim{Name: name, UID: "uid-" + name, ResourceVersion: "1", Phase: model.ClaimBound})
			}
		}
	}
	return s
}

func decodeCorpusSet(t *testing.T, form json.RawMessage) model.Set {
	t.Helper()
	var in corpusSet
	mustUnmarshal(t, form, &in)
	out := model.Set{Object: model.Object{APIVersion: in.APIVersion, Kind: in.Kind, Namespace: in.Metadata.Namespace, Name: in.Metadata.Name,
		UID: in.Metadata.UID, Generation: in.Metadata.Generation, ResourceVersion: in.Metadata.ResourceVersion,
		Annotations: in.Metadata.Annotations}, Spec: model.Spec{Replicas: in.Spec.Replicas, Selector: in.Spec.Selector,
		ServiceName: in.Spec.ServiceName, PodManagementPolicy: in.Spec.PodManagementPolicy,
		StrategyType: in.Spec.UpdateStrategy.Type, MinReadySeconds: in.Spec.MinReadySeconds,
		RevisionHistoryLimit: in.Spec.RevisionHistoryLimit, WhenDeleted: in.Spec.PersistentVolumeClaimRetentionPolicy.WhenDeleted,
		WhenScaled: in.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled}, PodTemplate: in.Spec.Template, Status: in.Status}
	if rolling := in.Spec.UpdateStrategy.RollingUpdate; rolling != nil {
		out.RollingUpdate = &model.RollingUpdate{Partition: rolling.Partition}
		if rolling.MaxUnavailable != "" {
			out.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Percent: rolling.MaxUnavailable}
		}
	}
	for _, claim := range in.Spec.VolumeClaimTemplates {
		out.ClaimTemplates = append(out.ClaimTemplates, claim)
	}
	return out
}

func (p *corpusPod) seen() model.Pod {
	out := model.Pod{Name: p.Metadata.Name, UID: p.Metadata.UID, ResourceVersion: p.Metadata.ResourceVersion,
		CreatedAt: p.Metadata.CreationTimestamp, Owners: p.Metadata.OwnerReferences,
		Revision: p.Metadata.Labels[model.LabelRevision], PodNameLabel: p.Metadata.Labels[model.LabelPodName] == p.Metadata.Name,
		Labels: &model.Labels{Values: map[string]string{}}}
	for key, value := range p.Metadata.Labels {
		if key != model.LabelRevision && key != model.LabelPodName {
			out.Labels.Values[key] = value
		}
	}
	if p.Status.Phase == "Running" {
		out.Phase = model.PodRunning
	}
	for _, c := range p.Status.Conditions {
		if c.Type == "Ready" {
			out.Ready, out.ReadyChangedAt = c.Status == "True", c.LastTransitionTime
		}
	}
	for _, v := range p.Spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			out.Volumes = append(out.Volumes, v.Name)
		}
	}
	return out
}

// canonical is JSON as an adapter sends it after reading it into maps.
func canonical(t *testing.T, text []byte) []byte {
	t.Helper()
	out, err := json.Marshal(readTree(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func readTree(t *testing.T, text []byte) map[string]any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var tree map[string]any
	if err := decoder.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

func mustUnmarshal(t *testing.T, text []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
}
