package inplace

import (
	"strings"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
)

// How it is known that a container runs what it should, without anybody on its node. A container that was started for another image has another
// id. That alone proves nothing: the old one may have crashed and restarted before its kubelet knew of the image. Nor does an image id that is
// the same as before: two tags may stand for one image. Where nothing else tells, time does: a container that still runs when a kubelet that knows
// of its image would long have stopped it is the right one. But never one that ran when the pod was at rest: a runtime that hangs stops nothing.

// How long after a kubelet knew of an image it still may not have stopped the old container, beyond the grace period of the pod. Kubelets before
// 1.34 do not say what they know of; a healthy one knows of a pod's spec within that time, its connections broken or not. A node that is cut off is
// not ready within a minute, and one whose runtime hangs after three; neither are their pods then.
const (
	slack        = 10 * time.Second
	slackCutOff  = time.Minute
	slackUnknown = 2 * time.Minute
	slackHung    = 10 * time.Minute
	defaultGrace = 30 * time.Second
)

// look is what a pass finds when it looks at a pod that is on its way.
type look struct {
	Proven bool      // all containers run what they should, and have what they should
	First  string    // the first one by name that is not known to; "": the kubelet does not know of the spec
	state  runState  // of that one
	reason string    // why it does not run, in the words of the kubelet
	Note   bool      // only time tells, and it counts from a record that is written now
	Again  time.Time // when time tells; zero: it does not

	Unwritten podtemplate.Amounts // what the spec is to say yet
	lacking   string              // the first container by name that does not have its resources; "": all have
	resizing  bool                // the kubelet has not done what the spec asks for, whatever containers have
}

// runState is what is known of a container.
type runState uint8

const (
	runsRight runState = iota
	runsLater          // it is the right one, if its kubelet has by now done what an earlier image asked for; and it does not say what it knows of
	runsNot            // it does not run
	runsOld            // it is the container that ran before, as far as one can tell
	runsOther          // the pod's spec has the image of the label's revision again: somebody has taken back what the plan wrote
	runsAlike          // it is another container, and nothing tells that it is the right one
)

// Proven reports whether a pod runs what it should. One with nothing under way does, as far as anybody can tell.
func (v *Pods) Proven(p *model.Pod) bool {
	f := v.FlightOf(p)
	return f == nil || f.Unreadable || v.LookAtPod(p, f).Proven
}

// LookAtPod looks once.
func (v *Pods) LookAtPod(p *model.Pod, f *Flight) *look {
	if !f.looked {
		f.look, f.looked = v.lookOver(p, f), true
	}
	return &f.look
}

func (v *Pods) lookOver(p *model.Pod, f *Flight) (l look) {
	if p.Containers == nil {
		return l
	}
	if l.Unwritten = v.unwritten(f); !p.Containers.Known() {
		return l
	}
	f.before, f.after = v.factsOf(p.Revision).images, v.factsOf(f.Revision).images
	l.Proven = true
	for name, e := range f.Of {
		state := f.stateOf(p, f.shown[name], &e)
		switch {
		case state == runsRight || state != runsNot && state != runsOther && v.timeTells(p, f, f.shown[name], &e, state, &l):
			continue
		case l.Proven || name < l.First:
			l.First, l.state, l.reason = name, state, f.shown[name].WaitingReason
		}
		l.Proven = false
	}
	if len(f.Resize) > 0 {
		l.lacking, l.resizing = f.lacking(), p.Containers.ResizeInProgress != nil // nothing of what is refused is there, so that says the rest
		l.Proven = l.Proven && len(l.Unwritten) == 0 && l.lacking == "" && !l.resizing
	}
	return l
}

// stateOf tells by ids and names what a container runs. The kubelet knows of its image.
func (f *Flight) stateOf(p *model.Pod, c *model.Container, was *entry) runState {
	anew, back := c.ContainerID != was.ID, f.Revision == p.Revision && was.good != nil
	right := runsRight
	if p.Containers.ObservedGeneration == 0 && (was.open || back) {
		right = runsLater
	}
	old := f.oldImage(c.Name)
	switch {
	case old != "" && c.Image == old && !back:
		return runsOther
	case c.StartedAt.IsZero() || c.ContainerID == "":
		return runsNot
	case back && (c.ContainerID == was.good.ID || anew && c.ImageID == was.good.image && c.ImageID != ""):
		return right // what ran before all this; maybe the kubelet has never known of anything else
	case !anew:
		return runsOld
	case !was.open && was.image != "" && c.ImageID != "" && c.ImageID != was.image && !isNameOf(c.StatusImage, old):
		return right // nothing but the new image was to start; what is called by the old name may be that one, pulled anew
	case isNamed(c, was):
		return right
	}
	return runsAlike
}

