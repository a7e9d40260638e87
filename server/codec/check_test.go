package codec

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// fieldPath is the path from the request to a field of the contract.
type fieldPath []protoreflect.FieldDescriptor

// String is the path as violations have it: the first list in it has an index.
func (p fieldPath) String() string {
	var parts []string
	listed := false
	for i, field := range p {
		name := string(field.Name())
		if field.Cardinality() == protoreflect.Repeated && !listed {
			listed = true
			name += "[0]"
		}
		if i > 0 && p[i-1].IsMap() {
			name = string(field.Name()) // of the entry
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, ".")
}

// requestPaths lists every field of the contract that a request can have.
func requestPaths() (paths []fieldPath) {
	var walk func(m protoreflect.MessageDescriptor, way fieldPath)
	walk = func(m protoreflect.MessageDescriptor, way fieldPath) {
		for i := range m.Fields().Len() {
			path := append(slices.Clone(way), m.Fields().Get(i))
			paths = append(paths, path)
			if m := m.Fields().Get(i).Message(); m != nil {
				walk(m, path)
			}
		}
	}
	walk(requestDescriptor, nil)
	return paths
}

// encodeAt encodes a request with the field n times, each time with these bytes.
func (p fieldPath) encodeAt(n int, value []byte) []byte {
	last := p[len(p)-1]
	data := make([]byte, 0, n*(len(value)+4))
	for range n {
		data = appendBytes(data, last, value)
	}
	for _, field := range slices.Backward(p[:len(p)-1]) {
		data = appendBytes(nil, field, data)
	}
	return data
}

func (p fieldPath) last() protoreflect.FieldDescriptor { return p[len(p)-1] }

// TestEveryFieldIsBounded overfills every field of the contract, and a new one from its first day.
func TestEveryFieldIsBounded(t *testing.T) {
	limits := Limits{MaxPods: 100, MaxClaims: 500, MaxElements: 2000}
	tried := 0
	for _, path := range requestPaths() {
		field := path.last()
		holdsBytes := field.Kind() == protoreflect.StringKind || field.Kind() == protoreflect.BytesKind
		if field.IsPacked() {
			tried++
			wantRefusal(t, path, "too many numbers", Check(path.encodeAt(1, make([]byte, maxRevisions+1)), limits))
			one := protowire.AppendVarint(protowire.AppendTag(nil, field.Number(), protowire.VarintType), 1)
			if len(path) == 1 { // otherwise it would be in a message that encodeAt makes
				wantRefusal(t, path, "too many numbers, one by one", Check(bytes.Repeat(one, maxRevisions+1), limits))
			}
		}
		if field.Cardinality() == protoreflect.Repeated && !field.IsPacked() {
			tried++
			err := Check(path.encodeAt(maxRevisions+1, nil), limits)
			wantRefusal(t, path, "too many elements", err)
		}
		if holdsBytes && path.String() != "objects.documents[0]" { // a document is as long as its message may be
			tried++
			long := maxDocument + 1
			if _, declared := bounds[field.FullName()]; !declared && field.Kind() == protoreflect.StringKind {
				long = maxText + 1
			}
			wantRefusal(t, path, "too many bytes", Check(path.encodeAt(1, make([]byte, long)), limits))
		}
	}
	if tried < 80 {
		t.Errorf("only %d fields were tried", tried)
	}
}

func wantRefusal(t *testing.T, path fieldPath, why string, err error) {
	t.Helper()
	var invalid *InvalidError
	var pods *TooManyPodsError
	switch {
	case errors.As(err, &pods):
		if path.String() != "snapshot.pods[0]" {
			t.Errorf("%s: %s: %v", path, why, err)
		}
	case errors.As(err, &invalid):
		plain := func(path string) string { // the index is that of the first element beyond the bound
			for {
				from, to := strings.IndexByte(path, '['), strings.IndexByte(path, ']')
				if from < 0 {
					return path
				}
				path = path[:from] + path[to+1:]
			}
		}
		want := plain(path.String())
		if got := plain(invalid.Violations[0].Field); got != want && !strings.HasPrefix(want, got+".") {
			t.Errorf("%s: %s: refused at %s", path, why, got)
		}
	default:
		t.Errorf("%s: %s: %v", path, why, err)
	}
}

// TestBounds: a field at its bound passes, one more does not, and the violation names the field.
func TestBounds(t *testing.T) {
	limits := Limits{MaxPods: 10, MaxClaims: 50, MaxElements: 200}
	text := func(n int) string { return strings.Repeat("x", n) }
	for _, test := range []struct {
		field       string
		most        int
		description string
		change      func(s *setplanv1.Snapshot, n int)
	}{
		{"snapshot.set.name", 253, "has 254 bytes; the limit is 253", func(s *setplanv1.Snapshot, n int) { s.Set.Name = text(n) }},
		{"snapshot.set.kind", 63, "has 64 bytes; the limit is 63", func(s *setplanv1.Snapshot, n int) { s.Set.Kind = text(n) }},
		{"snapshot.set.pod_template", 3 << 20, "has 3145729 bytes; the limit is 3145728",
			func(s *setplanv1.Snapshot, n int) { s.Set.PodTemplate = make([]byte, n) }},
		{"snapshot.set.claim_templates", 3 << 20, "more than 3145728 bytes in total",
			func(s *setplanv1.Snapshot, n int) {
				s.Set.ClaimTemplates = [][]byte{make([]byte, n/2), make([]byte, n-n/2)}
			}},
		{"snapshot.set.annotations", 512<<10 - 6, "more than 524288 bytes in total", // a tag and a length for each
			func(s *setplanv1.Snapshot, n int) { s.Set.Annotations = map[string]string{"k": text(n - 1)} }},
		{"snapshot.tables.annotation_sets[1].annotations", 512<<10 - 6, "more than 524288 bytes in total", // of each set, and not of both
			func(s *setplanv1.Snapshot, n int) {
				of := func(n int) *setplanv1.AnnotationSet {
					return &setplanv1.AnnotationSet{Annotations: map[string]string{"k": text(n - 1)}}
				}
				s.Tables.AnnotationSets = []*setplanv1.AnnotationSet{of(512<<10 - 6), of(n)}
			}},
		{"snapshot.set.selector.match_labels[0].key", 317, "has 318 bytes; the limit is 317",
			func(s *setplanv1.Snapshot, n int) { s.Set.Selector.MatchLabels = map[string]string{text(n): ""} }},
		{"snapshot.set.selector.match_expressions[0].values", 63, "has 64 bytes; the limit is 63",
			func(s *setplanv1.Snapshot, n int) { s.Set.Selector.MatchExpressions[0].Values[1] = text(n) }},
		{"snapshot.pods[1].name", 253, "has 254 bytes; the limit is 253", func(s *setplanv1.Snapshot, n int) { s.Pods[1].Name = text(n) }},
		{"snapshot.pods[0].containers.init_containers.name", 253, "has 254 bytes; the limit is 253", func(s *setplanv1.Snapshot, n int) { s.Pods[0].Containers.InitContainers[0].Name = text(n) }},
		{"snapshot.pods[0].containers.resize_pending.message", 1024, "has 1025 bytes; the limit is 1024", func(s *setplanv1.Snapshot, n int) { s.Pods[0].Containers.ResizePending.Message = text(n) }},
		{"snapshot.pods[0].containers.containers.resources.limits.value", 253, "has 254 bytes; the limit is 253",
			func(s *setplanv1.Snapshot, n int) {
				s.Pods[0].Containers.Containers[0].Resources.Limits["memory"] = text(n)
			}},
		{"snapshot.tables.label_sets[1].labels.value", 63, "has 64 bytes; the limit is 63",
			func(s *setplanv1.Snapshot, n int) { s.Tables.LabelSets[1].Labels["app"] = text(n) }},
		{"snapshot.outcomes[0].action_id", 1024, "has 1025 bytes; the limit is 1024",
			func(s *setplanv1.Snapshot, n int) { s.Outcomes = []*setplanv1.Outcome{{ActionId: text(n)}} }},
		{"snapshot.tables.volume_sets[1].volumes", 253, "has 254 bytes; the limit is 253",
			func(s *setplanv1.Snapshot, n int) { s.Tables.VolumeSets[1].Volumes = []string{text(n)} }},
		{"snapshot.claims[50]", 50, "more than 50 of them in one request",
			func(s *setplanv1.Snapshot, n int) { s.Claims = make([]*setplanv1.Claim, n) }},
		{"snapshot.tables.owner_sets[1].owners", 62_914, "more than 62914 of them in one list",
			func(s *setplanv1.Snapshot, n int) {
				all := func(n int) *setplanv1.OwnerSet {
					return &setplanv1.OwnerSet{Owners: slices.Repeat([]*setplanv1.OwnerReference{{}}, n)}
				}
				s.Tables.OwnerSets = []*setplanv1.OwnerSet{all(62_914), all(n)}
			}},
		{"snapshot.set.status.conditions[104857]", 104_857, "more than 104857 of them in one request",
			func(s *setplanv1.Snapshot, n int) {
				s.Set.Status.Conditions = slices.Repeat([]*setplanv1.Condition{{}}, n)
			}},
		{"snapshot.revisions[10000]", 10_000, "more than 10000 of them in one request",
			func(s *setplanv1.Snapshot, n int) { s.Revisions = make([]*setplanv1.Revision, n) }},
	} {
		checked := func(n int) error {
			r := request()
			test.change(r.Snapshot, n)
			data, err := proto.MarshalOptions{Deterministic: true}.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			most := limits
			if n > 1000 {
				most.MaxPods, most.MaxElements = 20_000, MaxElements
			}
			return Check(data, most)
		}
		if err := checked(test.most); err != nil {
			t.Errorf("%s: %d are refused: %v", test.field, test.most, err)
		}
		if got, want := fmt.Sprint(checked(test.most+1)), "malformed request: "+test.field+": "+test.description; got != want {
			t.Errorf("%s: %d: got %q, want %q", test.field, test.most+1, got, want)
		}
	}
}

// TestAnnotationsOfKubernetesPass: all annotations that an API server accepts on an object are within the bounds, one long one as
// well as very many.
func TestAnnotationsOfKubernetesPass(t *testing.T) {
	const most = 256 << 10 // of keys and values, as ValidateAnnotations counts them
	many := map[string]string{}
	for size := 0; ; {
		key := "setplan.io/" + strconv.FormatInt(int64(len(many)), 36)
		if size += len(key); size > most {
			break
		}
		many[key] = ""
	}
	for reason, annotations := range map[string]map[string]string{
		"one":  {"setplan.io/k": strings.Repeat("x", most-len("setplan.io/k"))},
		"many": many,
	} {
		r := request()
		r.Snapshot.Tables.AnnotationSets = append(r.Snapshot.Tables.AnnotationSets, &setplanv1.AnnotationSet{Annotations: annotations})
		data, err := proto.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := Check(data, Limits{MaxPods: 10, MaxElements: MaxElements}); err != nil {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

// TestElementsAreBounded: lists that are short one by one may be too long together.
func TestElementsAreBounded(t *testing.T) {
	r := request()
	r.Snapshot.Tables.LabelSets = make([]*setplanv1.LabelSet, 100)
	r.Snapshot.Tables.OwnerSets = make([]*setplanv1.OwnerSet, 100)
	data, err := proto.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(data, Limits{MaxPods: 20, MaxElements: 400}); err != nil {
		t.Error(err)
	}
	err = Check(data, Limits{MaxPods: 10, MaxElements: 200})
	if want := "more than 200 elements of lists and maps in one request"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// plenty are limits that no request of these tests reaches.
var plenty = Limits{MaxPods: 20_000, MaxClaims: MaxClaims, MaxElements: MaxElements}

// TestCheckMakesNothing: the walk allocates nothing, because it decides whether memory may be spent.
func TestCheckMakesNothing(t *testing.T) {
	data, err := proto.Marshal(request())
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if err := Check(data, plenty); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestCheckRefusesMalformed cuts a request off at every byte: Check refuses what protobuf refuses, because the code that reads the
// request next is less strict.
func TestCheckRefusesMalformed(t *testing.T) {
	data, err := proto.Marshal(request())
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for n := range data {
		err := Check(data[:n], plenty)
		if whole := proto.Unmarshal(data[:n], &setplanv1.PlanRequest{}); (err == nil) != (whole == nil) {
			t.Fatalf("the first %d bytes: %v; protobuf says %v", n, err, whole)
		}
		if invalid := new(*InvalidError); errors.As(err, invalid) && (*invalid).Violations[0].Field != "" {
			refused++
		}
	}
	if refused < len(data)/2 {
		t.Errorf("%d of %d refused by a path", refused, len(data))
	}
}

func BenchmarkCheck(b *testing.B) {
	r := request()
	for i := range 10_000 {
		p := proto.CloneOf(r.Snapshot.Pods[1])
		p.Name, p.Uid = fmt.Sprint("web-", 7+i), fmt.Sprintf("%036d", i)
		r.Snapshot.Pods = append(r.Snapshot.Pods, p)
	}
	data, err := proto.Marshal(r)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			if err := Check(data, plenty); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("unmarshal", func(b *testing.B) {
		for b.Loop() {
			if err := proto.Unmarshal(data, &setplanv1.PlanRequest{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func appendBytes(to []byte, field protoreflect.FieldDescriptor, value []byte) []byte {
	to = protowire.AppendTag(to, field.Number(), protowire.BytesType)
	return protowire.AppendBytes(to, value)
}
