package engine

import (
	"strconv"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// annotationUpdate is of a pod whose images or resources are updated in place. Its value is the record of what is under way, and only plans write it. It is in
// the write that changes the images, so there is never one without the other; the label of the revision follows in another write, once the
// containers run what they should. Until then the record says what the pod is made to run.
const annotationUpdate = "setplan.io/in-place-update"

// nothingUnderWay is the record of a pod at rest. Pods have it from before their first such update on: snapshots say of marked pods alone what runs
// in them.
const nothingUnderWay = "{}"

// record is what is under way in a pod. JSON: {"at":1772366400,"containers":{"web":{"id":"..","image":".."}},"revision":"..","seen":true},
// and where resources change "resize":{"web":{"limits":{"cpu":"1"}}},"restarts":true
type record struct {
	uid      string           // of the pod; "": builds before 0.2.0 did not write it
	revision string           // that the pod has the images, labels and annotations of, whatever its label says
	of       map[string]entry // by container; those whose images have changed since the pod was at rest
	at       time.Time        // of the write, in whole seconds
	// seen: when this was written the kubelet knew of the images, so a container that runs since then long enough is the one that is to run.
	seen bool
	// resize: what the spec of the pod showed of the resources that have changed since it was at rest, when they were to change.
	resize amounts
	starts bool // containers start again to get them
}

// restarts reports whether containers may be about to start again.
func (r *record) restarts() bool { return r.starts || len(r.of) > 0 }

// entry is what the status said of a container when the record was written.
type entry struct {
	ran
	good *ran // what ran at the revision of the label; nil: that is the entry itself
	// open: the image had changed before. A kubelet may start that image yet, so another image than was seen proves nothing.
	open bool
}

// ran is a container and its image, by the ids of the container runtime. Empty: the status did not say.
type ran struct{ id, image string }

// atLabel is what ran at the revision of the label. Every later entry keeps it, since the pod may be sent back at any time.
func (e entry) atLabel() *ran {
	if e.good != nil {
		return e.good
	}
	return &e.ran // of a copy
}

// text is the value of the annotation.
func (r *record) text() string {
	containers := make([]jsontree.Member, 0, len(r.of))
	for name, e := range r.of { // which are written in order
		members := e.members()
		if e.good != nil {
			members = append(members, jsontree.Member{Key: "good", Value: jsontree.NewObject(e.good.members()...)})
		}
		if e.open {
			members = append(members, jsontree.Member{Key: "open", Value: yes})
		}
		containers = append(containers, jsontree.Member{Key: name, Value: jsontree.NewObject(members...)})
	}
	members := []jsontree.Member{{Key: "at", Value: jsontree.Value{Kind: jsontree.Number, Text: strconv.FormatInt(r.at.Unix(), 10)}},
		{Key: "containers", Value: jsontree.NewObject(containers...)}, {Key: "revision", Value: jsontree.NewString(r.revision)}}
	if len(r.resize) > 0 {
		members = append(members, jsontree.Member{Key: "resize", Value: r.resize.value()})
	}
	if r.starts {
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
	return []jsontree.Member{{Key: "id", Value: jsontree.NewString(r.id)}, {Key: "image", Value: jsontree.NewString(r.image)}}
}

// readRecord is the way back. ok is false for a text that no plan of this release writes, to the letter: what it means for the pod is not known then.
func readRecord(text string) (r record, ok bool) {
	if len(text) > mostAnnotations {
		return r, false
	}
	tree, err := jsontree.Parse([]byte(text))
	if err != nil {
		return r, false
	}
	seconds, _ := strconv.ParseInt(tree.Get("at").Text, 10, 64)
	r.at, r.revision, r.seen = time.Unix(min(max(seconds, 0), latestSecond), 0), tree.Get("revision").Text, tree.Get("seen").Text == "true"
	r.of = make(map[string]entry, len(tree.Get("containers").Members()))
	for _, m := range tree.Get("containers").Members() {
		if m.Value.Get("id").Kind != jsontree.String || m.Value.Get("image").Kind != jsontree.String {
			return record{}, false
		}
		e := entry{ran: ranNoted(m.Value), open: m.Value.Get("open").Text == "true"}
		if good := m.Value.Get("good"); good.Kind != jsontree.Null {
			was := ranNoted(good)
			e.good = &was
		}
		r.of[m.Key] = e
	}
	r.resize, r.starts, r.uid = readAmounts(tree.Get("resize")), tree.Get("restarts").Text == "true", tree.Get("uid").Text
	return r, r.revision != "" && len(r.of)+len(r.resize) > 0 && r.text() == text
}

// latestSecond is one that a duration since the zero time can hold.
const latestSecond = 1 << 33

func ranNoted(v jsontree.Value) ran { return ran{v.Get("id").Text, v.Get("image").Text} }

// flight is a record as a pass has read it.
type flight struct {
	record
	unreadable bool                        // it says nothing, and what the pod runs is not known
	shown      map[string]*model.Container // containers and sidecars of the pod, by name
	before     map[string]string           // by name, images of the label's revision
	after      map[string]string           // and of the one that the pod is on its way to
	looked     bool                        // look is that of proof
	look       look
	judged     bool // refused and untaken are what is known; see resizeOf
	refused    *refusal
	untaken    bool
	// refusedFrom is from when on the pod is refused, unless its kubelet says something else until then.
	refusedFrom time.Time
}

// flightOf is what is under way in a pod of the set; nil: nothing is.
func (v *view) flightOf(p *model.Pod) *flight { return v.flights[p] }

// isOfShown reports whether the containers of a record are among those that are shown.
func (f *flight) isOfShown() bool {
	if len(f.of) > len(f.shown) || len(f.resize) > len(f.shown)*len(resizable) {
		return false
	}
	for name := range f.of {
		if f.shown[name] == nil {
			return false
		}
	}
	for of := range f.resize {
		if f.shown[of.container] == nil {
			return false
		}
	}
	return true
}

// readOf is a record as readRecord returns it.
type readOf struct {
	record record
	ok     bool
}

// mostRecorded is how many values the records of a pass have in all, by their commas. It is more than fit into a snapshot with records that kubelets have filled.
const mostRecorded = 1 << 20

// recordIn reads the record in annotations, once for all pods that share them.
func (v *view) recordIn(a *model.Annotations) (record, bool) {
	read, known := v.records[a]
	if !known {
		if v.records == nil {
			v.records = map[*model.Annotations]readOf{}
		}
		text := a.Values[annotationUpdate]
		if v.recorded += strings.Count(text, ",") + 1; v.recorded <= mostRecorded && !v.ends() {
			if r, ok := readRecord(text); ok {
				read = readOf{r, true}
			}
		}
		v.records[a] = read
	}
	return read.record, read.ok
}

// shownOf are the containers that the snapshot shows of a pod, by name. Of several with one name none is known.
func (v *view) shownOf(p *model.Pod) map[string]*model.Container {
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

// underWay reports whether a pod is on its way to a revision, or what is under way cannot be read. Nearly no pod has annotations, and who calls
// this asks for them first.
func (v *view) underWay(p *model.Pod) bool { return v.flightOf(p) != nil }

// marked reports whether the pod is one of which snapshots say what runs in it.
func isMarked(p *model.Pod) bool {
	if p.Annotations == nil {
		return false
	}
	_, marked := p.Annotations.Values[annotationUpdate]
	return marked
}

// specOf is the revision that a pod is made to run: of its label, or the one that it is on its way to. "": nobody knows.
func (v *view) specOf(p *model.Pod) string {
	if f := v.flightOf(p); f != nil {
		return f.revision
	}
	return p.Revision
}
