package drain

import (
	"strconv"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// askedDrain reads the drain policy from the set's annotations and the caller's Policy. It is nil if nothing is requested: without a
// template the other values only say how to drain. Almost no set has a drain policy, so that is checked first.
func askedDrain(s *model.Snapshot) *state.DrainSettings {
	p := &s.Policy.Drain
	ask := settingOf(s, policy.DrainAsk, "ask", boolText(p.Ask), p.Ask != nil)
	drainOnly := !s.Policy.WholeSet()
	found := findTemplate(s)
	if len(found.Template) == 0 && ask.Text == "" && !drainOnly {
		return nil
	}
	return &state.DrainSettings{
		AskedTemplate: found,
		ScaleUp:       settingOf(s, policy.DrainScaleUp, "scale_up", p.ScaleUp.Text(), p.ScaleUp != model.DrainScaleUpUnspecified),
		MaxParallel:   settingOf(s, policy.DrainMaxParallel, "max_parallel", strconv.Itoa(int(p.MaxParallel)), p.MaxParallel != 0),
		Leftovers:     settingOf(s, policy.DrainLeftovers, "leftovers", boolText(p.Leftovers), p.Leftovers != nil),
		OnDelete:      settingOf(s, policy.DrainOnDelete, "on_delete", boolText(p.OnDelete), p.OnDelete != nil),
		Ask:           ask,
		Proof:         settingOf(s, policy.DrainProof, "proof", p.Proof.Text(), p.Proof != model.DrainProofUnspecified),
		DrainOnly:     drainOnly,
	}
}

// findTemplate finds the template. The snapshot may have it as JSON if the annotation has YAML.
func findTemplate(s *model.Snapshot) (found state.AskedTemplate) {
	if given := s.Policy.Drain.PodTemplate; given != nil {
		return state.AskedTemplate{Template: given, TemplateFrom: typedSetting("pod_template", "")}
	}
	var text string
	found.TemplateFrom.Source, text, found.OtherSources = policy.DrainTemplateIn(s.Set.Annotations)
	if text == "" {
		return found
	}
	document := s.Documents[found.TemplateFrom.Source]
	if found.Template, found.Problem = document.JSON, document.Problem; found.Template == nil {
		found.Template = []byte(text)
	}
	return found
}

// settingOf is the caller's value if there is one, else the annotation's.
func settingOf(s *model.Snapshot, annotation, field, text string, typed bool) state.Setting {
	if typed {
		return typedSetting(field, text)
	}
	return state.Setting{Text: s.Set.Annotations[annotation], Source: annotation}
}

func typedSetting(field, text string) state.Setting {
	return state.Setting{Text: text, Source: "snapshot.policy.drain." + field, Typed: true}
}

// boolText is the value as an annotation has it; false is as if there were none.
func boolText(value *bool) string {
	if value != nil && *value {
		return "true"
	}
	return ""
}
