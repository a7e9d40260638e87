package engine

import (
	"strconv"

	"github.com/setplan/setplan/engine/model"
)

// setting is one value of the drain policy: its text and its source. Values of the caller's Policy have the text that an annotation would
// have.
type setting struct {
	text, source string
	typed        bool // from the caller, not from an annotation
}

// drainSettings is the requested drain policy, unchecked.
type drainSettings struct {
	askedTemplate
	scaleUp, maxParallel, leftovers, onDelete, ask, proof setting

	drainOnly bool // another controller runs the set
}

// askedTemplate is the requested template of drain pods, unchecked.
type askedTemplate struct {
	template     []byte  // JSON, or the text that could not be made JSON
	templateFrom setting // its source
	problem      string  // why the template's text could not be made JSON
	otherSources []string
}

// askedDrain reads the drain policy from the set's annotations and the caller's Policy. It is nil if nothing is requested: without a
// template the other values only say how to drain. Almost no set has a drain policy, so that is checked first.
func askedDrain(s *model.Snapshot) *drainSettings {
	p := &s.Policy.Drain
	ask := settingOf(s, policyAsk, "ask", boolText(p.Ask), p.Ask != nil)
	drainOnly := !s.Policy.WholeSet()
	found := findTemplate(s)
	if len(found.template) == 0 && ask.text == "" && !drainOnly {
		return nil
	}
	return &drainSettings{
		askedTemplate: found,
		scaleUp:       settingOf(s, policyScaleUp, "scale_up", p.ScaleUp.Text(), p.ScaleUp != model.DrainScaleUpUnspecified),
		maxParallel:   settingOf(s, policyMaxParallel, "max_parallel", strconv.Itoa(int(p.MaxParallel)), p.MaxParallel != 0),
		leftovers:     settingOf(s, policyLeftovers, "leftovers", boolText(p.Leftovers), p.Leftovers != nil),
		onDelete:      settingOf(s, policyOnDelete, "on_delete", boolText(p.OnDelete), p.OnDelete != nil),
		ask:           ask,
		proof:         settingOf(s, policyProof, "proof", p.Proof.Text(), p.Proof != model.DrainProofUnspecified),
		drainOnly:     drainOnly,
	}
}

// findTemplate finds the template. The snapshot may have it as JSON if the annotation has YAML.
func findTemplate(s *model.Snapshot) (found askedTemplate) {
	if given := s.Policy.Drain.PodTemplate; given != nil {
		return askedTemplate{template: given, templateFrom: typedSetting("pod_template", "")}
	}
	var text string
	found.templateFrom.source, text, found.otherSources = templateIn(s.Set.Annotations)
	if text == "" {
		return found
	}
	document := s.Documents[found.templateFrom.source]
	if found.template, found.problem = document.JSON, document.Problem; found.template == nil {
		found.template = []byte(text)
	}
	return found
}

// setting is the caller's value if there is one, else the annotation's.
func settingOf(s *model.Snapshot, annotation, field, text string, typed bool) setting {
	if typed {
		return typedSetting(field, text)
	}
	return setting{text: s.Set.Annotations[annotation], source: annotation}
}

func typedSetting(field, text string) setting {
	return setting{text: text, source: "snapshot.policy.drain." + field, typed: true}
}

// boolText is the value as an annotation has it; false is as if there were none.
func boolText(value *bool) string {
	if value != nil && *value {
		return "true"
	}
	return ""
}
