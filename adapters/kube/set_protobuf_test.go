package kube

import (
	"encoding/json"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"
)

// TestProtobufSaysWhatJSONSays: the cache keeps the same of a stored set, to the byte, whether the API server sent it as
// protobuf or as JSON.
func TestProtobufSaysWhatJSONSays(t *testing.T) {
	for name, set := range corpusSets(t) {
		if !bothWaysAgree(t, set) {
			t.Fatalf("corpus: %s", name)
		}
	}
	fill := fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, oddSets, oddTexts), rand.NewSource(1), scheme.Codecs)
	for n := range 300 {
		set := &appsv1.StatefulSet{}
		fill.Fill(set)
		if !bothWaysAgree(t, set) {
			t.Fatalf("random set %d", n)
		}
	}
}

// TestUpstreamsOwnPair: k8s.io/api has a set with every field filled, as JSON and as protobuf.
func TestUpstreamsOwnPair(t *testing.T) {
	text, binary := upstreamsSet(t, "HEAD", "json"), upstreamsSet(t, "HEAD", "pb")
	set, err := decodeSet(binary)
	if err != nil {
		t.Fatal(err)
	}
	same := &appsv1.StatefulSet{}
	if err := json.Unmarshal(text, same); err != nil {
		t.Fatal(err)
	}
	sameLight(t, keptOf(t, setOf(t, string(served(t, same, runtime.ContentTypeJSON)))), keptOf(t, set))
}

// bothWaysAgree stores a set as an API server does, reads it back and serves it in both encodings.
func bothWaysAgree(t *testing.T, set *appsv1.StatefulSet) bool {
	t.Helper()
	stored := &appsv1.StatefulSet{}
	data, err := set.Marshal()
	if err == nil {
		err = stored.Unmarshal(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	read, err := decodeSet(served(t, stored, runtime.ContentTypeProtobuf))
	if err != nil {
		t.Fatal(err)
	}
	text := served(t, stored, runtime.ContentTypeJSON)
	want, got := keptOf(t, setOf(t, string(text))), keptOf(t, read)
	if !sameLight(t, want, got) {
		return false
	}
	// The next version, with a spec that the cache has seen; and then one with another spec.
	read.ResourceVersion, read.Status.Replicas = "next", read.Status.Replicas+1
	text = served(t, read, runtime.ContentTypeJSON)
	want = keptOf(t, setOf(t, string(text)))
	if !sameLight(t, want, lightAfter(t, read, got)) {
		return false
	}
	read.Spec.Template.Spec.Hostname += "x"
	text = served(t, read, runtime.ContentTypeJSON)
	return sameLight(t, keptOf(t, setOf(t, string(text))), lightAfter(t, read, got))
}

func keptOf(t *testing.T, object any) *cachedSet {
	t.Helper()
	light, err := lightSet(StatefulSets())(object)
	if err != nil {
		t.Fatal(err)
	}
	return light.(*cachedSet)
}

func lightAfter(t *testing.T, object any, last *cachedSet) *cachedSet {
	t.Helper()
	light, err := lightSetAfter(StatefulSets(), func(string, string) *cachedSet { return last })(object)
	if err != nil {
		t.Fatal(err)
	}
	return light.(*cachedSet)
}

func sameLight(t *testing.T, want, got *cachedSet) bool {
	t.Helper()
	same := want.unreadable == nil && got.unreadable == nil && reflect.DeepEqual(want.Object, got.Object) &&
		reflect.DeepEqual(want.claimNames, got.claimNames) && proto.Equal(want.message, got.message)
	if !same { // finding the difference takes long
		t.Errorf("(-JSON +protobuf)\n%s\n%s\n%s\nunreadable: %v, %v", cmp.Diff(want.Object, got.Object), cmp.Diff(want.claimNames, got.claimNames),
			cmp.Diff(want.message, got.message, protocmp.Transform()), want.unreadable, got.unreadable)
	}
	return same
}

// served is a set as the API server sends it. It gives each claim template a kind, which protobuf drops.
func served(t *testing.T, set *appsv1.StatefulSet, media string) []byte {
	t.Helper()
	set = set.DeepCopy()
	for i := range set.Spec.VolumeClaimTemplates {
		set.Spec.VolumeClaimTemplates[i].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}
	}
	return encoded(t, media, set)
}

// encoded is an object as the API server sends it.
func encoded(t *testing.T, media string, object runtime.Object) []byte {
	t.Helper()
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), media)
	versions := schema.GroupVersions{appsv1.SchemeGroupVersion, corev1.SchemeGroupVersion, storagev1.SchemeGroupVersion}
	data, err := runtime.Encode(scheme.Codecs.EncoderForVersion(info.Serializer, versions), object)
	if err != nil {
		t.Error(err)
	}
	return data
}

// decodeSet reads protobuf as the client for sets does.
func decodeSet(data []byte) (*appsv1.StatefulSet, error) {
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	object, err := runtime.Decode(wholeDecoder{info.Serializer, func() {}}, data)
	if err != nil {
		return nil, err
	}
	return object.(*appsv1.StatefulSet), nil
}

// corpusSets are the sets of the take-over corpus, as far as our types can hold them.
func corpusSets(t *testing.T) map[string]*appsv1.StatefulSet {
	t.Helper()
	paths, err := filepath.Glob("../../engine/testdata/corpus/*/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	sets := map[string]*appsv1.StatefulSet{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Set appsv1.StatefulSet }
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		sets[path] = &file.Set
	}
	return sets
}

// upstreamsSet is a set that k8s.io/api keeps of a version, to test that later versions can read it.
func upstreamsSet(t *testing.T, version, form string) []byte {
	t.Helper()
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api").Output()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "testdata", version, "apps.v1.StatefulSet."+form))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// oddSets fill fields that upstream's fillers leave plain, or would fill with values that no API server has.
func oddSets(serializer.CodecFactory) []any {
	return []any{
		func(q *quantity.Quantity, c randfill.Continue) {
			texts := []string{"0", "1Gi", "1024Mi", "1.5", "100m", "0.1", "1e3", "1E3", "12345678901234567", "3.3Ti", "-1"}
			*q = quantity.MustParse(texts[c.Intn(len(texts))])
		},
		func(v *intstr.IntOrString, c randfill.Continue) {
			*v = intstr.FromInt32(c.Int31())
			if c.Bool() {
				*v = intstr.FromString(c.String(0))
			}
		},
		func(e *metav1.ManagedFieldsEntry, c randfill.Continue) {
			c.FillNoCustom(e)
			e.FieldsV1 = nil
			if c.Bool() {
				e.FieldsV1 = metav1.NewFieldsV1(`{"f:status":{".":{},"f:replicas":{},"f:conditions":{"k:{\"type\":\"<x>\"}":{}}},"f:spec":{}}`)
			}
			if c.Bool() {
				e.Subresource = "status"
			}
		},
	}
}

// oddTexts are not always UTF-8.
func oddTexts(serializer.CodecFactory) []any {
	return []any{
		func(s *string, c randfill.Continue) {
			*s = c.String(0)
			if c.Intn(50) == 0 {
				*s += "<\xff\xfe>"
			}
		},
	}
}
