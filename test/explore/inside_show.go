package explore

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// annotationUpdate is of a pod: the record of what is under way. Its text is for plans alone, which read only what they have written to the letter.
const annotationUpdate = "setplan.io/in-place-update"

// sinceRecord is how old every record is: old enough for a repair of the pod, and too young for time to prove anything.
const sinceRecord = 15 * time.Second

// noteOfPod is all that the annotations of a pod say.
type noteOfPod struct {
	mayLeave, confirmed, rev revision
	marked                   bool
	to, was                  revision
	record                   record
}

// notesOf are the annotations of a pod.
func (s *scribe) notesOf(p pod) *model.Annotations {
	in := &p.inside
	if !in.marked {
		return s.answers[p.mayLeave][p.confirmed]
	}
	key := noteOfPod{p.mayLeave, p.confirmed, p.rev, in.marked, in.to, in.was, in.record}
	if s.podNotes[key] == nil {
		values := map[string]string{annotationUpdate: s.recordText(p)}
		if answers := s.answers[p.mayLeave][p.confirmed]; answers != nil {
			for name, answer := range answers.Values {
				values[name] = answer
			}
		}
		s.podNotes[key] = &model.Annotations{Values: values}
	}
	return s.podNotes[key]
}

func (s *scribe) recordText(p pod) string {
	in, r := &p.inside, p.inside.record
	if in.to == 0 {
		return "{}"
	}
	containers, resize := "", ""
	if s.config.Inside == ofImages {
		ran := func(i id, image revision) string {
			return fmt.Sprintf(`"id":%q,"image":%q`, i, digestOf(image))
		}
		containers = `"web":{`
		if r.goesOn() {
			rest := ran(earliest, p.rev)
			if r.none {
				rest = ran(noContainer, 0)
			}
			containers += `"good":{` + rest + `},`
		}
		containers += ran(r.id, r.image)
		if r.open {
			containers += `,"open":true`
		}
		containers += "}"
	} else {
		resize = fmt.Sprintf(`,"resize":{"web":{"requests":{"cpu":%q}}}`, cpuOf(in.was))
	}
	text := fmt.Sprintf(`{"at":%d,"containers":{%s}%s,"revision":%q`, noon.Add(-sinceRecord).Unix(), containers, resize, s.name(in.to))
	if r.seen {
		text += `,"seen":true`
	}
	return text + "}"
}

// containersOf is what a pod shows of its container.
func (s *scribe) containersOf(p pod) *model.PodContainers {
	in := &p.inside
	if !in.marked {
		return nil
	}
	shown := &model.PodContainers{Generation: 2, ObservedGeneration: 2}
	if in.late {
		shown.ObservedGeneration = 1
	}
	c := model.Container{Name: "web", Image: imageOf(1)}
	runs := p.phase == running || p.phase == ready || p.phase == recovering
	if s.config.Inside == ofImages {
		c.Image, c.StatusImage, c.ImageID, c.ContainerID = imageOf(p.at()), imageOf(in.runs), digestOf(in.runs), in.id.String()
	} else {
		c.Resources = amounts(in.asks)
		if runs {
			has := amounts(in.has)
			c.StatusResources, c.StatusImage, c.ImageID, c.ContainerID = &has, imageOf(1), digestOf(1), earliest.String()
		}
		if in.answer != granted {
			shown.ResizePending = &model.PodResize{Reason: in.answer.String(), Message: "no room", Since: noon, ObservedGeneration: shown.ObservedGeneration}
		}
	}
	if runs {
		c.StartedAt = noon.Add(-time.Hour)
	}
	shown.Containers = []model.Container{c}
	return shown
}

// readRecord translates the annotation.
func (p *planner) readRecord(w *write, a *model.Action, text string) error {
	if text == "{}" {
		w.inside.finishes = true
		return nil
	}
	type ran struct{ ID, Image string }
	var read struct {
		Containers map[string]struct {
			ran
			Good *ran
			Open bool
		}
		Revision string
		Seen     bool
		Resize   map[string]map[string]map[string]string
	}
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		return err
	}
	w.inside.notes, w.inside.to, w.inside.record.seen = true, p.scribe.revisionOf(read.Revision), read.Seen
	if w.inside.to == 0 {
		return fmt.Errorf("%s goes to revision %s, which nobody knows", a.ID, read.Revision)
	}
	for r := revision(1); r <= changedRevision; r++ {
		if read.Resize["web"]["requests"]["cpu"] == cpuOf(r) {
			w.inside.was = r
		}
	}
	e, r := read.Containers["web"], &w.inside.record
	var err error
	var known bool
	if r.image, err = imageIn(e.Image, digestOf); err != nil {
		return err
	}
	if r.id, known = idOf(e.ID); !known {
		return fmt.Errorf("%s notes container %s", a.ID, e.ID)
	}
	r.open = e.Open
	if r.none = e.Good != nil && e.Good.ID == ""; r.goesOn() != (e.Good != nil) {
		return fmt.Errorf("%s notes %s", a.ID, text)
	}
	return nil
}

// readMark translates the annotation of a pod whose container is shown from then on.
func readMark(w *write, a *model.Action) error {
	w.op, w.inside.marks = updatePod, true
	if op := a.Op.(model.PatchAnnotations); !slices.Equal(op.Set, []model.KeyValue{{Key: annotationUpdate, Value: "{}"}}) || len(op.Remove) > 0 {
		return fmt.Errorf("%s sets %v", a.ID, op.Set)
	}
	return nil
}

// capabilities are those of the adapters of a search. Conditions follow from the rest of the state.
func (config *Config) capabilities() model.Capabilities {
	can := model.AllCapabilities &^ model.CanSetConditions
	if config.Inside == noInside {
		can &^= model.CanUpdateImages
	}
	return can
}

func (i inner) String() string {
	return [...]string{"", " with images", " with resources"}[i]
}

func (in inside) String() (text string) {
	if in.to != 0 {
		text += ", on its way to " + in.to.String()
	}
	if in.runs != 0 && in.runs != in.knows {
		text += ", runs " + in.runs.String()
	}
	if in.has != in.asks {
		text += ", has what " + in.has.String() + " has " + in.answer.String()
	}
	if in.late {
		text += ", kubelet late"
	}
	return text
}

func (w insideWrite) String() string {
	switch {
	case w.marks:
		return ", mark"
	case w.resizes:
		return ", resize"
	case w.finishes:
		return ", finish"
	case w.images:
		return ", start"
	case w.notes:
		return ", note"
	}
	return ""
}
