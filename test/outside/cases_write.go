package outside

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Which preconditions a write carries, and which answers count as success.
var writeCases = []testCase{
	{"A8", "a deletion carries the uid", func(b *bench) {
		b.grown(2)
		uid := meta(b.get("pods/web-1"), "uid")
		b.forget(nil)
		b.patch("statefulsets/web", object{"spec": object{"replicas": 1}})
		sent := b.written("a deletion", to(http.MethodDelete, "pods", "web-1"))
		if got, _ := carried(sent); got != uid {
			b.failf("the deletion of pod %s carries the uid %q: %s", uid, got, sent.body)
		}
	}},
	{"A8", "a patch of a pod carries uid and resource version", func(b *bench) {
		b.grown(1)
		b.forget(nil)
		b.patch("pods/web-0", object{"metadata": object{"labels": object{"statefulset.kubernetes.io/pod-name": nil}}})
		sent := b.written("a patch", to(http.MethodPatch, "pods", "web-0"))
		if uid, version := carried(sent); uid != meta(b.get("pods/web-0"), "uid") || version == "" {
			b.failf("the patch carries the uid %q and the version %q: %s", uid, version, sent.body)
		}
	}},
	{"A8", "an adoption carries the uid", func(b *bench) {
		b.grown(1)
		b.forget(nil)
		b.patch("pods/web-0", object{"metadata": object{"ownerReferences": nil}})
		sent := b.written("a patch", to(http.MethodPatch, "pods", "web-0"))
		if uid, _ := carried(sent); uid != meta(b.get("pods/web-0"), "uid") {
			b.failf("the adoption carries the uid %q: %s", uid, sent.body)
		}
	}},
	{"A8", "new owners of a claim carry uid and resource version", func(b *bench) {
		b.grown(1)
		b.forget(nil)
		b.patch("statefulsets/web", object{"spec": object{"persistentVolumeClaimRetentionPolicy": object{"whenDeleted": "Delete", "whenScaled": "Retain"}}})
		sent := b.written("a patch", to(http.MethodPatch, "persistentvolumeclaims", "data-web-0"))
		if uid, version := carried(sent); uid != meta(b.get("persistentvolumeclaims/data-web-0"), "uid") || version == "" {
			b.failf("the patch carries the uid %q and the version %q: %s", uid, version, sent.body)
		}
	}},
	{"A8", "a change of a claim carries uid and resource version", func(b *bench) {
		b.grown(1)
		if !b.can(setplanv1.Capability_CAPABILITY_PATCH_CLAIM) {
			return
		}
		b.forget(func(c *call) (*plan, error) { // the real planner asks for more only when the claim has its volume
			snapshot := c.request.GetSnapshot()
			if snapshot.GetSet().GetAnnotations()[claimTemplates] == "" {
				return nothing(c)
			}
			claim := snapshot.GetClaims()[0]
			a := on(c, "PersistentVolumeClaim", claim.GetName(), claim.GetUid(), claim.GetResourceVersion())
			a.Operation = &setplanv1.Action_PatchClaim{PatchClaim: &setplanv1.PatchClaim{Request: "2Gi"}}
			return made(c, alone(claims, skip, a)), nil
		})
		b.annotate(claimTemplates, `{"data":{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}}`)
		sent := b.written("a patch", to(http.MethodPatch, "persistentvolumeclaims", "data-web-0"))
		if uid, version := carried(sent); uid != meta(b.get("persistentvolumeclaims/data-web-0"), "uid") || version == "" {
			b.failf("the patch carries the uid %q and the version %q: %s", uid, version, sent.body)
		}
		if !strings.Contains(strings.ReplaceAll(string(sent.body), " ", ""), `"resources":{"requests":{"storage":"2Gi"}}`) {
			b.failf("the patch asks for something else: %s", sent.body)
		}
	}},
	{"A8", "an update of a pod in place carries uid and resource version", func(b *bench) {
		b.grown(1)
		if !b.can(setplanv1.Capability_CAPABILITY_UPDATE_POD) {
			return
		}
		b.inPlace()
		sent := b.written("a patch", to(http.MethodPatch, "pods", "web-0"))
		if uid, version := carried(sent); uid != meta(b.get("pods/web-0"), "uid") || version == "" {
			b.failf("the patch carries the uid %q and the version %q: %s", uid, version, sent.body)
		}
	}},
	{"A8", "a resize of a pod carries uid and resource version", func(b *bench) {
		b.grown(1, func(set object) { setResources(set, "64Mi") })
		if !b.can(setplanv1.Capability_CAPABILITY_RESIZE_POD) {
			return
		}
		b.resizes("96Mi")
		sent := b.written("a patch of the resources", func(r *request) bool { return r.sub == "resize" })
		if uid, version := carried(sent); uid != meta(b.get("pods/web-0"), "uid") || version == "" {
			b.failf("the patch carries the uid %q and the version %q: %s", uid, version, sent.body)
		}
	}},
	{"A8", "a status carries uid or resource version", func(b *bench) {
		b.grown(1)
		b.forget(once(func(c *call) (*plan, error) {
			ready := int32(1)
			return made(c, alone(status, stop, writeStatus(c, &setplanv1.StatefulSetStatus{ReadyReplicas: &ready}))), nil
		}))
		b.nudge()
		sent := b.written("a status", func(r *request) bool { return r.sub == "status" })
		if uid, version := carried(sent); uid == "" || version == "" {
			b.failf("the status carries the uid %q and the version %q", uid, version)
		}
	}},
	{"A9", "a pod that is gone already is deleted", func(b *bench) {
		b.grown(2)
		b.goesOn(func(c *call) *action { return deletePod(c, "web-1") }, to(http.MethodDelete, "pods", "web-1"), func() { b.remove("pods/web-1") }, true)
	}},
	{"A9", "a pod that is there already and the set's is created", func(b *bench) {
		b.lost(func(manifest object) {}, true)
	}},
	{"A9", "a pod that is there already and nobody's is not created", func(b *bench) {
		b.lost(func(manifest object) { delete(inside(manifest, "metadata"), "ownerReferences") }, false)
	}},
	{"A12", "a manifest is sent as it is", func(b *bench) {
		b.script(nothing)
		b.web(1)
		b.asked(1)
		var manifest []byte
		b.forget(once(func(c *call) (*plan, error) {
			a := pick(c.honest, "create_pod", "web-0")
			// White space and order differ from the planner's, so that an adapter that parses the manifest sends another text.
			manifest = append([]byte("\n {"), a.GetCreatePod().GetManifest()[1:]...)
			a.GetCreatePod().Manifest = manifest
			return c.honest, nil
		}))
		b.nudge()
		if sent := b.written("the pod", to(http.MethodPost, "pods", "web-0")); string(sent.body) != string(manifest) {
			b.failf("the manifest is %s, but the adapter sent %s", manifest, sent.body)
		}
	}},
}

