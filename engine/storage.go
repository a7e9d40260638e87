package engine

import "slices"

// fewVolumes is how many volumes are quicker gone through than looked up.
const fewVolumes = 8

// boundToItsClaims reports whether each claim template's volume is bound to the claim of this pod's ordinal. The usual
// binding, "<volume>-<pod name>", is exactly that claim where the pod's name is canonical.
func (v *view) boundToItsClaims(p *Pod, ordinal int32, canonical bool) bool {
	if len(v.templates) <= fewTemplates && len(p.Volumes) <= fewVolumes {
		return v.bindsFew(p, ordinal, canonical)
	}
	var others *volumeSet
	if canonical {
		others = v.volumeSetOf(p.Volumes, p.Revision)
	} else {
		others = v.volumeSetOf(nil, p.Revision)
	}
	if others.missing > len(p.OtherClaims) {
		return false // each of them needs a binding of its own
	}
	return others.missing == 0 || v.bindsOthers(p, ordinal, v.templatesWithout(others))
}

func (v *view) bindsFew(p *Pod, ordinal int32, canonical bool) bool {
	without := v.removedAt(p.Revision)
	for i := range v.templates {
		t := &v.templates[i]
		if without.has(i) || canonical && slices.Contains(p.Volumes, t.name) {
			continue
		}
		if !p.binds(t.name, t.name+"-"+v.set.podName(ordinal)) {
			return false
		}
	}
	return true
}

func (p *Pod) binds(volume, claim string) bool {
	for _, b := range p.OtherClaims {
		if b.Volume == volume {
			return b.Claim == claim
		}
	}
	return false
}

// bindsOthers is binds for several claim templates.
func (v *view) bindsOthers(p *Pod, ordinal int32, templates []int) bool {
	v.meter.work(partPods, 2*len(p.OtherClaims))
	claims := make(map[string]string, len(p.OtherClaims))
	for i, b := range p.OtherClaims {
		v.meter.pause(i)
		if _, again := claims[b.Volume]; !again {
			claims[b.Volume] = b.Claim
		}
	}
	name := v.set.podName(ordinal)
	for turn, i := range templates {
		v.meter.pause(turn)
		t := &v.templates[i]
		if claims[t.name] != t.name+"-"+name {
			return false
		}
	}
	return true
}

// volumeSet is what the volumes that pods share leave of the claim templates.
type volumeSet struct {
	length  int
	bound   map[string]bool
	missing int   // templates that are not bound, though pods of the revision have them
	without []int // those, once they have been asked for
}

// volumesAt are the volumes that pods share, by the first of them, and the revision of these pods, where revisions differ in their claims.
type volumesAt struct {
	first    *string
	revision string
}

// volumeSetOf compares volumes with the claim templates, once for all pods that share them.
func (v *view) volumeSetOf(volumes []string, revision string) *volumeSet {
	var key volumesAt
	if len(volumes) > 0 {
		key.first = &volumes[0]
	}
	if v.removals.at != nil {
		key.revision = revision
	}
	if set := v.volumeSets[key]; set != nil && set.length == len(volumes) {
		return set
	}
	v.meter.work(partPods, 1+2*len(volumes))
	set := &volumeSet{length: len(volumes), bound: make(map[string]bool)}
	for i, volume := range volumes {
		v.meter.pause(i)
		if _, of := v.templateNamed(volume); of {
			set.bound[volume] = true
		}
	}
	for i, removed := range v.removedAt(revision) {
		v.meter.work(partPods, 1)
		if removed {
			set.bound[v.templates[i].name] = true
		}
	}
	set.missing = len(v.templates) - len(set.bound)
	if v.volumeSets == nil {
		v.volumeSets = make(map[volumesAt]*volumeSet)
	}
	v.volumeSets[key] = set
	return set
}

// templatesWithout lists the templates that are missing in a set. It is asked for where the volumes and a pod's other
// claims are as many as the templates, so that the list takes no more than they do.
func (v *view) templatesWithout(set *volumeSet) []int {
	if set.without == nil {
		v.meter.work(partClaimTemplates, len(v.templates))
		for i := range v.templates {
			v.meter.pause(i)
			if !set.bound[v.templates[i].name] {
				set.without = append(set.without, i)
			}
		}
	}
	return set.without
}
