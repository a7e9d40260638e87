package conformance

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/need"
)

var patchCases = []conformanceCase{
	{"patch_pod sets labels and leaves the others", "patch_pod", func(t reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		write := b.done(patchPod(pod, "app", "new"))
		if b.labelOf("web-1", "app") != "new" || b.labelOf("web-1", "tier") != "db" {
			t.Errorf("the labels are %v", b.get(kindPod, "web-1").Labels)
		}
		if after := b.get(kindPod, "web-1"); write == nil || write.ResourceVersion != after.ResourceVersion {
			t.Errorf("the gate is told %+v, the pod is at %s", write, after.ResourceVersion)
		}
	}},
	{"patch_pod at another resource version is a conflict", "patch_pod", func(t reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.done(patchPod(pod, "app", "new"))
		b.conflict(patchPod(pod, "app", "newer"))
		if b.labelOf("web-1", "app") != "new" {
			t.Error("the label has been changed all the same")
		}
	}},
	{"patch_pod that is gone is a conflict", "patch_pod", func(_ reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.Delete(kindPod, "web-1")
		b.conflict(patchPod(pod, "app", "new"))
	}},
	{"update_pod changes what it names in one write and leaves the rest", "update_pod", func(t reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.done(updatePod(pod, &setplanv1.UpdatePod{Labels: map[string]string{"zone": "a"}, Annotations: map[string]string{"plan": "daily", "old": "1"}}))
		before := b.get(kindPod, "web-1")
		write := b.done(updatePod(before, &setplanv1.UpdatePod{Labels: map[string]string{"controller-revision-hash": "web-new"}, RemoveLabels: []string{"zone", "not-there"},
			Annotations: map[string]string{"plan": "weekly"}, RemoveAnnotations: []string{"old", "not-there"}}))
		after := b.get(kindPod, "web-1")
		if _, zone := after.Labels["zone"]; zone || after.Labels["controller-revision-hash"] != "web-new" || after.Labels["tier"] != "db" {
			t.Errorf("the labels are %v", after.Labels)
		}
		if _, old := after.Annotations["old"]; old || after.Annotations["plan"] != "weekly" {
			t.Errorf("the annotations are %v", after.Annotations)
		}
		if after.UID != before.UID || !strings.Contains(string(b.Get(kindPod, "web-1")), "data-web-1") {
			t.Errorf("it is another pod: %s", b.Get(kindPod, "web-1"))
		}
		if write == nil || write.ResourceVersion != after.ResourceVersion {
			t.Errorf("the gate is told %+v, the pod is at %s", write, after.ResourceVersion)
		}
	}},
	{"update_pod sets images where they are and leaves the rest", "update_pod", func(t reporter, b *bench) {
		pod := b.create(b.sidecarsJSON("web-1", b.ownerJSON()))
		wanted := specOf(t, b.Get(kindPod, "web-1"))
		write := b.done(updatePod(pod, &setplanv1.UpdatePod{Labels: map[string]string{"zone": "a"}, Annotations: map[string]string{"setplan.io/in-place-update": "{}"},
			Containers:     []*setplanv1.ContainerImage{{Name: "main", Image: "example.com/main:1"}, {Name: "cache", Image: "example.com/cache:2"}},
			InitContainers: []*setplanv1.ContainerImage{{Name: "proxy", Image: "example.com/proxy:2"}, {Name: "first", Image: "example.com/first:1"}}}))
		wanted.image("containers", 1, "example.com/cache:2")
		wanted.image("initContainers", 0, "example.com/proxy:2")
		if is := specOf(t, b.Get(kindPod, "web-1")); !reflect.DeepEqual(is, wanted) {
			t.Errorf("the spec is\n%v\nwant\n%v", is, wanted)
		}
		after := b.get(kindPod, "web-1")
		if after.UID != pod.UID || after.Labels["zone"] != "a" || after.Labels["tier"] != "db" || after.Annotations["setplan.io/in-place-update"] != "{}" {
			t.Errorf("the pod is %+v", after.ObjectMeta)
		}
		if write == nil || write.ResourceVersion != after.ResourceVersion {
			t.Errorf("the gate is told %+v, the pod is at %s", write, after.ResourceVersion)
		}
	}},
	{"update_pod at another resource version is a conflict", "update_pod", func(t reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.done(patchPod(pod, "app", "new"))
		b.conflict(updatePod(pod, &setplanv1.UpdatePod{Labels: map[string]string{"app": "newer"}}))
		if b.labelOf("web-1", "app") != "new" {
			t.Error("the label has been changed all the same")
		}
	}},
	{"update_pod that is gone is a conflict", "update_pod", func(_ reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.Delete(kindPod, "web-1")
		b.conflict(updatePod(pod, &setplanv1.UpdatePod{Labels: map[string]string{"app": "new"}}))
	}},
	{"resize_pod sets what it names where it is and leaves the rest", "resize_pod", func(t reporter, b *bench) {
		pod := b.create(b.sidecarsJSON("web-1", b.ownerJSON()))
		wanted := specOf(t, b.Get(kindPod, "web-1"))
		write := b.done(resizePod(pod, "96Mi"))
		wanted.resource("containers", 0, "limits", "memory", "96Mi")
		wanted.resource("initContainers", 0, "requests", "cpu", "50m")
		if is := specOf(t, b.Get(kindPod, "web-1")); !reflect.DeepEqual(is, wanted) {
			t.Errorf("the spec is\n%v\nwant\n%v", is, wanted)
		}
		after := b.get(kindPod, "web-1")
		if after.UID != pod.UID || after.Labels["tier"] != "db" {
			t.Errorf("the pod is %+v", after.ObjectMeta)
		}
		if write == nil || write.ResourceVersion != after.ResourceVersion {
			t.Errorf("the gate is told %+v, the pod is at %s", write, after.ResourceVersion)
		}
	}},
	{"resize_pod at another resource version is a conflict", "resize_pod", func(t reporter, b *bench) {
		pod := b.create(b.sidecarsJSON("web-1", b.ownerJSON()))
		wanted := specOf(t, b.Get(kindPod, "web-1"))
		b.done(patchPod(pod, "app", "new"))
		b.conflict(resizePod(pod, "96Mi"))
		if is := specOf(t, b.Get(kindPod, "web-1")); !reflect.DeepEqual(is, wanted) {
			t.Errorf("the spec is %v all the same", is)
		}
	}},
	{"resize_pod that is gone is a conflict", "resize_pod", func(_ reporter, b *bench) {
		pod := b.create(b.sidecarsJSON("web-1", b.ownerJSON()))
		b.Delete(kindPod, "web-1")
		b.conflict(resizePod(pod, "96Mi"))
	}},
	{"renumber_revision changes the number alone", "renumber_revision", func(t reporter, b *bench) {
		revision := b.create(b.revisionJSON("web-1", b.ownerJSON(), "a"))
		b.done(renumber(revision, 9))
		if data, number := revisionOf(t, b.Get(kindRevision, "web-1")); data != `{"spec":{"template":{"image":"a"}}}` || number != 9 {
			t.Errorf("the revision has number %d and data %s", number, data)
		}
		if after := b.get(kindRevision, "web-1"); after.Labels["app"] != "web" || len(after.OwnerReferences) != 1 {
			t.Errorf("more than the number has changed: %+v", after.ObjectMeta)
		}
	}},
	{"renumber_revision at another resource version is a conflict", "renumber_revision", func(_ reporter, b *bench) {
		revision := b.create(b.revisionJSON("web-1", b.ownerJSON(), "a"))
		b.done(renumber(revision, 9))
		b.conflict(renumber(revision, 10))
	}},
	{"patch_claim changes what it names and leaves the rest", "patch_claim", func(t reporter, b *bench) {
		claim := b.create(b.claimJSON("data-web-1", "[]"))
		write := b.done(relabelClaim(claim, "gold"))
		after := b.get(kindClaim, "data-web-1")
		if after.Labels["tier"] != "gold" || after.Annotations["setplan.io/claim-metadata"] != "x" || !strings.Contains(string(b.Get(kindClaim, "data-web-1")), "ReadWriteOnce") {
			t.Errorf("the claim is %s", b.Get(kindClaim, "data-web-1"))
		}
		if write == nil || write.ResourceVersion != after.ResourceVersion {
			t.Errorf("the gate is told %+v, the claim is at %s", write, after.ResourceVersion)
		}
	}},
	{"patch_claim at another resource version is a conflict", "patch_claim", func(t reporter, b *bench) {
		claim := b.create(b.claimJSON("data-web-1", "[]"))
		b.done(relabelClaim(claim, "gold"))
		b.conflict(relabelClaim(claim, "silver"))
		if b.get(kindClaim, "data-web-1").Labels["tier"] != "gold" {
			t.Error("the label has been changed all the same")
		}
	}},
	{"patch_claim that is gone is a conflict", "patch_claim", func(_ reporter, b *bench) {
		claim := b.create(b.claimJSON("data-web-1", "[]"))
		b.Delete(kindClaim, "data-web-1")
		b.conflict(relabelClaim(claim, "gold"))
	}},
	{"an unknown operation is refused", "", func(t reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		result := b.apply(on(kindPod, pod))
		if !errors.Is(result.Err, adapters.ErrUnknownOperation) {
			t.Errorf("the error is %v instead of ErrUnknownOperation", result.Err)
		}
		if after := b.get(kindPod, "web-1"); after.ResourceVersion != pod.ResourceVersion {
			t.Error("something was written all the same")
		}
	}},
}

