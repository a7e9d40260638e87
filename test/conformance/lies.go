package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/verify"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/need"
)

// lieCases are plans that no planner could mean, for the adapter's own snapshots: what is wrong with each has to be found
// before anything is sent.
var lieCases = []conformanceCase{
	{"an action that is true is sent", "", func(t reporter, b *bench) {
		if err := b.told(b.replica(nil)); err != nil {
			t.Errorf("%v", err)
		}
		b.get(kindPod, "web-1")
	}},
	{"a lie is refused unsent: a name that is a path", "", func(_ reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		action := deletePod(pod)
		action.Target.Name = "../" + pod.Name
		b.unsent(action, "name")
	}},
	{"a lie is refused unsent: another namespace", "", func(_ reporter, b *bench) {
		action := deletePod(b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON())))
		action.Target.Namespace = "kube-system"
		b.unsent(action, "namespace")
	}},
	{"a lie is refused unsent: kind and operation do not belong together", "", func(_ reporter, b *bench) {
		action := deletePod(b.create(b.claimJSON("data-web-1", "[]")))
		action.Target.Kind = kindClaim
		b.unsent(action, "kind")
	}},
	{"a lie is refused unsent: another set's pod", "", func(_ reporter, b *bench) {
		b.unsent(deletePod(b.create(b.podJSON("web-1", "data-web-1", strangerJSON))), "own-pod")
	}},
	{"a lie is refused unsent: another set's status", "", func(_ reporter, b *bench) {
		b.unsent(updateStatus(b.create(b.setJSON("other")), 2), "uid")
	}},
	{"a lie is refused unsent: an operation that nobody knows", "", func(t reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		if err := b.told(on(kindPod, pod)); !errors.Is(err, adapters.ErrUnknownOperation) {
			t.Errorf("the error is %v instead of ErrUnknownOperation", err)
		}
	}},
	{"a lie is refused unsent: another service account", "", podLie("spec", func(pod fields) { inside(pod, "spec")["serviceAccountName"] = "admin" })},
	{"a lie is refused unsent: another image", "", podLie("spec", func(pod fields) {
		inside(pod, "spec")["containers"].([]any)[0].(fields)["image"] = "example.com/evil:1"
	})},
	{"a lie is refused unsent: the host's network", "", podLie("spec", func(pod fields) { inside(pod, "spec")["hostNetwork"] = true })},
	{"a lie is refused unsent: another owner", "", podLie("owner", func(pod fields) {
		inside(pod, "metadata")["ownerReferences"].([]any)[0].(fields)["uid"] = "5a4d9a34-0000-4000-8000-000000000009"
	})},
	{"a lie is refused unsent: other labels", "", podLie("labels", func(pod fields) { inside(inside(pod, "metadata"), "labels")["tier"] = "admin" })},
	{"a lie is refused unsent: another namespace in the manifest", "", podLie("object", func(pod fields) { inside(pod, "metadata")["namespace"] = "kube-system" })},
	{"a lie is refused unsent: another name in the manifest", "", podLie("object", func(pod fields) { inside(pod, "metadata")["name"] = "web-2" })},
	{"a lie is refused unsent: a claim that no drain pod has drained", "", func(_ reporter, b *bench) {
		b.unsent(b.deleteMarked(), "drained")
	}},
	{"a lie is refused unsent: a claim without its uid", "", func(_ reporter, b *bench) {
		action := b.deleteMarked()
		action.Precondition.Uid = ""
		b.unsent(action, "uid")
	}},
	{"a lie is refused unsent: a claim without its resource version", "", func(_ reporter, b *bench) {
		action := b.deleteMarked()
		action.Precondition.ResourceVersion = ""
		b.unsent(action, "version")
	}},
}

// told has the loop carry out a plan with one action, on this adapter.
func (b *bench) told(action *setplanv1.Action) error {
	b.t.Helper()
	b.WaitSynced()
	action.Id = "lie"
	if action.Target.Namespace == "" {
		action.Target.Namespace = b.key.Namespace
	}
	plan := &setplanv1.Plan{
		Fence: &setplanv1.Fence{SetUid: string(b.set.UID), Generation: b.set.Generation},
		Stages: []*setplanv1.Stage{{OnFailure: setplanv1.OnFailure_ON_FAILURE_ABORT,
			Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{action}}}}},
	}
	loop := adapters.NewLoop(b.Source(), b.Executor(), says{plan}, adapters.Observers{}, adapters.Options{Parallelism: 1})
	_, err := loop.Reconcile(context.Background(), b.key)
	return err
}

