package outside

import (
	"fmt"
	"net/http"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// A write that changes one thing leaves the others alone.
var statusCases = []testCase{
	{"A13", "a status writes zeros, and leaves what is not set", func(b *bench) {
		b.grown(1)
		stored := object{"status": object{"collisionCount": 5, "readyReplicas": 1, "availableReplicas": 1}}
		if _, err := b.api.do(b.ctx, http.MethodPatch, pathOf(b.namespace, "statefulsets/web/status"), mergePatch, stored); err != nil {
			b.stopf("%v", err)
		}
		b.wroteStatus(func(c *call) *setplanv1.StatefulSetStatus {
			return &setplanv1.StatefulSetStatus{AvailableReplicas: proto.Int32(0), UpdatedReplicas: proto.Int32(0)}
		}, func(status object) string {
			if got := fmt.Sprintf("%v %v %v %v", number(status, "availableReplicas"), number(status, "updatedReplicas"), number(status, "collisionCount"), number(status, "readyReplicas")); got != "0 0 5 1" {
				return "availableReplicas, updatedReplicas, collisionCount and readyReplicas are " + got + ", want 0 0 5 1"
			}
			return ""
		})
	}},
	{"A13", "conditions are set by type", func(b *bench) {
		b.grown(1)
		condition := func(kind, status string) object {
			return object{"type": kind, "status": status, "reason": "R", "lastTransitionTime": "2026-01-01T00:00:00Z"}
		}
		stored := object{"status": object{"conditions": []any{condition("Foreign", "True"), condition("Blocked", "True")}}}
		if _, err := b.api.do(b.ctx, http.MethodPatch, pathOf(b.namespace, "statefulsets/web/status"), mergePatch, stored); err != nil {
			b.stopf("%v", err)
		}
		b.wroteStatus(func(c *call) *setplanv1.StatefulSetStatus {
			return &setplanv1.StatefulSetStatus{Conditions: []*setplanv1.Condition{{Type: "Blocked", Status: "False", Reason: "Now", LastTransitionTime: timestamppb.New(c.at)}}}
		}, func(status object) string {
			got := map[string]any{}
			conditions, _ := status["conditions"].([]any)
			for _, c := range conditions {
				got[fmt.Sprint(c.(object)["type"])] = c.(object)["status"]
			}
			if len(conditions) != 2 || got["Foreign"] != "True" || got["Blocked"] != "False" {
				return fmt.Sprintf("they are %v", conditions)
			}
			return ""
		})
	}},
	{"A19", "annotations of a pod are changed one by one", func(b *bench) {
		b.grown(1, func(set object) { inside(set, "metadata")["annotations"] = object{"setplan.io/drain-ask": "true"} })
		b.patch("pods/web-0", object{"metadata": object{"annotations": object{"example.com/a": "b", "setplan.io/drain-answer": "x"}}})
		b.forget(once(func(c *call) (*plan, error) {
			pod := c.request.GetSnapshot().GetPods()[0]
			a := on(c, "Pod", "web-0", pod.GetUid(), "")
			a.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{
				Set: map[string]string{"setplan.io/drain-request": "q"}, Remove: []string{"setplan.io/drain-answer"}}}
			return made(c, alone(scaleDown, stop, a)), nil
		}))
		b.nudge()
		b.until("the annotations are as wanted", func() string {
			if got := fmt.Sprint(inside(b.get("pods/web-0"), "metadata", "annotations")); got != "map[example.com/a:b setplan.io/drain-request:q]" {
				return "they are " + got
			}
			return ""
		})
	}},
	{"A19", "a claim changes in what PatchClaim names", func(b *bench) {
		b.grown(1)
		if !b.can(setplanv1.Capability_CAPABILITY_PATCH_CLAIM) {
			return
		}
		b.patch("persistentvolumeclaims/data-web-0", object{"metadata": object{"labels": object{"team": "db"}, "annotations": object{"example.com/a": "b"}}})
		b.forget(nil)
		b.annotate(claimTemplates, `{"data":{"metadata":{"labels":{"tier":"gold"},"annotations":{"plan":"daily"}}}}`)
		b.until("the claim is as wanted", func() string {
			claim := b.get("persistentvolumeclaims/data-web-0")
			metadata := inside(claim, "metadata")
			notes := inside(metadata, "annotations")
			got := fmt.Sprintf("%v %v %v %v", inside(metadata, "labels"), notes["example.com/a"], notes["plan"], inside(claim, "spec")["accessModes"])
			if got != "map[app:web team:db tier:gold] b daily [ReadWriteOnce]" {
				return "it is " + got
			}
			return ""
		})
	}},
	{"A19", "a pod changes in what UpdatePod names", func(b *bench) {
		b.grown(1)
		if !b.can(setplanv1.Capability_CAPABILITY_UPDATE_POD) {
			return
		}
		b.patch("pods/web-0", object{"metadata": object{"labels": object{"team": "db"}, "annotations": object{"example.com/a": "b"}}})
		uid := meta(b.get("pods/web-0"), "uid")
		b.inPlace()
		is := func(wanted string) {
			b.until("the pod is as wanted", func() string {
				metadata := inside(b.get("pods/web-0"), "metadata")
				labels := inside(metadata, "labels")
				if got := fmt.Sprintf("%v %v %v %v", metadata["uid"] == uid, labels["team"], labels["tier"], inside(metadata, "annotations")); got != wanted {
					return "it is " + got
				}
				return ""
			})
		}
		is("true db gold map[example.com/a:b plan:daily]")
		b.patch("statefulsets/web", object{"spec": object{"template": object{"metadata": object{"labels": object{"tier": nil}, "annotations": nil}}}})
		is("true db <nil> map[example.com/a:b]")
	}},
	{"A23", "images change where they are", func(b *bench) {
		b.grown(1, func(set object) {
			inside(set, "spec", "template")["spec"] = object{"containers": []any{object{"name": "main", "image": "registry.example/app:1", "args": []any{"-a"}},
				object{"name": "cache", "image": "registry.example/cache:1", "args": []any{"-b"}}}}
		})
		if !b.can(setplanv1.Capability_CAPABILITY_UPDATE_IMAGES) {
			return
		}
		containers := func() string {
			text := ""
			list, _ := inside(b.get("pods/web-0"), "spec")["containers"].([]any)
			for _, c := range list {
				c, _ := c.(object)
				text += fmt.Sprintf("%v %v %v;", c["name"], c["image"], c["args"])
			}
			return text
		}
		uid := meta(b.get("pods/web-0"), "uid")
		b.forget(nil)
		b.patch("statefulsets/web", object{"metadata": object{"annotations": object{"setplan.io/in-place": "InPlaceOnly"}},
			"spec": object{"template": object{"spec": object{"containers": []any{object{"name": "main", "image": "registry.example/app:1", "args": []any{"-a"}},
				object{"name": "cache", "image": "registry.example/cache:2", "args": []any{"-b"}}}}}}})
		b.until("the pod has the image", func() string {
			if got := containers(); got != "main registry.example/app:1 [-a];cache registry.example/cache:2 [-b];" {
				return "its containers are " + got
			}
			return ""
		})
		images := b.writes(func(r *request) bool { return r.resource == "pods" && strings.Contains(string(r.body), "cache:2") })
		if len(images) != 1 || meta(b.get("pods/web-0"), "uid") != uid {
			b.failf("the adapter has sent %s", said(images))
		}
	}},
	{"A24", "resources change where they are", func(b *bench) {
		template := func(cpu, memory string) object {
			return object{"containers": []any{
				object{"name": "main", "image": "registry.example/app:1", "args": []any{"-a"}, "resources": object{"limits": object{"memory": memory}, "requests": object{"memory": "16Mi"}}},
				object{"name": "cache", "image": "registry.example/cache:1", "args": []any{"-b"}, "resources": object{"requests": object{"cpu": cpu, "memory": "16Mi"}}}}}
		}
		b.grown(1, func(set object) { inside(set, "spec", "template")["spec"] = template("100m", "64Mi") })
		if !b.can(setplanv1.Capability_CAPABILITY_RESIZE_POD) {
			return
		}
		containers := func() string {
			text := ""
			list, _ := inside(b.get("pods/web-0"), "spec")["containers"].([]any)
			for _, c := range list {
				c, _ := c.(object)
				text += fmt.Sprintf("%v %v %v %v;", c["name"], c["image"], c["args"], c["resources"])
			}
			return text
		}
		uid := meta(b.get("pods/web-0"), "uid")
		b.forget(nil)
		b.patch("statefulsets/web", object{"metadata": object{"annotations": object{"setplan.io/in-place": "InPlaceOnly"}}, "spec": object{"template": object{"spec": template("200m", "96Mi")}}})
		b.until("the pod has the resources", func() string {
			if got := containers(); got != "main registry.example/app:1 [-a] map[limits:map[memory:96Mi] requests:map[memory:16Mi]];"+
				"cache registry.example/cache:1 [-b] map[requests:map[cpu:200m memory:16Mi]];" {
				return "its containers are " + got
			}
			return ""
		})
		if resizes := b.writes(func(r *request) bool { return r.sub == "resize" }); len(resizes) != 1 || meta(b.get("pods/web-0"), "uid") != uid {
			b.failf("the adapter has sent %s", said(resizes))
		}
	}},
	{"A19", "an update of a pod in place is one write", func(b *bench) {
		b.grown(1)
		if !b.can(setplanv1.Capability_CAPABILITY_UPDATE_POD) {
			return
		}
		b.updated()
		if all := b.writes(func(r *request) bool { return r.resource == "pods" }); len(all) != 1 {
			b.failf("the adapter has sent %s", said(all))
		}
	}},
	{"A19", "an update of a pod in place removes what is not there", func(b *bench) {
		b.grown(1)
		if !b.can(setplanv1.Capability_CAPABILITY_UPDATE_POD) {
			return
		}
		b.updated()
		b.script(nothing)
		b.patch("pods/web-0", object{"metadata": object{"labels": object{"tier": nil}, "annotations": object{"plan": nil}}})
		b.patch("statefulsets/web", object{"spec": object{"template": object{"metadata": object{"labels": object{"tier": nil}, "annotations": nil}}}})
		b.goesOn(func(c *call) *action {
			a := pick(c.honest, "update_pod", "web-0")
			if a == nil || len(a.GetUpdatePod().GetRemoveLabels()) != 1 || len(a.GetUpdatePod().GetRemoveAnnotations()) != 1 {
				b.failf("the real planner does not remove a label and an annotation: %v", a)
				return plainStatus(c)
			}
			return a
		}, to(http.MethodPatch, "pods", "web-0"), nil, true)
	}},
	{"A19", "one finalizer is removed, and the others stay", func(b *bench) {
		b.grown(1)
		b.patch("statefulsets/web", object{"metadata": object{"finalizers": []any{"example.com/a", "setplan.io/drain", "example.com/b"}}})
		b.forget(once(func(c *call) (*plan, error) {
			set := c.request.GetSnapshot().GetSet()
			a := on(c, "StatefulSet", "web", set.GetUid(), "")
			a.Operation = &setplanv1.Action_SetFinalizer{SetFinalizer: &setplanv1.SetFinalizer{Finalizer: "setplan.io/drain"}}
			return made(c, alone(scaleDown, stop, a)), nil
		}))
		b.nudge()
		defer b.patch("statefulsets/web", object{"metadata": object{"finalizers": nil}})
		b.until("one finalizer is gone", func() string {
			if got := fmt.Sprint(inside(b.get("statefulsets/web"), "metadata")["finalizers"]); got != "[example.com/a example.com/b]" {
				return "the finalizers are " + got
			}
			return ""
		})
	}},
}

// updated updates the pod of a set in place, and waits for that.
func (b *bench) updated() {
	b.inPlace()
	b.until("the pod is updated", func() string {
		metadata := inside(b.get("pods/web-0"), "metadata")
		labels, notes := inside(metadata, "labels"), inside(metadata, "annotations")
		if labels["tier"] == "gold" && notes["plan"] == "daily" {
			return ""
		}
		return fmt.Sprintf("its labels are %v, and its annotations %v", labels, notes)
	})
}

// number returns a counter of a status; absent counts as 0.
func number(status object, field string) any {
	if n, ok := status[field]; ok {
		return n
	}
	return 0
}

// wroteStatus has a status written, and checks what is stored.
func (b *bench) wroteStatus(of func(*call) *setplanv1.StatefulSetStatus, check func(status object) string) {
	b.forget(once(func(c *call) (*plan, error) { return made(c, alone(status, stop, writeStatus(c, of(c)))), nil }))
	b.nudge()
	b.written("a status", func(r *request) bool { return r.sub == "status" })
	if text := check(inside(b.get("statefulsets/web"), "status")); text != "" {
		b.failf("%s", text)
	}
}