func patchPod(pod meta, label, value string) *setplanv1.Action {
	action := on(kindPod, pod)
	action.Operation = &setplanv1.Action_PatchPod{PatchPod: &setplanv1.PatchPod{Labels: map[string]string{label: value}}}
	return action
}

func updatePod(pod meta, update *setplanv1.UpdatePod) *setplanv1.Action {
	action := on(kindPod, pod)
	action.Operation = &setplanv1.Action_UpdatePod{UpdatePod: update}
	return action
}

// resizePod gives the main container of a pod with sidecars another limit, and its proxy a request.
func resizePod(pod meta, memory string) *setplanv1.Action {
	action := on(kindPod, pod)
	action.Operation = &setplanv1.Action_ResizePod{ResizePod: &setplanv1.ResizePod{
		Containers:     []*setplanv1.ContainerResize{{Name: "main", Limits: map[string]string{"memory": memory}}, {Name: "cache"}},
		InitContainers: []*setplanv1.ContainerResize{{Name: "proxy", Requests: map[string]string{"cpu": "50m"}}, {Name: "first"}}}}
	return action
}

// podSpec is the spec of a stored pod.
type podSpec map[string]any

func specOf(t reporter, pod []byte) podSpec {
	t.Helper()
	var object struct{ Spec podSpec }
	need.NoError(t, json.Unmarshal(pod, &object))
	return object.Spec
}

