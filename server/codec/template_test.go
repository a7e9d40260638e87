package codec

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	ourTemplate      = "setplan.io/drain-pod-template"
	seedTemplate     = "statefulsets.kubernetes.io/drainer-pod-template"
	originalTemplate = "statefulsets.kubernetes.io/scaledown-pod-template"
)

// TestDocuments: what the engine gets for the templates in a set's annotations.
func TestDocuments(t *testing.T) {
	yaml := func(name, text string) map[string]model.Document {
		return map[string]model.Document{name: {JSON: []byte(text)}}
	}
	for reason, row := range map[string]struct {
		annotations map[string]string
		policy      *setplanv1.Policy
		want        map[string]model.Document
	}{
		"none":                              {map[string]string{"a": "b"}, nil, nil},
		"empty":                             {map[string]string{ourTemplate: " \n"}, nil, nil},
		"JSON stays as it is, numbers too":  {map[string]string{ourTemplate: `{"spec":{"x":1.0}}`}, nil, nil},
		"YAML becomes JSON":                 {map[string]string{ourTemplate: "spec:\n  x: 1\n"}, nil, yaml(ourTemplate, `{"spec":{"x":1}}`)},
		"under the name of the article":     {map[string]string{seedTemplate: "x: 1"}, nil, yaml(seedTemplate, `{"x":1}`)},
		"under the name of the controller":  {map[string]string{originalTemplate: "x: 1"}, nil, yaml(originalTemplate, `{"x":1}`)},
		"only of the one that counts":       {map[string]string{ourTemplate: "x: 1", seedTemplate: "x: 2"}, nil, yaml(ourTemplate, `{"x":1}`)},
		"and that may be JSON":              {map[string]string{ourTemplate: "{}", seedTemplate: "x: 2"}, nil, nil},
		"not what the caller takes over":    {map[string]string{ourTemplate: "x: 1"}, drainPolicy([]byte("{}")), nil},
		"not either where he wants nothing": {map[string]string{ourTemplate: "x: 1"}, drainPolicy([]byte{}), nil},
		"another policy takes nothing over": {map[string]string{ourTemplate: "x: 1"}, drainPolicy(nil), yaml(ourTemplate, `{"x":1}`)},
		"nothing else is a document":        {map[string]string{"setplan.io/repair": "x: 1", "a": "x: 1"}, nil, nil},
		"what is neither": {map[string]string{ourTemplate: "{spec: [}"}, nil,
			map[string]model.Document{ourTemplate: {Problem: "line 1: did not find expected node content"}}},
	} {
		if diff := cmp.Diff(row.want, documentsOf(t, row.annotations, row.policy)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reason, diff)
		}
	}
}

// TestTemplateProblem: a short text says why a template is refused, however long the template is.
func TestTemplateProblem(t *testing.T) {
	bomb := "x: &a " + strings.Repeat("x", 8<<10) + "\ny: [" + strings.Repeat("*a,", 8<<10) + "*a]"
	for text, want := range map[string]string{
		`{"spec":1}`:                 "",
		"spec: 1":                    "",
		bomb:                         "line 1: it has the anchor &a; anchors are not supported",
		strings.Repeat(bomb, 7):      "it has 229474 bytes, but YAML may have at most 65536; JSON may have more",
		"a: [":                       "line 1: did not find expected node content",
		"{" + strings.Repeat("*", 9): "did not find expected alphabetic or numeric character",
	} {
		if got := documentsOf(t, map[string]string{ourTemplate: text}, nil)[ourTemplate].Problem; got != want {
			t.Errorf("%.40q: got %q, want %q", text, got, want)
		}
	}
}

func drainPolicy(template []byte) *setplanv1.Policy {
	return &setplanv1.Policy{Drain: &setplanv1.DrainPolicy{PodTemplate: template, Ask: proto.Bool(true)}}
}

func documentsOf(t *testing.T, annotations map[string]string, policy *setplanv1.Policy) map[string]model.Document {
	t.Helper()
	in := request()
	in.Snapshot.Set.Annotations, in.Snapshot.Policy = annotations, policy
	out, err := Decode(in, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return out.Documents
}
