package adapters_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestDrainPolicy: what the annotations of a set make of the policy.
func TestDrainPolicy(t *testing.T) {
	const (
		ours     = adapters.AnnotationDrainTemplate
		seed     = "statefulsets.kubernetes.io/drainer-pod-template"
		original = "statefulsets.kubernetes.io/scaledown-pod-template"
	)
	for reason, row := range map[string]struct {
		notes map[string]string
		alone bool
		want  *setplanv1.Drain
	}{
		"no annotation, no policy":            {notes: map[string]string{"a": "b"}},
		"values without a template are none":  {notes: map[string]string{adapters.AnnotationDrainScaleUp: "Cancel"}},
		"an empty template is none":           {notes: map[string]string{ours: " \n"}},
		"JSON is sent as it is, numbers too":  {map[string]string{ours: `{"spec":{"x":1.0}}`}, false, &setplanv1.Drain{PodTemplate: []byte(`{"spec":{"x":1.0}}`), TemplateSource: ours}},
		"YAML becomes JSON":                   {map[string]string{ours: "spec:\n  x: 1\n"}, false, &setplanv1.Drain{PodTemplate: []byte(`{"spec":{"x":1}}`), TemplateSource: ours}},
		"what is neither is sent as it is":    {map[string]string{ours: "{spec: [}"}, false, &setplanv1.Drain{PodTemplate: []byte("{spec: [}"), TemplateSource: ours}},
		"the name of the article works":       {map[string]string{seed: "{}"}, false, &setplanv1.Drain{PodTemplate: []byte("{}"), TemplateSource: seed}},
		"the name of the controller works":    {map[string]string{original: "{}"}, false, &setplanv1.Drain{PodTemplate: []byte("{}"), TemplateSource: original}},
		"ours counts, and the other is named": {map[string]string{ours: "{}", original: `{"a":1}`}, false, &setplanv1.Drain{PodTemplate: []byte("{}"), TemplateSource: ours, OtherSources: []string{original}}},
		"the same template twice is one":      {map[string]string{ours: "{}", seed: " {}\n"}, false, &setplanv1.Drain{PodTemplate: []byte("{}"), TemplateSource: ours}},
		"asking needs no template":            {notes: map[string]string{adapters.AnnotationDrainAsk: "true"}, want: &setplanv1.Drain{Ask: "true"}},
		"values are passed on unchecked": {map[string]string{ours: "{}", adapters.AnnotationDrainMaxParallel: "many", adapters.AnnotationDrainLeftovers: "yes",
			adapters.AnnotationDrainOnDelete: "no", adapters.AnnotationDrainScaleUp: "Stop"}, false,
			&setplanv1.Drain{PodTemplate: []byte("{}"), TemplateSource: ours, MaxParallel: "many", Leftovers: "yes", OnDelete: "no", ScaleUp: "Stop"}},
		"alone is told for every set": {alone: true, want: &setplanv1.Drain{Alone: true}},
		"and beside a policy":         {map[string]string{ours: "{}"}, true, &setplanv1.Drain{PodTemplate: []byte("{}"), TemplateSource: ours, Alone: true}},
	} {
		w := newWorld(planOf())
		w.notes = row.notes
		if _, err := reconcile(t, w.loop(adapters.Options{DrainAlone: row.alone})); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row.want, w.requests[0].GetSnapshot().GetPolicy().GetDrain(), protocmp.Transform()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reason, diff)
		}
	}
}

// TestDrainTemplateOnce: a template is converted when it changes, and not on every pass.
func TestDrainTemplateOnce(t *testing.T) {
	w := newWorld(planOf())
	loop := w.loop(adapters.Options{})
	for _, template := range []string{"x: 1", "x: 1", "x: 2"} {
		w.notes = map[string]string{adapters.AnnotationDrainTemplate: template}
		if _, err := reconcile(t, loop); err != nil {
			t.Fatal(err)
		}
	}
	sent := func(pass int) []byte { return w.requests[pass].GetSnapshot().GetPolicy().GetDrain().GetPodTemplate() }
	if first, again := sent(0), sent(1); string(again) != `{"x":1}` || &first[0] != &again[0] {
		t.Errorf("the second pass has converted it anew: %s, %s", first, again)
	}
	if changed := sent(2); string(changed) != `{"x":2}` {
		t.Errorf("a new template gives %s", changed)
	}
}
