package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
)

// two is a template of two containers and a sidecar, besides an init container.
func two(web, log, side string) string {
	return fmt.Sprintf(`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web:%s","name":"web"},{"image":"log:%s","name":"log"}],`+
		`"initContainers":[{"image":"init:1","name":"init"},{"image":"side:%s","name":"side","restartPolicy":"Always"}]}}`, web, log, side)
}

// TestStarts: what a write says that brings a pod on its way, and what it says when the pod is sent elsewhere again and again. What ran at the
// label's revision is never forgotten.
func TestStarts(t *testing.T) {
	w := newWorld(0).asks(policy.InPlace, "InPlaceOnly").template(two("1", "1", "1"))
	w.Revisions = nil
	labelled := w.revision(1, two("1", "1", "1"))
	w.Set.Replicas = 1
	p := w.pod(0)
	p.Revision = labelled
	w.answers(inplace.AnnotationUpdate, inplace.NothingUnderWay, "web-0")
	number := int64(1)
	of := &model.PodContainers{Generation: 1, ObservedGeneration: 1, Containers: []model.Container{running("web", "web:1", 1), running("log", "log:1", 1)},
		Init: []model.Container{{Name: "init", Image: "init:1"}, running("side", "side:1", 1)}}
	p.Containers = of
	// runs lets the kubelet run a container of some generation.
	runs := func(list []model.Container, i, n int) { list[i] = running(list[i].Name, list[i].Image, n) }
	for _, row := range []struct {
		reason, web, log, side string
		before                 func()
		want                   string
	}{
		{"the first time", "2", "1", "1", func() {}, `{web 1} web=web:2 log=log:1`},
		{"elsewhere, and the kubelet knows nothing", "3", "1", "2", func() {}, `{side 1, web 1 after 1 open} init=init:1 side=side:2 web=web:3 log=log:1`},
		{"to what it came from, while it runs the last image", "1", "1", "1", func() {
			p.Ready, of.ObservedGeneration = false, of.Generation
			runs(of.Containers, 0, 2)
			runs(of.Init, 1, 2)
		}, `{side 2 after 1 open, web 2 after 1 open} init=init:1 side=side:1 web=web:1 log=log:1`},
		{"and forth, before that is known", "2", "1", "1", func() {}, `{side 2 after 1 open, web 2 after 1 open} web=web:2 log=log:1`},
		{"another container, while the first has not restarted", "2", "2", "1", func() { of.ObservedGeneration = of.Generation }, `{log 1, side 2 after 1 open, web 2 after 1 open} web=web:2 log=log:2`},
		{"and back", "1", "1", "1", func() {
			of.ObservedGeneration = of.Generation
			runs(of.Containers, 0, 9)
		}, `{log 1 after 1 open, side 2 after 1 open, web 9 after 1 open} web=web:1 log=log:1`},
	} {
		number++
		row.before()
		w.template(two(row.web, row.log, row.side))
		if name := podtemplate.RevisionName("web", hashOf(patchOf(mustTree(two(row.web, row.log, row.side)), nil), 0)); !w.stores(name, number) {
			w.revision(number, two(row.web, row.log, row.side))
		}
		plan := Decide(&w.settled().Snapshot)
		var op model.UpdatePod
		for _, a := range allActions(plan) {
			if update, is := a.Op.(model.UpdatePod); is {
				op = update
			}
		}
		check(t, row.reason, "write", startText(op), row.want)
		for _, list := range [][]model.ContainerImage{op.Containers, op.InitContainers} {
			for _, image := range list {
				for _, containers := range [][]model.Container{of.Containers, of.Init} {
					for i := range containers {
						if containers[i].Name == image.Name {
							containers[i].Image = image.Image
						}
					}
				}
			}
		}
		of.Generation++
		for _, note := range op.Annotations {
			w.answers(note.Key, note.Value, "web-0")
		}
	}
}

// stores gives a stored revision another number; false: there is none of that name.
func (w *world) stores(name string, number int64) bool {
	for i := range w.Revisions {
		if w.Revisions[i].Name == name {
			w.Revisions[i].Number = number
			return true
		}
	}
	return false
}

// startText is a start in few words: the containers of the record with the number of what ran, and of what was good; and the images.
func startText(op model.UpdatePod) string {
	var entries []string
	for _, note := range op.Annotations {
		var r struct {
			Containers map[string]struct {
				ID   string
				Good *struct{ ID string }
				Open bool
			}
		}
		_ = json.Unmarshal([]byte(note.Value), &r) // of other annotations: none
		for _, name := range []string{"log", "side", "web"} {
			e, there := r.Containers[name]
			if !there {
				continue
			}
			text := name + " " + strings.TrimPrefix(e.ID, name+"-")
			if e.Good != nil {
				text += " after " + strings.TrimPrefix(e.Good.ID, name+"-")
			}
			if e.Open {
				text += " open"
			}
			entries = append(entries, text)
		}
	}
	images := detailOf(model.UpdatePod{Containers: op.Containers, InitContainers: op.InitContainers})
	return "{" + strings.Join(entries, ", ") + "} " + strings.Trim(images, " []")
}