// oldImage is the image of a container at the label's revision, if the one that the pod is on its way to has another one; "": it has not.
func (f *Flight) oldImage(container string) string {
	if old := f.before[container]; old != f.after[container] {
		return old
	}
	return ""
}

// isNamed reports whether the runtime says of a container that it has the image of the spec. A digest that the one before had, too, does not tell.
func isNamed(c *model.Container, was *entry) bool {
	_, digest, pinned := strings.Cut(c.Image, "@")
	return namesItsImage(c) && !(pinned && strings.HasSuffix(was.image, digest))
}

// namesItsImage reports whether it says so, by digest or by name. A name without a host is one of docker.io.
func namesItsImage(c *model.Container) bool {
	if _, digest, pinned := strings.Cut(c.Image, "@"); pinned && digest != "" && strings.HasSuffix(c.ImageID, digest) {
		return true
	}
	return isNameOf(c.StatusImage, c.Image)
}

// isNameOf reports whether a runtime may call an image so that a spec calls otherwise.
func isNameOf(name, image string) bool {
	image = podtemplate.Tagged(image)
	name = podtemplate.Tagged(name)
	return name != "" && (name == image || name == dockerHub+image || name == dockerHub+"library/"+image)
}

const dockerHub = "docker.io/"

// timeTells reports whether a container has run for long enough since the record was written, and notes otherwise when it will have, or that the
// record has to be written anew for that. The pod has to be ready, too: that of a lost node is not.
func (v *Pods) timeTells(p *model.Pod, f *Flight, c *model.Container, was *entry, state runState, l *look) bool {
	unknown := p.Containers.ObservedGeneration == 0
	wait := max(time.Duration(len(f.Of))*v.factsOf(f.Revision).grace+slack, slackCutOff) // a kubelet stops one container after the other
	if unknown {
		wait += slackUnknown
	}
	switch {
	case state == runsLater, state == runsAlike && unknown:
		wait = slack
	case state == runsOld && !f.provenByTime(p, c, was):
		if was.good == nil || c.ContainerID == was.good.ID {
			return false // it ran when the pod was at rest
		}
		if f.seen {
			wait += slackHung
		}
	}
	due, future := f.At.Add(wait), f.At.After(v.Now) // a clock that was set back makes nobody wait
	switch {
	case future, state == runsAlike && (!unknown || !due.After(v.Now)), state == runsOld && !f.seen && !due.After(v.Now):
		l.Note = true
	case due.After(v.Now):
		if l.Again.IsZero() || due.Before(l.Again) {
			l.Again = due
		}
	default:
		return p.Ready || state == runsLater
	}
	return false
}

// provenByTime reports whether there is nothing against a container but that its id is known: a note has found it as it is, the runtime says that it
// has the image, or it has the one of the label's revision, to which the pod goes back.
func (f *Flight) provenByTime(p *model.Pod, c *model.Container, was *entry) bool {
	noted := was.good != nil && !was.open && was.ID != was.good.ID
	back := was.good != nil && f.Revision == p.Revision && c.ImageID == was.good.image && c.ImageID != ""
	return noted || back || namesItsImage(c)
}

// Written is the record that a look asks for: the containers that cannot be told apart are noted as they are now. Those that are started from now on
// are the right ones.
func (f *Flight) Written(p *model.Pod, now time.Time) Record {
	r := Record{uid: p.UID, Revision: f.Revision, Of: make(map[string]entry, len(f.Of)), At: now, seen: true, Resize: f.Resize, Starts: f.Starts}
	for name, e := range f.Of {
		if c := f.shown[name]; f.stateOf(p, c, &e) == runsAlike {
			e = entry{ran: ranOf(c), good: e.atLabel()}
		}
		r.Of[name] = e
	}
	return r
}

// ranOf is what a container runs, as its kubelet shows it.
func ranOf(c *model.Container) ran { return ran{c.ContainerID, c.ImageID} }