func (s podSpec) image(list string, at int, image string) {
	s[list].([]any)[at].(map[string]any)["image"] = image
}

func (s podSpec) resource(list string, at int, of, resource, quantity string) {
	resources := s[list].([]any)[at].(map[string]any)["resources"].(map[string]any)
	if resources[of] == nil {
		resources[of] = map[string]any{}
	}
	resources[of].(map[string]any)[resource] = quantity
}

func relabelClaim(claim meta, tier string) *setplanv1.Action {
	action := on(kindClaim, claim)
	action.Operation = &setplanv1.Action_PatchClaim{PatchClaim: &setplanv1.PatchClaim{Labels: map[string]string{"tier": tier},
		Annotations: map[string]string{"setplan.io/claim-metadata": "x"}}}
	return action
}

func renumber(revision meta, number int64) *setplanv1.Action {
	action := on(kindRevision, revision)
	action.Operation = &setplanv1.Action_RenumberRevision{RenumberRevision: &setplanv1.RenumberRevision{Number: number}}
	return action
}

// revisionOf reads what is a revision's own.
func revisionOf(t reporter, object []byte) (data string, number int64) {
	t.Helper()
	var revision struct {
		Data     any   `json:"data"`
		Revision int64 `json:"revision"`
	}
	need.NoError(t, json.Unmarshal(object, &revision))
	text := need.Value(json.Marshal(revision.Data))(t)
	return string(text), revision.Revision
}
