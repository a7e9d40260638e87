package outside

import (
	"encoding/json"
	"net/http"

	"google.golang.org/protobuf/encoding/protowire"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// lieCases are plans that no honest planner makes. Nothing of their stage may be sent.
func lieCases() (all []testCase) {
	for _, lie := range []struct {
		what   string
		change func(pod object)
	}{
		{"another service account", func(pod object) { inside(pod, "spec")["serviceAccountName"] = "admin" }},
		{"another image", func(pod object) {
			inside(pod, "spec")["containers"].([]any)[0].(object)["image"] = "registry.example/evil:1"
		}},
		{"one more container", func(pod object) {
			spec := inside(pod, "spec")
			spec["containers"] = append(spec["containers"].([]any), object{"name": "x", "image": "registry.example/evil:1"})
		}},
		{"the host's network", func(pod object) { inside(pod, "spec")["hostNetwork"] = true }},
		{"another owner", func(pod object) {
			inside(pod, "metadata")["ownerReferences"].([]any)[0].(object)["uid"] = "5a4d9a34-0000-4000-8000-000000000009"
		}},
		{"other labels", func(pod object) { inside(pod, "metadata", "labels")["tier"] = "admin" }},
		{"other annotations", func(pod object) { inside(pod, "metadata", "annotations")["example.com/inject"] = "true" }},
		{"another namespace in the manifest", func(pod object) { inside(pod, "metadata")["namespace"] = "kube-system" }},
		{"another name in the manifest", func(pod object) { inside(pod, "metadata")["name"] = "web-1" }},
		{"another kind in the manifest", func(pod object) { pod["kind"] = "Secret" }},
		{"another claim", func(pod object) {
			inside(inside(pod, "spec")["volumes"].([]any)[0].(object), "persistentVolumeClaim")["claimName"] = "data-other-0"
		}},
	} {
		all = append(all, testCase{"A20", lie.what, func(b *bench) {
			b.refused(func(_ *call, a *action) {
				pod, _ := parse(a.GetCreatePod().GetManifest()) // the planner's own
				lie.change(pod)
				a.GetCreatePod().Manifest, _ = json.Marshal(pod) // it was JSON
			})
		}})
	}
	for _, lie := range []struct {
		what   string
		change func(c *call, a *action)
	}{
		{"a key twice in a manifest", func(_ *call, a *action) {
			a.GetCreatePod().Manifest = append([]byte(`{"spec":{"hostNetwork":true},`), a.GetCreatePod().GetManifest()[1:]...)
		}},
		{"a name that is a path", func(_ *call, a *action) { a.Target.Name = "../../kube-system/pods/web-0" }},
		{"another namespace", func(_ *call, a *action) { a.Target.Namespace = "kube-system" }},
		{"another kind than the operation's", func(_ *call, a *action) { a.Target.Kind = "PersistentVolumeClaim" }},
		{"a pod outside the range", func(_ *call, a *action) { a.Target.Name = "web-9" }},
		{"a creation over what is there", func(_ *call, a *action) { a.Precondition = &setplanv1.Precondition{} }},
	} {
		all = append(all, testCase{"A20", lie.what, func(b *bench) { b.refused(lie.change) }})
	}
	return append(all,
		testCase{"A20", "another set's pod is deleted", func(b *bench) {
			b.grown(1)
			other := b.create("pods", object{"metadata": object{"name": "other-0", "labels": object{"app": "web"}, "ownerReferences": []any{object{
				"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "other", "uid": "5a4d9a34-0000-4000-8000-000000000009", "controller": true}}},
				"spec": inside(b.get("statefulsets/web"), "spec", "template")["spec"]})
			b.lie(func(c *call) *action {
				a := on(c, "Pod", "other-0", meta(other, "uid"), "")
				a.Operation = &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}
				return a
			})
		}},
		testCase{"A20", "a pod is deleted without its uid", func(b *bench) {
			b.grown(1)
			b.lie(func(c *call) *action {
				a := deletePod(c, "web-0")
				a.Precondition.Uid = ""
				return a
			})
		}},
		testCase{"D1", "a claim is deleted that no drain pod has drained", func(b *bench) {
			b.grown(1)
			b.lie(func(c *call) *action {
				claim := c.request.GetSnapshot().GetClaims()[0]
				a := on(c, "PersistentVolumeClaim", claim.GetName(), claim.GetUid(), claim.GetResourceVersion())
				a.Operation = &setplanv1.Action_DeleteClaim{DeleteClaim: &setplanv1.DeleteClaim{}}
				return a
			})
		}},
		testCase{"A20", "the status of another set is written", func(b *bench) {
			b.grown(1)
			other := b.web(0, func(set object) { inside(set, "metadata")["name"] = "other" })
			b.lie(func(c *call) *action {
				a := plainStatus(c)
				a.Target.Name, a.Precondition.Uid, a.Precondition.ResourceVersion = "other", meta(other, "uid"), meta(other, "resourceVersion")
				return a
			})
		}},
		testCase{"A20", "a claim gets the set as its owner though it is kept", func(b *bench) {
			b.grown(1)
			b.lie(func(c *call) *action {
				claim, set := c.request.GetSnapshot().GetClaims()[0], c.request.GetSnapshot().GetSet()
				a := on(c, "PersistentVolumeClaim", claim.GetName(), claim.GetUid(), claim.GetResourceVersion())
				a.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{Owners: []*setplanv1.OwnerReference{{
					ApiVersion: "apps/v1", Kind: "StatefulSet", Name: "web", Uid: set.GetUid(), Controller: true, BlockOwnerDeletion: true}}}}
				return a
			})
		}},
	)
}

// refused turns an honest creation into a lie, once the revision and the claims exist.
func (b *bench) refused(change func(c *call, a *action)) {
	b.grown(1)
	b.remove("pods/web-0")
	b.lie(func(c *call) *action {
		a := pick(c.honest, "create_pod", "web-0")
		if a == nil {
			b.failf("the snapshot still has web-0")
			return plainStatus(c)
		}
		change(c, a)
		return a
	})
}

// lie has an action planned that must not be sent. An honest status in the same stage must not be sent, either.
func (b *bench) lie(of func(c *call) *action) {
	b.forget(once(func(c *call) (*plan, error) {
		return made(c, alone(replicas, stop, plainStatus(c), of(c))), nil
	}))
	b.nudge()
	b.asked(1)
	b.never("sent of a stage with a lie", nil)
}

// unknownCases contain something that a later release may add.
var unknownCases = []testCase{
	{"A10", "an unknown operation fails its stage before any write", func(b *bench) {
		b.grown(1)
		b.lie(func(c *call) *action {
			a := on(c, "Pod", "web-0", c.request.GetSnapshot().GetPods()[0].GetUid(), "")
			a.ProtoReflect().SetUnknown(unknown(protowire.BytesType))
			return a
		})
	}},
	{"A21", "an unknown field in the fence", func(b *bench) {
		b.later(func(p *plan) { p.Fence.ProtoReflect().SetUnknown(unknown(protowire.VarintType)) })
	}},
	{"A21", "an unknown field in a stage", func(b *bench) {
		b.later(func(p *plan) { p.Stages[0].ProtoReflect().SetUnknown(unknown(protowire.VarintType)) })
	}},
	{"A21", "an unknown field in a step", func(b *bench) {
		b.later(func(p *plan) { p.Stages[0].Steps[0].ProtoReflect().SetUnknown(unknown(protowire.VarintType)) })
	}},
	{"A21", "an unknown field in a target", func(b *bench) {
		b.later(func(p *plan) {
			p.Stages[0].Steps[0].Actions[0].Target.ProtoReflect().SetUnknown(unknown(protowire.VarintType))
		})
	}},
	{"A21", "an unknown field in a precondition", func(b *bench) {
		b.later(func(p *plan) {
			p.Stages[0].Steps[0].Actions[0].Precondition.ProtoReflect().SetUnknown(unknown(protowire.VarintType))
		})
	}},
	{"C3", "unknown values of enums are no obstacle", func(b *bench) {
		b.grown(1)
		b.forget(once(func(c *call) (*plan, error) {
			p := made(c, alone(setplanv1.StagePhase(99), stop, plainStatus(c)))
			p.Stages[0].Steps[0].Actions[0].Cause.Code = 9999
			p.Blocks = []*setplanv1.Block{{Code: 9999, Severity: 99, Subject: &setplanv1.Target{Kind: "Later", Namespace: b.namespace, Name: "x"}, Message: "A later release says this."}}
			return p, nil
		}))
		b.nudge()
		b.written("the status", func(r *request) bool { return r.sub == "status" })
	}},
	{"A21", "an unknown field elsewhere is ignored", func(b *bench) {
		b.grown(1)
		b.forget(once(func(c *call) (*plan, error) {
			p := made(c, alone(status, stop, plainStatus(c)))
			p.ProtoReflect().SetUnknown(unknown(protowire.VarintType))
			p.Stages[0].Steps[0].Actions[0].Cause.ProtoReflect().SetUnknown(unknown(protowire.BytesType))
			return p, nil
		}))
		b.nudge()
		b.written("the status", func(r *request) bool { return r.sub == "status" && r.verb != http.MethodGet })
	}},
}

// unknown adds an unknown field.
func unknown(kind protowire.Type) []byte {
	out := protowire.AppendTag(nil, 20_001, kind)
	if kind == protowire.BytesType {
		return protowire.AppendBytes(out, nil)
	}
	return protowire.AppendVarint(out, 1)
}

// later changes an honest plan as a later release might; then nothing may be written.
func (b *bench) later(change func(*plan)) {
	b.grown(1)
	b.forget(once(func(c *call) (*plan, error) {
		p := made(c, alone(status, stop, plainStatus(c)))
		change(p)
		return p, nil
	}))
	b.nudge()
	b.asked(1)
	b.never("written although the adapter does not understand it", nil)
}
