package claims

import "github.com/setplan/setplan/engine/model"

// BoundToItsClaims reports whether each claim template's volume is bound to the claim of this pod's ordinal.
func (v *Claims) BoundToItsClaims(p *model.Pod, ordinal int32, canonical bool) bool {
	without, usual := v.RemovedAt(p.Revision), v.boundAsUsual(p, canonical)
	for i := range v.Templates {
		if !without.Has(i) && !usual[i] && !v.binds(p, i, ordinal) {
			return false
		}
	}
	return true
}

// mounts reports whether a pod has the volume of a template, bound to a claim.
func (v *Claims) mounts(p *model.Pod, template int, ordinal int32) bool {
	return v.boundAsUsual(p, model.CanonicalName(p.Name))[template] || v.binds(p, template, ordinal)
}

func (v *Claims) claimName(template int, ordinal int32) string {
	return model.OrdinalName(v.Templates[template].Name+"-"+v.Set.Name, ordinal)
}

func (v *Claims) binds(p *model.Pod, template int, ordinal int32) bool {
	for _, b := range p.OtherClaims {
		if b.Volume == v.Templates[template].Name {
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
func (v *Claims) boundAsUsual(p *model.Pod, canonical bool) []bool {
	if len(v.Templates) == 0 {
		return nil
	}
	var at volumesAt
	if canonical && len(p.Volumes) > 0 {
		at = volumesAt{&p.Volumes[0], len(p.Volumes)}
	}
	bound, known := v.usual.Get(at)
	if known {
		return bound
	}
	bound = make([]bool, len(v.Templates))
	for _, volume := range p.Volumes[:at.count] {
		if i, is := v.TemplateNamed(volume); is {
			bound[i] = true
		}
	}
	v.usual.Set(at, bound)
	return bound
}
