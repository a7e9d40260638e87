package engine

import "slices"

// boundToItsClaims reports whether each claim template's volume is bound to the claim of this pod's ordinal. The usual
// binding, "<volume>-<pod name>", is exactly that claim where the pod's name is canonical.
func (v *view) boundToItsClaims(p *Pod, ordinal int32, canonical bool) bool {
	volumes := p.Volumes
	if !canonical {
		volumes = nil
	}
	for _, i := range v.templatesUnbound(volumes, p.Revision) {
		if name := v.templates[i].name; !p.binds(name, name+"-"+v.set.podName(ordinal)) {
			return false
		}
	}
	return true
}

// mounts reports whether a pod has the volume of a template, bound to a claim.
func (v *view) mounts(p *Pod, template int, ordinal int32) bool {
	return canonicalName(p.Name) && !slices.Contains(v.templatesUnbound(p.Volumes, p.Revision), template) ||
		p.binds(v.templates[template].name, v.claimName(template, ordinal))
}

func (v *view) claimName(template int, ordinal int32) string {
	return ordinalName(v.templates[template].name+"-"+v.set.Name, ordinal)
}

func (p *Pod) binds(volume, claim string) bool {
	for _, b := range p.OtherClaims {
		if b.Volume == volume {
			return b.Claim == claim
		}
	}
	return false
}

// volumesAt are the volumes that pods share, by the first of them, and the revision of these pods, where revisions differ in their claims.
type volumesAt struct {
	first    *string
	count    int
	revision string
}

// templatesUnbound lists the claim templates of a revision's pods that are none of these volumes. It compares volumes that pods share once.
func (v *view) templatesUnbound(volumes []string, revision string) []int {
	if len(v.templates) == 0 {
		return nil
	}
	var at volumesAt
	if len(volumes) > 0 {
		at.first, at.count = &volumes[0], len(volumes)
	}
	if v.removals.at != nil {
		at.revision = revision
	}
	unbound, known := v.unbound[at]
	if known {
		return unbound
	}
	without := v.removedAt(revision)
	for i := range v.templates {
		if !without.has(i) && !slices.Contains(volumes, v.templates[i].name) {
			unbound = append(unbound, i)
		}
	}
	if v.unbound == nil {
		v.unbound = map[volumesAt][]int{}
	}
	v.unbound[at] = unbound
	return unbound
}
