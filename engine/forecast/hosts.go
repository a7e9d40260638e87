package forecast

import (
	"cmp"
	"slices"
	"time"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// hosts is what the machines and programs of the cluster do, by the assumptions.
type hosts struct {
	*cluster
	takes   Hosts           // how long everything takes
	due     []duty          // what happens later, in no order
	waiting []string        // pods that no host has taken, by name
	broken  brokenRevisions // see broken.go
	events  []Event         // since the last step
	assume  func(sentence string, of ...any)
	lag     bool // kubelets see a change of a pod only after the next plan
}

// What kubelets that lag do later, and nobody is told of.
const (
	seesImages EventKind = -1 - iota
	seesResources
)

// duty is something that happens to a pod at a time, if it is still meant then.
type duty struct {
	at       time.Time
	what     EventKind
	pod, uid string
	answer   model.KeyValue // to a question; zero: that of a drain
}

// later plans what happens to a pod.
func (h *hosts) later(p *model.Pod, what EventKind, at time.Time) {
	h.due = append(h.due, duty{at: at, what: what, pod: p.Name, uid: p.UID})
}

// next is when something happens; ok is false if nothing does any more.
func (h *hosts) next() (at time.Time, ok bool) {
	h.few(len(h.due))
	for _, d := range h.due {
		if !ok || d.at.Before(at) {
			at, ok = d.at, true
		}
	}
	return at, ok
}

// moveTo moves the clock, and does what is due by then.
func (h *hosts) moveTo(at time.Time) {
	h.few(len(h.due))
	var now, later []duty
	for _, d := range h.due {
		if d.at.After(at) {
			later = append(later, d)
		} else {
			now = append(now, d)
		}
	}
	h.due = later
	h.ObservedAt = at
	h.sorting(len(now))
	slices.SortStableFunc(now, func(a, b duty) int { return byName(a.pod, b.pod) })
	for _, d := range now {
		if p := h.pod(d.pod); p != nil && p.UID == d.uid {
			h.happen(p, d)
		}
	}
	h.settle()
}

// byName orders web-2 before web-10.
func byName(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// happen is a duty, if the pod still lives as it did.
func (h *hosts) happen(p *model.Pod, d duty) {
	what := d.what
	h.lookAt(p)
	if going := p.Terminating(); going != (what == Gone) || p.HasEnded() && what != Gone {
		return
	}
	switch what {
	case seesImages:
		h.restart(p)
		return
	case seesResources:
		h.give(p)
		return
	case Gone:
		h.podGoes(p)
		return // which tells of it
	case Available:
		h.tellEvent(what, model.KindPod, p.Name)
		return // nobody writes it
	case Ready:
		h.ready(p)
	case Drained:
		h.drained(p)
	case Answered:
		answer, due := d.answer, true
		if answer == (model.KeyValue{}) {
			answer, due = engine.DrainAnswer(p)
		}
		if !due {
			return
		}
		p.Annotations = h.patched(p.Annotations, model.PatchAnnotations{Set: []model.KeyValue{answer}})
	}
	p.ResourceVersion = h.number()
	h.tellEvent(what, model.KindPod, p.Name)
}

func (h *hosts) tellEvent(what EventKind, kind, name string) {
	h.events = append(h.events, Event{At: h.now(), Kind: what, Subject: kind, Name: name})
}

func (h *hosts) ready(p *model.Pod) {
	h.refused = nil                                                        // with one more pod that is healthy, budgets have room
	p.Phase, p.Ready, p.ReadyChangedAt = model.PodRunning, true, h.stamp() // a pod is pending as long as an image of it is pulled
	if at, _ := h.Availability().AvailableAt(p); at.After(h.now()) {
		h.later(p, Available, at)
	}
}

// drained lets a drain pod succeed; each container that was given a token returns it.
func (h *hosts) drained(p *model.Pod) {
	p.Phase, p.Ready = model.PodSucceeded, false
	if p.Ended == nil {
		return
	}
	h.hold(16 * len(p.Ended.Messages))
	messages, token := make([]string, len(p.Ended.Messages)), engine.DrainToken(p)
	for i := range messages {
		messages[i] = token
	}
	p.Ended = &model.PodEnded{Messages: messages}
}

// see is what hosts make of a change.
func (h *hosts) see(ch *change) {
	switch ch.kind {
	case podMade:
		h.waiting = append(h.waiting, ch.pod.Name)
	case podGoing:
		h.assume(goesLater, h.takes.GoneAfter)
		h.later(&ch.pod, Gone, h.now().Add(h.takes.GoneAfter))
	case podAsked:
		h.assume(answersLater, h.takes.AnsweredAfter)
		h.later(&ch.pod, Answered, h.now().Add(h.takes.AnsweredAfter))
	case podRevised:
		h.soon(h.pod(ch.pod.Name), seesImages)
	case podResized:
		h.soon(h.pod(ch.pod.Name), seesResources)
	case podGone:
		h.tellEvent(Gone, model.KindPod, ch.pod.Name)
	case claimGone:
		h.tellEvent(Gone, model.KindClaim, ch.claim.Name)
	}
}

// soon lets a kubelet see what has changed of a pod.
func (h *hosts) soon(p *model.Pod, what EventKind) {
	d := duty{at: h.now(), what: what, pod: p.Name, uid: p.UID}
	if h.lag && !slices.Contains(h.due, d) {
		h.due = append(h.due, d)
	} else if !h.lag {
		h.happen(p, d)
	}
}

// hear lets whoever is asked agree to the updates that wait for it.
func (h *hosts) hear(blocks []model.Block) {
	for i := range blocks {
		h.work(1)
		answer, asked := blocks[i].Asks()
		if !asked {
			continue
		}
		h.few(len(h.due))
		p := h.pod(blocks[i].Name)
		if p == nil || slices.ContainsFunc(h.due, func(d duty) bool { return d.uid == p.UID && d.answer == answer }) {
			continue
		}
		h.assume(agreesLater, h.takes.AnsweredAfter)
		h.due = append(h.due, duty{h.now().Add(h.takes.AnsweredAfter), Answered, p.Name, p.UID, answer})
	}
}

// settle is what happens at once: the garbage collector collects, and pods start whose claims are there.
func (h *hosts) settle() {
	h.tidy()
	h.startPods()
}
