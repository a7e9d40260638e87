package outside

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What an adapter sends.
var snapshotCases = []testCase{
	{"A1", "templates keep every digit", func(b *bench) {
		b.script(nothing)
		b.web(1, func(set object) {
			template := inside(set, "spec", "template")
			inside(template, "spec")["terminationGracePeriodSeconds"] = json.Number("9007199254740993")
			inside(template, "metadata")["annotations"] = object{"odd": "1.0 <&> \u2028 é \x7f"}
		})
		set := b.asked(1).request.GetSnapshot().GetSet()
		stored := inside(b.get("statefulsets/web"), "spec")
		b.sameJSON("the pod template", stored["template"], set.GetPodTemplate())
		templates, _ := stored["volumeClaimTemplates"].([]any)
		if len(templates) != 1 || len(set.GetClaimTemplates()) != 1 {
			b.stopf("%d claim templates were sent, the set has %d", len(set.GetClaimTemplates()), len(templates))
		}
		b.sameJSON("the claim template", templates[0], set.GetClaimTemplates()[0])
	}},
	{"A1", "revisions keep every digit", func(b *bench) {
		b.script(nothing)
		b.web(1)
		b.create("controllerrevisions", object{"metadata": object{"name": "web-odd", "labels": object{"app": "web"}}, "revision": 1,
			"data": object{"spec": object{"big": json.Number("9007199254740993"), "text": "<&> \u2028 é"}}})
		b.shows("the snapshot has the revision", func(s *setplanv1.Snapshot) string {
			for _, r := range s.GetRevisions() {
				if r.GetName() == "web-odd" {
					b.sameJSON("the data of the revision", b.get("controllerrevisions/web-odd")["data"], r.GetData())
					return ""
				}
			}
			return "it has none"
		})
	}},
	{"A2", "the snapshot has every object that it has to have", func(b *bench) {
		b.grown(2)
		b.forget(nothing)
		labels := object{"app": "web"}
		pod := func(name string, labels object) object {
			return object{"metadata": object{"name": name, "labels": labels}, "spec": inside(b.get("statefulsets/web"), "spec", "template")["spec"]}
		}
		claim := func(name string) object {
			return object{"metadata": object{"name": name}, "spec": object{"accessModes": []any{"ReadWriteOnce"}, "resources": object{"requests": object{"storage": "1Gi"}}}}
		}
		b.create("pods", pod("web-7", labels))             // without an owner, and with the set's labels
		b.create("pods", pod("web-8", object{"app": "x"})) // with a name that the set might need
		b.create("persistentvolumeclaims", claim("data-web-9"))
		b.create("controllerrevisions", object{"metadata": object{"name": "web-other", "labels": labels}, "revision": 1, "data": object{"spec": object{}}})
		want := "[data-web-0 data-web-1 data-web-9] [web-0 web-1 web-7 web-8] web-other"
		b.shows("the snapshot has all objects", func(s *setplanv1.Snapshot) string {
			if !s.GetCoverage().GetPods() || !s.GetCoverage().GetClaims() || !s.GetCoverage().GetRevisions() {
				b.stopf("the coverage is %v", s.GetCoverage())
			}
			var pods, claims []string
			other := ""
			for _, p := range s.GetPods() {
				pods = append(pods, p.GetName())
			}
			for _, c := range s.GetClaims() {
				claims = append(claims, c.GetName())
			}
			for _, r := range s.GetRevisions() {
				if r.GetName() == "web-other" {
					other = r.GetName()
				}
			}
			slices.Sort(pods)
			slices.Sort(claims)
			if got := fmt.Sprintf("%v %v %s", claims, pods, other); got != want {
				return "it has " + got + ", want " + want
			}
			return ""
		})
	}},
	{"A18", "annotations of the set are sent as they are, and no policy is made of them", func(b *bench) {
		b.script(nothing)
		b.web(1, func(set object) {
			inside(set, "metadata")["annotations"] = object{"setplan.io/drain-max-parallel": "3", "setplan.io/of-tomorrow": "x", "example.com/a": " y\n"}
		})
		s := b.asked(1).request.GetSnapshot()
		stored := map[string]string{}
		for name, value := range inside(b.get("statefulsets/web"), "metadata", "annotations") {
			stored[name], _ = value.(string)
		}
		if !maps.Equal(stored, s.GetSet().GetAnnotations()) {
			b.failf("annotations %v were sent, the set has %v", s.GetSet().GetAnnotations(), stored)
		}
		if p := s.GetPolicy(); p.GetDrain() != nil || p.GetRepair() != 0 {
			b.failf("the policy is %v", p)
		}
	}},
	{"D5", "annotations of pods and claims under setplan.io/ are sent, and no others", func(b *bench) {
		b.grown(1)
		for _, what := range []string{"pods/web-0", "persistentvolumeclaims/data-web-0"} {
			b.patch(what, object{"metadata": object{"annotations": object{"setplan.io/of-tomorrow": "x y", "example.com/a": "b"}}})
		}
		b.forget(nothing)
		b.shows("they are in a snapshot", func(s *setplanv1.Snapshot) string {
			for _, index := range []uint32{s.GetPods()[0].GetAnnotationSetIndex(), s.GetClaims()[0].GetAnnotationSetIndex()} {
				if index == 0 || int(index) >= len(s.GetTables().GetAnnotationSets()) {
					return "an object has none"
				}
				if got := s.GetTables().GetAnnotationSets()[index].GetAnnotations(); len(got) != 1 || got["setplan.io/of-tomorrow"] != "x y" {
					return fmt.Sprintf("they are %v", got)
				}
			}
			return ""
		})
	}},
	{"A23", "what runs in a pod is sent where its images change in place, and only there", func(b *bench) {
		b.grown(2)
		if !b.can(setplanv1.Capability_CAPABILITY_UPDATE_IMAGES) {
			return
		}
		b.patch("pods/web-1", object{"metadata": object{"annotations": object{"setplan.io/in-place-update": ""}}})
		b.forget(nothing)
		shown := func(s *setplanv1.Snapshot, wanted string) string {
			got := ""
			for _, p := range s.GetPods() {
				for _, c := range p.GetContainers().GetContainers() {
					got += fmt.Sprintf("%s %s %s %s %s;", p.GetName(), c.GetName(), c.GetImage(), c.GetImageId(), c.GetContainerId())
				}
			}
			if got != wanted {
				return fmt.Sprintf("the containers are %q, want %q", got, wanted)
			}
			return ""
		}
		b.shows("the snapshot has the container", func(s *setplanv1.Snapshot) string { return shown(s, "web-1 main registry.example/app:1  ;") })
		b.forget(nothing)
		b.patch("pods/web-1/status", object{"status": object{"containerStatuses": []any{object{"name": "main", "image": "registry.example/app:1", "imageID": "sha256:1",
			"containerID": "c://1", "ready": false, "restartCount": 0, "state": object{"running": object{"startedAt": "2026-05-04T12:00:00Z"}}}}}})
		b.until("the adapter asks because a container has started", func() string {
			calls := b.calls()
			if len(calls) == 0 {
				return "it does not ask"
			}
			return shown(calls[len(calls)-1].request.GetSnapshot(), "web-1 main registry.example/app:1 sha256:1 c://1;")
		})
	}},
	{"A24", "what containers may use is sent where it changes in place, and news of it are told", func(b *bench) {
		b.grown(1, func(set object) { setResources(set, "64Mi") })
		if !b.can(setplanv1.Capability_CAPABILITY_RESIZE_POD) {
			return
		}
		b.patch("pods/web-0", object{"metadata": object{"annotations": object{"setplan.io/in-place-update": "{}"}}})
		b.forget(nothing)
		shown := func(s *setplanv1.Snapshot, wanted string) string {
			got := "nothing"
			if of := s.GetPods()[0].GetContainers(); len(of.GetContainers()) == 1 {
				c := of.GetContainers()[0]
				got = fmt.Sprintf("%v %v %v %s", c.GetResources().GetLimits(), c.GetStatusResources().GetLimits(), c.GetStatusResources().GetRequests(), of.GetResizePending().GetReason())
			}
			if got != wanted {
				return fmt.Sprintf("the resources are %q, want %q", got, wanted)
			}
			return ""
		}
		b.shows("the snapshot has the resources", func(s *setplanv1.Snapshot) string { return shown(s, "map[memory:64Mi] map[] map[] ") })
		news := func(what string, status object, wanted string) {
			b.forget(nothing)
			b.patch("pods/web-0/status", object{"status": status})
			b.until("the adapter asks because "+what, func() string {
				calls := b.calls()
				if len(calls) == 0 {
					return "it does not ask"
				}
				return shown(calls[len(calls)-1].request.GetSnapshot(), wanted)
			})
		}
		news("the container has resources", object{"containerStatuses": []any{object{"name": "main", "image": "registry.example/app:1", "imageID": "", "ready": false, "restartCount": 0,
			"resources": object{"limits": object{"memory": "32Mi", "ephemeral-storage": "1Gi"}, "requests": object{"memory": "16Mi"}}}}}, "map[memory:64Mi] map[memory:32Mi] map[memory:16Mi] ")
		news("there is no room", object{"conditions": []any{object{"type": "PodResizePending", "status": "True", "reason": "Deferred"}}},
			"map[memory:64Mi] map[memory:32Mi] map[memory:16Mi] Deferred")
	}},
	{"D6", "other sets with the same claim names are sent", func(b *bench) {
		b.script(nothing)
		b.oddWeb()
		b.neighbour()
		b.shows("the snapshot names the neighbour", func(s *setplanv1.Snapshot) string {
			if n := s.GetClaimNeighbours(); len(n) == 1 && n[0].GetSet() == "x-web" && n[0].GetClaimTemplate() == "data-x" {
				return ""
			}
			return fmt.Sprintf("the neighbours are %v", s.GetClaimNeighbours())
		})
	}},
	{"A14", "an action that failed is reported with the next snapshot", func(b *bench) {
		b.script(nothing)
		b.gateway.add(&rule{fits: b.here(to(http.MethodPost, "pods", "web-0")), refuse: http.StatusForbidden})
		b.web(1)
		b.script(nil)
		b.nudge()
		var id string
		b.until("the snapshot has an outcome", func() string {
			for _, c := range b.calls() {
				if a := pick(c.honest, "create_pod", "web-0"); a != nil && id == "" {
					id = a.GetId()
				}
				for _, o := range c.request.GetSnapshot().GetOutcomes() {
					if o.GetActionId() == id && o.GetResult() == setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED && o.GetCount() > 0 {
						return ""
					}
				}
			}
			return "none is sent"
		})
	}},
	{"C5", "the adapter says what it can do", func(b *bench) {
		b.script(nothing)
		b.web(1)
		c := b.asked(1)
		if len(c.request.GetCapabilities()) == 0 {
			b.failf("the list of capabilities is empty")
		}
		if c.honest == nil {
			b.failf("a planner refuses the request")
		}
	}},
}

