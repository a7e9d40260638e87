package engine

import "github.com/setplan/setplan/engine/model"

// boundToItsClaims reports whether each claim template's volume is bound to the claim of this pod's ordinal.
func (v *view) boundToItsClaims(p *model.Pod, ordinal int32, canonical bool) bool {
	without, usual := v.removedAt(p.Revision), v.boundAsUsual(p, canonical)
	for i := range v.templates {
		if !without.has(i) && !usual[i] && !v.binds(p, i, ordinal) {
			return false
		}
	}
	return true
}

// mounts reports whether a pod has the volume of a template, bound to a claim.
func (v *view) mounts(p *model.Pod, template int, ordinal int32) bool {
	return v.boundAsUsual(p, model.CanonicalName(p.Name))[template] || v.binds(p, template, ordinal)
}

func (v *view) claimName(template int, ordinal int32) string {
	return model.OrdinalName(v.templates[template].name+"-"+v.set.Name, ordinal)
}

func (v *view) binds(p *model.Pod, template int, ordinal int32) bool {
	for _, b := range p.OtherClaims {
		if b.Volume == v.templates[template].name {
			return b.Claim == v.claimName(template, ordinal)
		}
	}
	return false
}

// volumesAt are the volumes that pods share, by the first of them.
type volumesAt struct {
	first *string
	count int
}

// boundAsUsual says of each claim template whether a pod has its volume in the usual binding, "<volume>-<pod name>", which is the claim of its ordinal where
// the pod's name is canonical. It compares volumes that pods share once.
func (v *view) boundAsUsual(p *model.Pod, canonical bool) []bool {
	if len(v.templates) == 0 {
		return nil
	}
	var at volumesAt
	if canonical && len(p.Volumes) > 0 {
		at = volumesAt{&p.Volumes[0], len(p.Volumes)}
	}
	bound, known := v.usual[at]
	if known {
		return bound
	}
	bound = make([]bool, len(v.templates))
	if at.count > 0 {
		for _, volume := range p.Volumes {
			if i, is := v.templateNamed(volume); is {
				bound[i] = true
			}
		}
	}
	if v.usual == nil {
		v.usual = map[volumesAt][]bool{}
	}
	v.usual[at] = bound
	return bound
}
