package explore

import (
	"fmt"
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// Images in place: the kubelet stops a container and starts it with another image, and it is known by its ids that it has.

// ImageConfigs are both management policies of sets whose pods get other images in place, and of those that recreate a pod only where nothing else is
// possible. Pods of all three templates differ in their images alone.
func ImageConfigs(bounds Bounds) []Config { return withInside(bounds, ofImages) }

func withInside(bounds Bounds, inside inner) []Config {
	configs := InPlaceConfigs(bounds)
	for i := range configs {
		configs[i].Inside = inside
	}
	return configs
}

// id stands for the id of a container. Only what is noted of it matters: a container that starts again is another one than those that are.
type id uint8

const (
	noContainer id = iota
	earliest       // it ran before anything was under way
	inRecord       // it ran when the record was written, and not before
	another
)

func (i id) String() string { return [...]string{"", "c1", "c2", "c3"}[i] }

func idOf(text string) (id, bool) {
	for i := noContainer; i <= another; i++ {
		if i.String() == text {
			return i, true
		}
	}
	return 0, false
}

// record is what the annotation says of the container.
type record struct {
	id    id
	image revision // of that container
	open  bool     // the image had changed before
	seen  bool     // the kubelet knew of the spec
	none  bool     // nothing ran before anything was under way
}

// goesOn reports whether the record says of another container what ran before anything was under way.
func (r record) goesOn() bool { return r.open || r.seen }

// renumber calls the container that the record is about by its place.
func (in *inside) renumber() {
	if in.record.id != another {
		return
	}
	if in.id == another {
		in.id = inRecord
	}
	in.record.id = inRecord
}

// imageSteps: a kubelet starts the container anew where it runs something else than it knows of. It may crash at any time, and then starts with the image
// that its kubelet knows of.
func (w *world) imageSteps(p pod, faults bool, step func(string, cost, func(*pod))) {
	anew := func(p *pod) {
		if p.inside.runs, p.inside.id = p.inside.knows, another; p.inside.to == 0 {
			p.inside.id = earliest
		}
		if p.phase == ready {
			p.phase = recovering
		}
	}
	if p.inside.runs != p.inside.knows {
		step("starts its container anew: pod", benign, anew)
	} else if faults && p.inside.to != 0 {
		step("crashes: the container of pod", fault, anew)
	}
}

// starts lets a pending pod run.
func (p pod) starts(c *cluster) pod {
	after := p.in(running, p.mode)
	if c.inner != noInside {
		after.sees()
	}
	if c.inner == ofImages {
		after.inside.runs, after.inside.id = after.inside.knows, earliest
		if after.inside.to != 0 {
			after.inside.id = another
		}
		if p.mode != staying {
			after.inside = inside{}
		}
	}
	return after
}

// imageOf is the image of a revision's container.
func imageOf(r revision) string {
	if r == 0 {
		return ""
	}
	return "web:" + r.String()
}

func digestOf(r revision) string {
	if r == 0 {
		return ""
	}
	return "sha256:" + r.String()
}

// imageIn is the way back.
func imageIn(text string, of func(revision) string) (revision, error) {
	for r := revision(0); r <= revisionCount; r++ {
		if of(r) == text {
			return r, nil
		}
	}
	return 0, fmt.Errorf("nobody has the image %s", text)
}

// readImages translates the images that an update writes. They are those of the revision that it goes to.
func readImages(a *model.Action, images []model.ContainerImage, to revision) (writes bool, err error) {
	if len(images) > 0 && !slices.Equal(images, []model.ContainerImage{{Name: "web", Image: imageOf(to)}}) {
		err = fmt.Errorf("%s brings the images %v, which are not those of %s", a.ID, images, to)
	}
	return len(images) > 0, err
}