// shows waits until the latest snapshot passes a check.
func (b *bench) shows(what string, check func(*setplanv1.Snapshot) string) {
	b.until(what, func() string {
		b.nudge()
		time.Sleep(100 * time.Millisecond)
		calls := b.calls()
		if len(calls) == 0 {
			return "nobody asks"
		}
		return check(calls[len(calls)-1].request.GetSnapshot())
	})
}

// sameJSON compares a value that the API server has stored with a text that was sent.
func (b *bench) sameJSON(what string, stored any, sent []byte) {
	want, _ := json.Marshal(stored) // it was read from JSON
	if got := canonical(sent); got != canonical(want) {
		b.failf("%s was sent as %s, and is stored as %s", what, got, want)
	}
}

// oddWeb creates the set with the claim template "data-x". neighbour creates the set "x-web" with "data", so that both have data-x-web-0.
func (b *bench) oddWeb() {
	b.web(1, func(set object) { template(set)["metadata"] = object{"name": "data-x"} })
}

func (b *bench) neighbour() {
	b.web(0, func(set object) { inside(set, "metadata")["name"] = "x-web" })
}

// setResources gives the only container of a set's pods a limit of memory, and so the same request.
func setResources(set object, memory string) {
	inside(set, "spec", "template", "spec")["containers"] = []any{object{"name": "main", "image": "registry.example/app:1", "resources": object{"limits": object{"memory": memory}}}}
}

// template returns the set's claim template.
func template(set object) object {
	return inside(set, "spec")["volumeClaimTemplates"].([]any)[0].(object)
}
