package inplace

import (
	"strconv"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/state"
)

// AnnotationUpdate is of a pod whose images or resources are updated in place. Its value is the record of what is under way, and only plans write it. It is in
// the write that changes the images, so there is never one without the other; the label of the revision follows in another write, once the
// containers run what they should. Until then the record says what the pod is made to run.
const AnnotationUpdate = "setplan.io/in-place-update"

// NothingUnderWay is the record of a pod at rest. Pods have it from before their first such update on: snapshots say of marked pods alone what runs
// in them.
const NothingUnderWay = "{}"

// Record is what is under way in a pod. JSON: {"at":1772366400,"containers":{"web":{"id":"..","image":".."}},"revision":"..","seen":true},
// and where resources change "resize":{"web":{"limits":{"cpu":"1"}}},"restarts":true
type Record struct {
	uid      string           // of the pod; "": builds before 0.2.0 did not write it
	Revision string           // that the pod has the images, labels and annotations of, whatever its label says
	Of       map[string]entry // by container; those whose images have changed since the pod was at rest
	At       time.Time        // of the write, in whole seconds
	// seen: when this was written the kubelet knew of the images, so a container that runs since then long enough is the one that is to run.
	seen bool
	// resize: what the spec of the pod showed of the resources that have changed since it was at rest, when they were to change.
	Resize podtemplate.Amounts
	Starts bool // containers start again to get them
}

// Restarts reports whether containers may be about to start again.
func (r *Record) Restarts() bool { return r.Starts || len(r.Of) > 0 }

// entry is what the status said of a container when the record was written.
type entry struct {
	ran
	good *ran // what ran at the revision of the label; nil: that is the entry itself
	// open: the image had changed before. A kubelet may start that image yet, so another image than was seen proves nothing.
	open bool
}

// ran is a container and its image, by the ids of the container runtime. Empty: the status did not say.
type ran struct{ ID, image string }

// atLabel is what ran at the revision of the label. Every later entry keeps it, since the pod may be sent back at any time.
func (e entry) atLabel() *ran {
	if e.good != nil {
		return e.good
	}
	return &e.ran // of a copy
}

// Text is the value of the annotation.
func (r *Record) Text() string {
	containers := make([]jsontree.Member, 0, len(r.Of))
	for name, e := range r.Of { // which are written in order
		members := e.members()
		if e.good != nil {
			members = append(members, jsontree.Member{Key: "good", Value: jsontree.NewObject(e.good.members()...)})
		}
		if e.open {
			members = append(members, jsontree.Member{Key: "open", Value: yes})
		}
		containers = append(containers, jsontree.Member{Key: name, Value: jsontree.NewObject(members...)})
	}
	members := []jsontree.Member{{Key: "at", Value: jsontree.Value{Kind: jsontree.Number, Text: strconv.FormatInt(r.At.Unix(), 10)}},
		{Key: "containers", Value: jsontree.NewObject(containers...)}, {Key: "revision", Value: jsontree.NewString(r.Revision)}}
	if len(r.Resize) > 0 {
		members = append(members, jsontree.Member{Key: "resize", Value: r.Resize.Value()})
	}
	if r.Starts {
		members = append(members, jsontree.Member{Key: "restarts", Value: yes})
	}
	if r.seen {
		members = append(members, jsontree.Member{Key: "seen", Value: yes})
	}
	if r.uid != "" {
		members = append(members, jsontree.Member{Key: "uid", Value: jsontree.NewString(r.uid)})
	}
	return string(jsontree.Append(nil, jsontree.NewObject(members...)))
}

var yes = jsontree.Value{Kind: jsontree.Bool, Text: "true"}

func (r *ran) members() []jsontree.Member {
	return []jsontree.Member{{Key: "id", Value: jsontree.NewString(r.ID)}, {Key: "image", Value: jsontree.NewString(r.image)}}
}