// carried returns the uid and the resource version that a write carries.
func carried(r *request) (uid, version string) {
	switch {
	case r.verb == http.MethodDelete:
		var options metav1.DeleteOptions
		_ = json.Unmarshal(r.body, &options) // a body that is no JSON carries nothing
		return wanted(options.Preconditions)
	case r.sub == "eviction":
		kind := policyv1.SchemeGroupVersion.WithKind("Eviction")
		decoded, _, _ := scheme.Codecs.UniversalDeserializer().Decode(r.body, &kind, nil) // JSON or protobuf
		if e, ok := decoded.(*policyv1.Eviction); ok && e.DeleteOptions != nil {
			return wanted(e.DeleteOptions.Preconditions)
		}
		return "", ""
	case strings.HasPrefix(strings.TrimSpace(string(r.body)), "["):
		return tested(r.body)
	}
	var o metav1.PartialObjectMetadata
	if json.Unmarshal(r.body, &o) == nil {
		return string(o.UID), o.ResourceVersion
	}
	if decoded, _, err := scheme.Codecs.UniversalDeserializer().Decode(r.body, nil, nil); err == nil { // protobuf
		if o, ok := decoded.(metav1.Object); ok {
			return string(o.GetUID()), o.GetResourceVersion()
		}
	}
	return "", ""
}

// wanted returns what the preconditions of a deletion ask for.
func wanted(p *metav1.Preconditions) (uid, version string) {
	if p != nil && p.UID != nil {
		uid = string(*p.UID)
	}
	if p != nil && p.ResourceVersion != nil {
		version = *p.ResourceVersion
	}
	return uid, version
}

// tested returns what a JSON patch tests or replaces.
func tested(body []byte) (uid, version string) {
	var operations []struct {
		Path  string
		Value any
	}
	if json.Unmarshal(body, &operations) != nil {
		return "", ""
	}
	for _, o := range operations {
		switch text, _ := o.Value.(string); o.Path {
		case "/metadata/uid":
			uid = text
		case "/metadata/resourceVersion":
			version = text
		}
	}
	return uid, version
}

// goesOn changes the cluster behind the adapter's back, and then has it carry out an action and a status. The status follows only if the
// action counts as a success.
func (b *bench) goesOn(of func(*call) *action, fits func(*request) bool, before func(), success bool) {
	b.gateway.add(&rule{fits: b.here(fits), before: before})
	b.forget(once(func(c *call) (*plan, error) {
		return made(c, alone(scaleDown, abort, of(c)), alone(status, stop, plainStatus(c))), nil
	}))
	b.nudge()
	b.written("the action", fits)
	wrote := func(r *request) bool { return r.sub == "status" }
	if success {
		b.written("the stage after it", wrote)
		return
	}
	b.never("the action did not count as a failure", wrote)
}

// lost has a pod created after somebody has created a variant of it.
func (b *bench) lost(change func(manifest object), success bool) {
	b.grown(2)
	b.remove("pods/web-1")
	var manifest object
	b.goesOn(func(c *call) *action {
		a := pick(c.honest, "create_pod", "web-1")
		if a == nil {
			b.failf("the snapshot still has web-1")
			return deletePod(c, "web-0")
		}
		manifest, _ = parse(a.GetCreatePod().GetManifest()) // the planner's own
		change(manifest)
		return a
	}, to(http.MethodPost, "pods", "web-1"), func() { b.create("pods", manifest) }, success)
}

// can reports whether the adapter says that it has a capability.
func (b *bench) can(capability setplanv1.Capability) bool {
	b.nudge()
	return slices.Contains(b.asked(1).request.GetCapabilities(), capability)
}

// inPlace lets the planner update the pod of a set in place: it gets a label and an annotation.
func (b *bench) inPlace() {
	b.forget(nil)
	b.patch("statefulsets/web", object{"metadata": object{"annotations": object{"setplan.io/in-place": "InPlaceOnly"}},
		"spec": object{"template": object{"metadata": object{"labels": object{"tier": "gold"}, "annotations": object{"plan": "daily"}}}}})
}

// resizes lets the planner give the pod of a set more memory.
func (b *bench) resizes(memory string) {
	b.forget(nil)
	set := object{"metadata": object{"annotations": object{"setplan.io/in-place": "InPlaceOnly"}}}
	setResources(set, memory)
	b.patch("statefulsets/web", set)
}

// claimTemplates is the annotation that patches the claim templates of a set.
const claimTemplates = "setplan.io/claim-templates"
