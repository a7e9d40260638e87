package verify

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestPolicy: what the set's annotations say, and what the caller says instead.
func TestPolicy(t *testing.T) {
	const ours, seed, original = "setplan.io/drain-pod-template", "statefulsets.kubernetes.io/drainer-pod-template", "statefulsets.kubernetes.io/scaledown-pod-template"
	type notes = map[string]string
	type typed = setplanv1.DrainPolicy
	for reason, row := range map[string]struct {
		notes notes
		typed *typed
		want  policy // the template as JSON
	}{
		"nothing":                            {nil, nil, policy{}},
		"JSON, untouched":                    {notes{ours: ` {"x":1.0} `}, nil, policy{template: []byte(`{"x":1.0}`)}},
		"YAML":                               {notes{ours: "x: 1\n"}, nil, policy{template: []byte(`{"x":1}`)}},
		"neither":                            {notes{ours: "{x: [}"}, nil, policy{template: []byte("{x: [}")}},
		"too long to be converted":           {notes{ours: "x: 1\n" + strings.Repeat("# \n", 30<<10) + "y: 1"}, nil, policy{template: []byte("x: 1\n" + strings.Repeat("# \n", 30<<10) + "y: 1")}},
		"blank":                              {notes{ours: " \n"}, nil, policy{}},
		"the article's name":                 {notes{seed: "{}"}, nil, policy{template: []byte("{}")}},
		"the controller's name":              {notes{original: "{}"}, nil, policy{template: []byte("{}")}},
		"ours before theirs":                 {notes{ours: `{"a":1}`, seed: "{}", original: "{}"}, nil, policy{template: []byte(`{"a":1}`)}},
		"one that is blank counts for none":  {notes{ours: " ", seed: "{}"}, nil, policy{template: []byte("{}")}},
		"the caller's in place of it":        {notes{ours: "{}"}, &typed{PodTemplate: []byte("x: 1")}, policy{template: []byte("x: 1")}},
		"the caller wants none":              {notes{ours: "{}"}, &typed{PodTemplate: []byte{}}, policy{}},
		"the caller says something else":     {notes{ours: "{}"}, &typed{OnDelete: proto.Bool(true)}, policy{template: []byte("{}"), onDelete: true}},
		"on-delete, leftovers":               {notes{"setplan.io/drain-on-delete": "true", "setplan.io/drain-leftovers": "true"}, nil, policy{onDelete: true, leftovers: true}},
		"odd values of them":                 {notes{"setplan.io/drain-on-delete": "yes", "setplan.io/drain-leftovers": "True"}, nil, policy{}},
		"the caller's no":                    {notes{"setplan.io/drain-on-delete": "true", "setplan.io/drain-leftovers": "true"}, &typed{OnDelete: new(bool), Leftovers: new(bool)}, policy{}},
		"proof":                              {notes{"setplan.io/drain-proof": "Token"}, nil, policy{proves: true}},
		"a proof that means nothing":         {notes{"setplan.io/drain-proof": "odd"}, nil, policy{proves: true}},
		"the caller is content with success": {notes{"setplan.io/drain-proof": "Token"}, &typed{Proof: setplanv1.DrainProof_DRAIN_PROOF_SUCCESS}, policy{}},
		"the caller wants a token":           {nil, &typed{Proof: setplanv1.DrainProof_DRAIN_PROOF_TOKEN}, policy{proves: true}},
	} {
		v := Against(&setplanv1.Snapshot{Set: &setplanv1.StatefulSet{Annotations: row.notes}, Policy: &setplanv1.Policy{Drain: row.typed}})
		if v.draining() != (len(row.want.template) > 0) {
			t.Errorf("%s: draining is %t", reason, v.draining())
		}
		got := v.policy()
		if string(got.template) != string(row.want.template) || got.onDelete != row.want.onDelete || got.leftovers != row.want.leftovers || got.proves != row.want.proves {
			t.Errorf("%s: %.100q, %+v", reason, got.template, got)
		}
	}
}

// TestDrainPodOfAnnotation: a drain pod is checked against the annotation's template, also in YAML.
func TestDrainPodOfAnnotation(t *testing.T) {
	const yaml = "metadata: {labels: {job: drain}}\nspec:\n  serviceAccountName: drainer\n  containers: [{name: drain, image: \"drain:1\"}]\n"
	for template, passes := range map[string]bool{drainTemplate: true, yaml: true, strings.ReplaceAll(yaml, "drain:1", "other:1"): false} {
		s := truths["create_pod for a drain"]()
		changed(func(s *setplanv1.Snapshot) {
			s.Policy, s.Set.Annotations["setplan.io/drain-pod-template"] = nil, template
		})(s)
		if err := s.verdict(list); (err == nil) != passes {
			t.Errorf("%s: %v", template, err)
		}
	}
}