// ReadRecord is the way back. ok is false for a text that no plan of this release writes, to the letter: what it means for the pod is not known then.
func ReadRecord(text string) (r Record, ok bool) {
	if len(text) > state.MostAnnotations {
		return r, false
	}
	tree, err := jsontree.Parse([]byte(text))
	if err != nil {
		return r, false
	}
	seconds, _ := strconv.ParseInt(tree.Get("at").Text, 10, 64)
	r.At, r.Revision, r.seen = time.Unix(min(max(seconds, 0), latestSecond), 0), tree.Get("revision").Text, tree.Get("seen").Text == "true"
	r.Of = make(map[string]entry, len(tree.Get("containers").Members()))
	for _, m := range tree.Get("containers").Members() {
		if m.Value.Get("id").Kind != jsontree.String || m.Value.Get("image").Kind != jsontree.String {
			return Record{}, false
		}
		e := entry{ran: ranNoted(m.Value), open: m.Value.Get("open").Text == "true"}
		if good := m.Value.Get("good"); good.Kind != jsontree.Null {
			was := ranNoted(good)
			e.good = &was
		}
		r.Of[m.Key] = e
	}
	r.Resize, r.Starts, r.uid = podtemplate.ReadAmounts(tree.Get("resize")), tree.Get("restarts").Text == "true", tree.Get("uid").Text
	return r, r.Revision != "" && len(r.Of)+len(r.Resize) > 0 && r.Text() == text
}

// latestSecond is one that a duration since the zero time can hold.
const latestSecond = 1 << 33

func ranNoted(v jsontree.Value) ran { return ran{v.Get("id").Text, v.Get("image").Text} }

// Flight is a record as a pass has read it.
type Flight struct {
	Record
	Unreadable bool                        // it says nothing, and what the pod runs is not known
	shown      map[string]*model.Container // containers and sidecars of the pod, by name
	before     map[string]string           // by name, images of the label's revision
	after      map[string]string           // and of the one that the pod is on its way to
	looked     bool                        // look is that of proof
	look       look
	judged     bool // refused and untaken are what is known; see resizeOf
	refused    *refusal
	untaken    bool
	// RefusedFrom is from when on the pod is refused, unless its kubelet says something else until then.
	RefusedFrom time.Time
}

// FlightOf is what is under way in a pod of the set; nil: nothing is.
func (v *Pods) FlightOf(p *model.Pod) *Flight { return v.flights[p] }

// isOfShown reports whether the containers of a record are among those that are shown.
func (f *Flight) isOfShown() bool {
	if len(f.Of) > len(f.shown) || len(f.Resize) > len(f.shown)*len(model.Resizable) {
		return false
	}
	for name := range f.Of {
		if f.shown[name] == nil {
			return false
		}
	}
	for of := range f.Resize {
		if f.shown[of.Container] == nil {
			return false
		}
	}
	return true
}

// readOf is a record as ReadRecord returns it.
type readOf struct {
	record Record
	ok     bool
}

// mostRecorded is how many values the records of a pass have in all, by their commas. It is more than fit into a snapshot with records that kubelets have filled.
const mostRecorded = 1 << 20

// recordIn reads the record in annotations, once for all pods that share them.
func (v *Pods) recordIn(a *model.Annotations) (Record, bool) {
	read, known := v.records[a]
	if !known {
		if v.records == nil {
			v.records = map[*model.Annotations]readOf{}
		}
		text := a.Values[AnnotationUpdate]
		if v.recorded += strings.Count(text, ",") + 1; v.recorded <= mostRecorded && !v.Ends() {
			if r, ok := ReadRecord(text); ok {
				read = readOf{r, true}
			}
		}
		v.records[a] = read
	}
	return read.record, read.ok
}

// shownOf are the containers that the snapshot shows of a pod, by name. Of several with one name none is known.
func (v *Pods) shownOf(p *model.Pod) map[string]*model.Container {
	if p.Containers == nil {
		return nil
	}
	lists := [...][]model.Container{p.Containers.Containers, p.Containers.Init}
	shown := make(map[string]*model.Container, len(lists[0])+len(lists[1]))
	for _, list := range lists {
		for i := range list {
			c := &list[i]
			if _, twice := shown[c.Name]; twice {
				c = nil
			}
			shown[list[i].Name] = c
		}
	}
	return shown
}

// UnderWay reports whether a pod is on its way to a revision, or what is under way cannot be read. Nearly no pod has annotations, and who calls
// this asks for them first.
func (v *Pods) UnderWay(p *model.Pod) bool { return v.FlightOf(p) != nil }

// IsMarked reports whether the pod is one of which snapshots say what runs in it.
func IsMarked(p *model.Pod) bool {
	if p.Annotations == nil {
		return false
	}
	_, marked := p.Annotations.Values[AnnotationUpdate]
	return marked
}

// SpecOf is the revision that a pod is meant to run: the one that it is being changed to, or else that of its label. It is empty if unknown.
func (v *Pods) SpecOf(p *model.Pod) string {
	if f := v.FlightOf(p); f != nil {
		return f.Revision
	}
	return p.Revision
}
