package drain

import (
	"slices"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

const (
	seed     = "statefulsets.kubernetes.io/drainer-pod-template"
	original = "statefulsets.kubernetes.io/scaledown-pod-template"
)

// TestTemplateAnnotations: where a drain template may be, and which one counts.
func TestTemplateAnnotations(t *testing.T) {
	for reason, row := range map[string]struct {
		annotations      map[string]string
		template, source string
		others           []string
	}{
		"no annotation, no policy":            {map[string]string{"a": "b"}, "", "", nil},
		"values without a template are none":  {map[string]string{policy.DrainScaleUp: "Cancel"}, "", "", nil},
		"an empty template is none":           {map[string]string{policy.DrainTemplate: " \n"}, "", "", nil},
		"JSON is read as it is":               {map[string]string{policy.DrainTemplate: `{"spec":{"x":1.0}}`}, `{"spec":{"x":1.0}}`, policy.DrainTemplate, nil},
		"the name of the article works":       {map[string]string{seed: "{}"}, "{}", seed, nil},
		"the name of the controller works":    {map[string]string{original: "{}"}, "{}", original, nil},
		"ours counts, and the other is named": {map[string]string{policy.DrainTemplate: "{}", original: `{"a":1}`}, "{}", policy.DrainTemplate, []string{original}},
		"the others are named in order": {map[string]string{policy.DrainTemplate: "{}", original: "1", seed: "2"}, "{}", policy.DrainTemplate,
			[]string{seed, original}},
		"the same template twice is one": {map[string]string{policy.DrainTemplate: "{}", seed: " {}\n"}, "{}", policy.DrainTemplate, nil},
	} {
		s := &model.Snapshot{Set: model.Set{Object: model.Object{Annotations: row.annotations}}}
		a := askedDrain(s)
		if row.template == "" {
			if a != nil || policy.Documents(&s.Policy, row.annotations) != nil {
				t.Errorf("%s: %+v", reason, a)
			}
			continue
		}
		if a == nil || string(a.Template) != row.template || a.TemplateFrom.Source != row.source || !slices.Equal(a.OtherSources, row.others) {
			t.Errorf("%s: %+v", reason, a)
		}
		if texts := policy.Documents(&s.Policy, row.annotations); len(texts) != 1 || texts[row.source] != row.template {
			t.Errorf("%s: the documents are %v", reason, texts)
		}
	}
}

// TestTypedSettings: the caller's value replaces the annotation, whatever that says.
func TestTypedSettings(t *testing.T) {
	yes, no := true, false
	for annotation, row := range map[string]struct {
		typed   func(*model.DrainPolicy)
		text    string
		setting func(*state.DrainSettings) state.Setting
	}{
		policy.DrainScaleUp:     {func(p *model.DrainPolicy) { p.ScaleUp = model.DrainScaleUpFinish }, "Finish", func(a *state.DrainSettings) state.Setting { return a.ScaleUp }},
		policy.DrainMaxParallel: {func(p *model.DrainPolicy) { p.MaxParallel = 3 }, "3", func(a *state.DrainSettings) state.Setting { return a.MaxParallel }},
		policy.DrainLeftovers:   {func(p *model.DrainPolicy) { p.Leftovers = &no }, "", func(a *state.DrainSettings) state.Setting { return a.Leftovers }},
		policy.DrainOnDelete:    {func(p *model.DrainPolicy) { p.OnDelete = &yes }, "true", func(a *state.DrainSettings) state.Setting { return a.OnDelete }},
		policy.DrainAsk:         {func(p *model.DrainPolicy) { p.Ask = &no }, "", func(a *state.DrainSettings) state.Setting { return a.Ask }},
		policy.DrainProof:       {func(p *model.DrainPolicy) { p.Proof = model.DrainProofSuccess }, "", func(a *state.DrainSettings) state.Setting { return a.Proof }},
		policy.DrainTemplate:    {func(p *model.DrainPolicy) { p.PodTemplate = []byte("{}") }, "", func(a *state.DrainSettings) state.Setting { return a.TemplateFrom }},
	} {
		for _, value := range []string{"", "odd", "true"} {
			var s model.Snapshot
			s.Set.Annotations = map[string]string{policy.DrainTemplate: "{}"}
			s.Set.Annotations[annotation] = value
			row.typed(&s.Policy.Drain)
			if got := row.setting(askedDrain(&s)); got.Text != row.text || !got.Typed {
				t.Errorf("%s is %q: %+v", annotation, value, got)
			}
		}
	}
}
