package main

import (
	"bytes"
	"encoding/json"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// fixture is one file of the corpus. What is JSON in it stands there byte for byte as the version wrote it.
type fixture struct {
	Version  string            `json:"version"` // of k8s.io/api
	Name     string            `json:"revisionName"`
	Hash     string            `json:"hash"`
	Data     string            `json:"data"` // of the revision; a string, since its bytes count
	Set      json.RawMessage   `json:"set"`
	Revision json.RawMessage   `json:"revision"`
	Pods     []json.RawMessage `json:"pods"`
	Later    []laterForm       `json:"later,omitempty"`
}

// laterForm is the same set as later versions serve it; versions that write the same bytes share one.
type laterForm struct {
	Versions []string        `json:"versions"`
	Set      json.RawMessage `json:"set"`
}

func newFixture(version string, manifest []byte) (*fixture, error) {
	set, err := decodeSet(manifest)
	if err != nil {
		return nil, err
	}
	setDefaults(set)
	revision, hash, err := newRevision(set)
	if err != nil {
		return nil, err
	}
	f := &fixture{Version: version, Name: revision.Name, Hash: hash, Data: string(revision.Data.Raw)}
	for ordinal := 0; ordinal < int(*set.Spec.Replicas); ordinal++ {
		pod, err := encode(newPod(set, ordinal, revision.Name))
		if err != nil {
			return nil, err
		}
		f.Pods = append(f.Pods, pod)
	}
	if f.Revision, err = encode(revision); err != nil {
		return nil, err
	}
	set.Status.CurrentRevision, set.Status.UpdateRevision = revision.Name, revision.Name
	f.Set, err = encode(set)
	return f, err
}

func (f *fixture) servedBy(version string, set []byte) {
	for i := range f.Later {
		if bytes.Equal(f.Later[i].Set, set) {
			f.Later[i].Versions = append(f.Later[i].Versions, version)
			return
		}
	}
	f.Later = append(f.Later, laterForm{Versions: []string{version}, Set: set})
}

func readFixture(file string) (*fixture, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f := &fixture{}
	return f, json.Unmarshal(text, f)
}

// write leaves the bytes of nested JSON as they are: Encode writes what is compact and escaped already as it stands.
func (f *fixture) write(file string) error {
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(f); err != nil {
		return err
	}
	return os.WriteFile(file, text.Bytes(), 0o644)
}

func decodeSet(text []byte) (*appsv1.StatefulSet, error) {
	set := &appsv1.StatefulSet{}
	if err := runtime.DecodeInto(codec, text, set); err != nil {
		return nil, err
	}
	set.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"}
	return set, nil
}

// encode is how an API server of this version writes an object.
func encode(object runtime.Object) ([]byte, error) {
	text, err := runtime.Encode(codec, object)
	return bytes.TrimSpace(text), err
}

// codec is the one that upstream's controller makes its revisions with, without the conversions of k8s.io/kubernetes:
// they change nothing between apps/v1 and apps/v1.
var codec = func() runtime.Codec {
	scheme := runtime.NewScheme()
	utilruntime.Must(addToScheme(scheme))
	return serializer.NewCodecFactory(scheme).LegacyCodec(appsv1.SchemeGroupVersion, podVersion)
}()
