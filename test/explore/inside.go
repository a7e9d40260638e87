package explore

// A pod has one container. Where a search lets its image or its resources change in place, the cluster knows what it runs and has, what its kubelet knows
// of, and the record of the update, which is in an annotation of the pod.

// inner says what of the inside of pods a search has.
type inner uint8

const (
	noInside inner = iota
	ofImages
	ofResources
)

// inside is how far an update in place is, and what the kubelet has done. Of a pod that goes or has ended, nobody asks for it.
type inside struct {
	marked bool     // the pod has the annotation
	to     revision // that the pod is on its way to; 0: none
	late   bool     // the kubelet does not know of the spec

	knows, runs revision // whose image the kubelet is to run, and the container does; 0: it does not run
	id          id       // of the container
	record      record

	asks, has, was revision // whose resources the spec asks for, the container has, and the spec asked for when they were to change
	answer         answer
}

// at is the revision that a pod is made to run.
func (p pod) at() revision {
	if p.inside.to != 0 {
		return p.inside.to
	}
	return p.rev
}

// image is what decides whether a pod gets ready: the revision whose image it runs.
func (c *cluster) image(p pod) revision {
	if c.inner == ofImages {
		return p.inside.runs
	}
	return p.rev
}

// newInside is that of a pod that is made.
func (c *cluster) newInside(r revision) inside {
	switch c.inner {
	case ofImages:
		return inside{knows: r}
	case ofResources:
		return inside{asks: r, has: r}
	}
	return inside{}
}

// up is the inside of a pod that runs what it was made for.
func (c *cluster) up(r revision) inside {
	in := c.newInside(r)
	if c.inner == ofImages {
		in.runs, in.id = r, earliest
	}
	return in
}

// startsAnew reports whether a container may be about to start again: the pod counts as unavailable.
func (c *cluster) startsAnew(p pod) bool { return c.inner == ofImages && p.inside.to != 0 }

// arrived reports whether the pod is known to run what it is on its way to.
func (p pod) arrived() bool { return !p.inside.late && p.inside.runs == p.inside.to }

// insideWrite is what an update in place says of the inside of a pod.
type insideWrite struct {
	marks, notes bool // the annotation comes; the record is written
	finishes     bool // the record is emptied
	images       bool // the image of the revision is written
	to           revision
	record       record
	was          revision
	resizes      bool // the resources are written
}

// updateInside is an update in place that takes several writes.
func (c *cluster) updateInside(w *write) result {
	p := &c.pods[w.ordinal]
	in := &p.inside
	before := *p
	switch {
	case w.inside.marks:
		in.marked = true
	case w.inside.resizes:
		in.asks, in.late = w.rev, true
	case w.inside.finishes:
		p.finish(w.rev)
	default:
		in.to, in.record, in.was = w.inside.to, w.inside.record, w.inside.was
		in.late = in.late || w.inside.images
		in.renumber()
	}
	if *p == before {
		return futile
	}
	return wrote(podKept(w.ordinal))
}

// finish is the write after which nothing is under way.
func (p *pod) finish(r revision) {
	p.rev, p.inside.to, p.inside.record, p.inside.was = r, 0, record{}, 0
	if p.inside.runs != 0 {
		p.inside.id = earliest
	}
}

// insideSteps is what a kubelet does.
func (w *world) insideSteps(c *cluster, i int, faults bool) {
	p := c.pods[i]
	if c.inner == noInside || !p.replica() || p.mode != staying || p.phase == failed || p.phase == pending {
		return
	}
	step := func(name string, cost cost, change func(*pod)) {
		e := event{name: name, ordinal: i, cost: cost, after: *c, changed: podKept(i)}
		change(&e.after.pods[i])
		w.add(c, e)
	}
	if p.inside.late {
		step("its kubelet sees the spec: pod", benign, func(p *pod) { p.sees() })
	}
	if c.inner == ofImages {
		w.imageSteps(p, faults, step)
		return
	}
	w.resourceSteps(p, faults, step)
}

// sees lets a kubelet know of the spec.
func (p *pod) sees() {
	in := &p.inside
	in.late, in.knows, in.answer = false, p.at(), granted
	if in.asks != 0 {
		in.knows = 0
	}
}
