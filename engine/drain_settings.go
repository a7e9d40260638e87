package engine

import "strconv"

// setting is one value of the drain policy: its text, and where it stands. Values of the caller's Policy have the texts that
// an annotation would have.
type setting struct {
	text, source string
	typed        bool // by the caller, and not by an annotation
}

// remedy is what to do about a value that cannot be used.
func (v setting) remedy() string {
	if v.typed {
		return "Correct it in the request, or leave it out."
	}
	return "Correct the annotation, or remove it."
}

// drainSettings is the drain policy as it is asked for. Nothing of it is checked yet.
type drainSettings struct {
	template     []byte  // its text where that is no JSON
	templateFrom setting // where it stands
	problem      string  // why the template's text could not be made JSON
	otherSources []string

	scaleUp, maxParallel, leftovers, onDelete, ask, proof setting

	alone bool // another controller runs the set
}

// askedDrain reads the drain policy off the set's annotations, and off what the caller says in place of them. It is nil where
// nothing is asked for: without a template the other values say how to drain, and there is nothing to drain with.
func askedDrain(s *Snapshot) *drainSettings {
	p := &s.Policy.Drain
	a := drainSettings{
		scaleUp:     s.setting(policyScaleUp, "scale_up", p.ScaleUp.text(), p.ScaleUp != DrainScaleUpUnspecified),
		maxParallel: s.setting(policyMaxParallel, "max_parallel", strconv.Itoa(int(p.MaxParallel)), p.MaxParallel != 0),
		leftovers:   s.setting(policyLeftovers, "leftovers", boolText(p.Leftovers), p.Leftovers != nil),
		onDelete:    s.setting(policyOnDelete, "on_delete", boolText(p.OnDelete), p.OnDelete != nil),
		ask:         s.setting(policyAsk, "ask", boolText(p.Ask), p.Ask != nil),
		proof:       s.setting(policyProof, "proof", p.Proof.text(), p.Proof != DrainProofUnspecified),
		alone:       s.Policy.Scope != ScopeUnspecified && s.Policy.Scope != ScopeWholeSet,
	}
	a.findTemplate(s)
	if len(a.template) == 0 && a.ask.text == "" && !a.alone {
		return nil
	}
	return &a
}

// findTemplate finds the template, which the snapshot may hold as JSON where the annotation has something else.
func (a *drainSettings) findTemplate(s *Snapshot) {
	if given := s.Policy.Drain.PodTemplate; given != nil {
		a.template, a.templateFrom = given, typedSetting("pod_template", "")
		return
	}
	var text string
	a.templateFrom.source, text, a.otherSources = templateIn(s.Set.Annotations)
	document := s.Documents[a.templateFrom.source]
	if a.template, a.problem = document.JSON, document.Problem; a.template == nil {
		a.template = []byte(text)
	}
}

// setting is a value of the caller's where there is one, and else that of an annotation.
func (s *Snapshot) setting(annotation, field, text string, typed bool) setting {
	if typed {
		return typedSetting(field, text)
	}
	return setting{text: s.Set.Annotations[annotation], source: annotation}
}

func typedSetting(field, text string) setting {
	return setting{text: text, source: "snapshot.policy.drain." + field, typed: true}
}

// boolText is the value as an annotation has it; one that is not true is as if there were none.
func boolText(value *bool) string {
	if value != nil && *value {
		return "true"
	}
	return ""
}

// text is the value as an annotation has it. A number that this package does not know is a value that cannot be used.
func (v DrainScaleUp) text() string {
	switch v {
	case DrainScaleUpFinish:
		return "Finish"
	case DrainScaleUpCancel:
		return "Cancel"
	}
	return strconv.Itoa(int(v))
}

func (v DrainProof) text() string {
	switch v {
	case DrainProofSuccess:
		return "" // an annotation has no word for it
	case DrainProofToken:
		return "Token"
	}
	return strconv.Itoa(int(v))
}
