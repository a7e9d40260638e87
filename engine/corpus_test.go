package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
)

// presets are the rules that users can choose.
var presets = map[string]model.Rules{"SETPLAN": model.Setplan(), "KUBERNETES_1_36": model.Kubernetes136(), "KUBERNETES_1_37": model.Kubernetes137()}

// TestCorpusRevisions: without a revision, the first plan creates exactly the one that the version's own controller made.
func TestCorpusRevisions(t *testing.T) {
	cases := 0
	for _, f := range readCorpus(t) {
		for preset, rules := range presets {
			for _, form := range []json.RawMessage{f.Set, canonical(t, f.Set)} {
				s := f.snapshot(t, form, rules)
				s.Revisions = nil
				created := createdRevisions(Decide(s))
				if len(created) != 1 {
					t.Errorf("%s, %s: %d revisions are created, want 1", f.path, preset, len(created))
					continue
				}
				f.checkRevision(t, preset, created[0])
				cases++
			}
		}
	}
	t.Logf("%d cases", cases)
}

func (f *corpusFile) checkRevision(t *testing.T, preset string, a model.Action) {
	t.Helper()
	var got, want corpusRevision
	mustUnmarshal(t, a.Op.(model.CreateRevision).Manifest, &got)
	mustUnmarshal(t, f.Revision, &want)
	reason := f.path + ", " + preset
	check(t, reason, "name of the action", a.Name, f.RevisionName)
	check(t, reason, "name", got.Metadata.Name, f.RevisionName)
	check(t, reason, "hash", got.Metadata.Labels[model.LabelHash], f.Hash)
	check(t, reason, "data", string(got.Data), f.Data)
	check(t, reason, "kind", got.APIVersion+" "+got.Kind, want.APIVersion+" "+want.Kind)
	check(t, reason, "namespace", got.Metadata.Namespace, want.Metadata.Namespace)
	check(t, reason, "owners", fmt.Sprint(got.Metadata.OwnerReferences), fmt.Sprint(want.Metadata.OwnerReferences))
	check(t, reason, "number", fmt.Sprint(got.Revision), fmt.Sprint(want.Revision))
	if !maps.Equal(got.Metadata.Labels, want.Metadata.Labels) || !maps.Equal(got.Metadata.Annotations, want.Metadata.Annotations) {
		t.Errorf("%s: labels %v, annotations %v; want %v, %v", reason, got.Metadata.Labels, got.Metadata.Annotations,
			want.Metadata.Labels, want.Metadata.Annotations)
	}
}

// TestCorpusTakeOver: a set with its own version's revision is left alone, whichever version serves it now.
func TestCorpusTakeOver(t *testing.T) {
	cases := 0
	eachForm(t, func(f *corpusFile, form corpusForm, preset string, rules model.Rules) {
		for _, text := range []json.RawMessage{form.Set, canonical(t, form.Set)} {
			s := f.snapshot(t, text, rules)
			reason := fmt.Sprintf("%s, served by %v, %s", f.path, form.Versions, preset)
			cases += len(form.Versions)
			if p := Decide(s); len(p.Stages) > 0 || !p.Converged {
				t.Errorf("%s: want no plan, got\n%s", reason, Describe(p))
			}
		}
	})
	t.Logf("%d cases", cases)
}

// TestCorpusEdits: an edited field makes a new revision, which the next plan finds again. Undoing the edit renumbers the old revision
// if its bytes are the same. If a later version writes other bytes the undo creates a revision, as upstream does: only the newest
// revision is compared by meaning.
func TestCorpusEdits(t *testing.T) {
	cases := 0
	eachForm(t, func(f *corpusFile, form corpusForm, preset string, rules model.Rules) {
		for what, edit := range corpusEdits {
			f.checkEdit(t, form, edit, rules, fmt.Sprintf("%s, served by %v, %s, %s edited", f.path, form.Versions, preset, what))
			cases += len(form.Versions)
		}
	})
	t.Logf("%d cases", cases)
}

// corpusEdits change one field of a template each.
var corpusEdits = map[string]func(template map[string]any){
	"image": func(template map[string]any) { firstContainer(template)["image"] = "registry.k8s.io/other:2" },
	"label": func(template map[string]any) {
		template["metadata"].(map[string]any)["labels"].(map[string]any)["tier"] = "front"
	},
	"env value": func(template map[string]any) {
		firstContainer(template)["env"].([]any)[0].(map[string]any)["value"] = "<test>"
	},
	"new field": func(template map[string]any) {
		firstContainer(template)["fieldOfTomorrow"] = map[string]any{"on": true}
	},
}

func firstContainer(template map[string]any) map[string]any {
	return template["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
}

func (f *corpusFile) checkEdit(t *testing.T, form corpusForm, edit func(map[string]any), rules model.Rules, reason string) {
	t.Helper()
	s := f.snapshot(t, form.Set, rules)
	before := s.Set.PodTemplate
	tree := readTree(t, before)
	edit(tree)
	edited, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}

	s.Set.PodTemplate, s.Set.Generation = edited, 2
	created := createdRevisions(Decide(s))
	if len(created) != 1 {
		t.Errorf("%s: %d revisions are created, want 1", reason, len(created))
		return
	}
	s.Revisions = append(s.Revisions, storedRevision(t, created[0]))
	check(t, reason+", the revision stored", "revisions", revisionWrites(Decide(s)), "")

	s.Set.PodTemplate, s.Set.Generation = before, 3
	back := "renumber-revision " + f.RevisionName
	if patch := string(patchOf(mustTree(string(before)), nil)); patch != f.Data {
		back = "create-revision " + podtemplate.RevisionName(s.Set.Name, hashOf([]byte(patch), 0))
	}
	check(t, reason+" and undone", "revisions", revisionWrites(Decide(s)), back)
}

// eachForm calls f for every set, every encoding of it, and both presets.
func eachForm(t *testing.T, f func(f *corpusFile, form corpusForm, preset string, rules model.Rules)) {
	t.Helper()
	for _, file := range readCorpus(t) {
		for _, form := range file.forms() {
			for preset, rules := range presets {
				f(file, form, preset, rules)
			}
		}
	}
}

func createdRevisions(p *model.Plan) (created []model.Action) {
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if _, ok := a.Op.(model.CreateRevision); ok {
					created = append(created, a)
				}
			}
		}
	}
	return created
}

// revisionWrites lists a plan's writes of revisions, without the history's.
func revisionWrites(p *model.Plan) string {
	var list []string
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if a.Kind == model.KindRevision && stage.Phase != model.PhaseHistory {
					list = append(list, a.Op.Traits().Name+" "+a.Name)
				}
			}
		}
	}
	return strings.Join(list, ", ")
}

// storedRevision is a created revision as an API server stores it.
func storedRevision(t *testing.T, a model.Action) model.Revision {
	t.Helper()
	var r corpusRevision
	mustUnmarshal(t, a.Op.(model.CreateRevision).Manifest, &r)
	return model.Revision{Name: r.Metadata.Name, UID: "uid-" + r.Metadata.Name, ResourceVersion: "1", Number: r.Revision,
		Owners: r.Metadata.OwnerReferences, Labels: r.Metadata.Labels, CreatedAt: noon, Data: r.Data}
}