// unsent wants an action refused by a check, and the executor never asked.
func (b *bench) unsent(action *setplanv1.Action, check string) {
	b.t.Helper()
	asked := &counting{Executor: b.Executor()}
	b.Harness = withExecutor{b.Harness, asked}
	err := b.told(action)
	var refusal *verify.Refusal
	if !errors.As(err, &refusal) || refusal.Check != check {
		b.t.Errorf("the error is %v instead of a refusal by %s", err, check)
	}
	if asked.times > 0 {
		b.t.Errorf("the action was sent")
	}
}

// says is a planner that always gives the same plan.
type says struct{ plan *setplanv1.Plan }

func (s says) Plan(context.Context, *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	return &setplanv1.PlanResponse{Plan: s.plan}, nil
}

// counting notes that an executor was asked at all.
type counting struct {
	adapters.Executor
	times int
}

func (c *counting) Apply(ctx context.Context, key adapters.Key, action *setplanv1.Action) adapters.Result {
	c.times++
	return c.Executor.Apply(ctx, key, action)
}

type withExecutor struct {
	Harness
	executor adapters.Executor
}

func (w withExecutor) Executor() adapters.Executor { return w.executor }

// fields is an object in a manifest.
type fields = map[string]any

// podLie changes the manifest of a replica that would be accepted as it is.
func podLie(check string, change func(pod fields)) func(reporter, *bench) {
	return func(_ reporter, b *bench) { b.unsent(b.replica(change), check) }
}

// replica creates the pod of ordinal 1 from the template that the adapter's snapshot has.
func (b *bench) replica(change func(pod fields)) *setplanv1.Action {
	b.t.Helper()
	b.create(b.revisionJSON("web-1", b.ownerJSON(), "a"))
	var pod fields
	unmarshal(b.t, b.snapshot().GetSet().GetPodTemplate(), &pod)
	metadata, spec := inside(pod, "metadata"), inside(pod, "spec")
	delete(metadata, "creationTimestamp")
	pod["apiVersion"], pod["kind"] = "v1", kindPod
	metadata["name"], metadata["namespace"] = "web-1", b.key.Namespace
	var owners []any
	unmarshal(b.t, []byte(b.ownerJSON()), &owners)
	metadata["ownerReferences"] = owners
	labels := inside(metadata, "labels")
	labels["statefulset.kubernetes.io/pod-name"], labels["apps.kubernetes.io/pod-index"], labels["controller-revision-hash"] = "web-1", "1", "web-1"
	spec["hostname"], spec["subdomain"] = "web-1", "web"
	spec["volumes"] = []any{fields{"name": "data", "persistentVolumeClaim": fields{"claimName": "data-web-1"}}}
	if change != nil {
		change(pod)
	}
	text := need.Value(json.Marshal(pod))(b.t)
	return createPod("web-1", string(text))
}

// inside is an object in an object.
func inside(of fields, key string) fields {
	inner, _ := of[key].(fields)
	if inner == nil {
		inner = fields{}
		of[key] = inner
	}
	return inner
}

// deleteMarked deletes a claim of the set that is under its drain policy, as a plan would if it had been drained.
func (b *bench) deleteMarked() *setplanv1.Action {
	b.t.Helper()
	b.Delete(kindSet, "web")
	b.set = b.create(b.annotated(b.setJSON("web"), adapters.AnnotationDrainTemplate, `{"spec":{"containers":[{"name":"drain","image":"example.com/drain:1"}]}}`))
	stored := b.create(b.annotated(b.claimJSON("data-web-3", "[]"), adapters.AnnotationDrainSet, fmt.Sprintf("web/%s", b.set.UID)))
	action := deleteClaim(stored)
	action.Precondition.ResourceVersion = stored.ResourceVersion
	return action
}

// annotated is a manifest with one more annotation.
func (b *bench) annotated(manifest, name, value string) string {
	b.t.Helper()
	var object fields
	unmarshal(b.t, []byte(manifest), &object)
	inside(inside(object, "metadata"), "annotations")[name] = value
	text := need.Value(json.Marshal(object))(b.t)
	return string(text)
}
