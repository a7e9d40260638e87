package engine

// fewVolumes is how many volumes are quicker gone through than looked up.
const fewVolumes = 8

// boundToItsClaims tells whether each claim template's volume is bound to the claim of this pod's ordinal. The usual
// binding, "<volume>-<pod name>", is exactly that claim where the pod's name is canonical.
func (d *decision) boundToItsClaims(p *Pod, ordinal int32, canonical bool) bool {
	if len(d.templates) <= fewTemplates && len(p.Volumes) <= fewVolumes {
		return d.bindsFew(p, ordinal, canonical)
	}
	var others *volumeSet
	if canonical {
		others = d.volumeSetOf(p.Volumes)
	} else {
		others = d.volumeSetOf(nil)
	}
	if others.missing > len(p.OtherClaims) {
		return false // each of them needs a binding of its own
	}
	return others.missing == 0 || d.bindsOthers(p, ordinal, d.templatesWithout(others))
}

func (d *decision) bindsFew(p *Pod, ordinal int32, canonical bool) bool {
	for i := range d.templates {
		t := &d.templates[i]
		if canonical && contains(p.Volumes, t.name) {
			continue
		}
		if !p.binds(t.name, t.name+"-"+d.set.podName(ordinal)) {
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
func (d *decision) bindsOthers(p *Pod, ordinal int32, templates []int) bool {
	d.work(partPods, 2*len(p.OtherClaims))
	claims := make(map[string]string, len(p.OtherClaims))
	for i, b := range p.OtherClaims {
		d.meter.pause(i)
		if _, again := claims[b.Volume]; !again {
			claims[b.Volume] = b.Claim
		}
	}
	name := d.set.podName(ordinal)
	for turn, i := range templates {
		d.meter.pause(turn)
		t := &d.templates[i]
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
	missing int   // templates that are not bound
	without []int // those, once they have been asked for
}

// volumeSetOf compares volumes with the claim templates, once for all pods that share them.
func (d *decision) volumeSetOf(volumes []string) *volumeSet {
	key := (*string)(nil)
	if len(volumes) > 0 {
		key = &volumes[0]
	}
	if set := d.volumeSets[key]; set != nil && set.length == len(volumes) {
		return set
	}
	d.work(partPods, 1+2*len(volumes))
	set := &volumeSet{length: len(volumes), bound: make(map[string]bool)}
	for i, volume := range volumes {
		d.meter.pause(i)
		if d.isTemplate(volume) {
			set.bound[volume] = true
		}
	}
	set.missing = len(d.templates) - len(set.bound)
	if d.volumeSets == nil {
		d.volumeSets = make(map[*string]*volumeSet)
	}
	d.volumeSets[key] = set
	return set
}

// templatesWithout lists the templates that are missing in a set. It is asked for where the volumes and a pod's other
// claims are as many as the templates, so that the list takes no more than they do.
func (d *decision) templatesWithout(set *volumeSet) []int {
	if set.without == nil {
		d.work(partClaimTemplates, len(d.templates))
		for i := range d.templates {
			d.meter.pause(i)
			if !set.bound[d.templates[i].name] {
				set.without = append(set.without, i)
			}
		}
	}
	return set.without
}

// isTemplate tells whether a claim template has this name.
func (d *decision) isTemplate(name string) bool {
	if d.templateNames != nil {
		return d.templateNames[name]
	}
	for i := range d.templates {
		if d.templates[i].name == name {
			return true
		}
	}
	return false
}
