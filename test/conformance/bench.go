package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	kindSet      = "StatefulSet"
	kindPod      = "Pod"
	kindClaim    = "PersistentVolumeClaim"
	kindRevision = "ControllerRevision"
)

// bench is a harness with a set "web" in it, and short ways to say what cases do.
type bench struct {
	Harness
	t   reporter
	key adapters.Key
	set meta
}

type meta = metav1.PartialObjectMetadata

func newBench(t reporter, h Harness) *bench {
	b := &bench{Harness: h, t: t, key: adapters.Key{Namespace: h.Namespace(), Name: "web"}}
	b.set = b.create(b.setJSON("web"))
	return b
}

// create stores an object past the adapter.
func (b *bench) create(manifest string) meta {
	b.t.Helper()
	return b.parse(b.Create([]byte(manifest)))
}

func (b *bench) parse(object []byte) meta {
	b.t.Helper()
	var m meta
	if err := json.Unmarshal(object, &m); err != nil {
		b.t.Fatalf("%v in %s", err, object)
	}
	return m
}

// get reads an object that must be there.
func (b *bench) get(kind, name string) meta {
	b.t.Helper()
	object := b.Get(kind, name)
	if object == nil {
		b.t.Fatalf("%s %s is gone", kind, name)
	}
	return b.parse(object)
}

func (b *bench) apply(action *setplanv1.Action) adapters.Result {
	b.t.Helper()
	action.Id = "conformance"
	action.Target.Namespace = b.key.Namespace
	return b.Executor().Apply(context.Background(), b.key, action)
}

// done applies an action that must succeed and, where it wrote, say what.
func (b *bench) done(action *setplanv1.Action) *adapters.Write {
	b.t.Helper()
	result := b.apply(action)
	if result.Err != nil {
		b.t.Fatalf("the action failed: %v", result.Err)
	}
	return result.Write
}

// refused applies an action that must fail in a certain way, and returns what was said.
func (b *bench) refused(action *setplanv1.Action, outcome setplanv1.OutcomeResult) string {
	b.t.Helper()
	result := b.apply(action)
	if result.Err == nil {
		b.t.Fatalf("the action succeeded")
	}
	if result.Outcome != outcome {
		b.t.Errorf("the outcome is %s instead of %s: %v", result.Outcome, outcome, result.Err)
	}
	if result.Write != nil {
		b.t.Errorf("a failed action reports the write %+v", *result.Write)
	}
	return result.Err.Error()
}

func (b *bench) conflict(action *setplanv1.Action) {
	b.t.Helper()
	b.refused(action, setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT)
}

// snapshot waits for the caches and reads them.
func (b *bench) snapshot() *setplanv1.Snapshot {
	b.t.Helper()
	b.WaitSynced()
	snapshot, err := b.Source().Snapshot(context.Background(), b.key)
	if err != nil {
		b.t.Fatalf("snapshot: %v", err)
	}
	return snapshot
}

// gone fails unless the error says that there is no set.
func (b *bench) gone(err error) {
	b.t.Helper()
	if !errors.Is(err, adapters.ErrGone) {
		b.t.Errorf("the error is %v instead of ErrGone", err)
	}
}

// labelOf is a label of a stored pod.
func (b *bench) labelOf(pod, label string) string { return b.get(kindPod, pod).Labels[label] }

// on is an action with a target, and with the precondition of an object as it is now.
func on(kind string, object meta) *setplanv1.Action {
	return &setplanv1.Action{
		Target:       &setplanv1.Target{Kind: kind, Name: object.Name},
		Precondition: &setplanv1.Precondition{Uid: string(object.UID), ResourceVersion: object.ResourceVersion},
	}
}

// fresh is an action that creates.
func fresh(kind, name string) *setplanv1.Action {
	return &setplanv1.Action{
		Target:       &setplanv1.Target{Kind: kind, Name: name},
		Precondition: &setplanv1.Precondition{MustNotExist: true},
	}
}

// owner is a controller reference to the set.
func (b *bench) owner() *setplanv1.OwnerReference {
	return &setplanv1.OwnerReference{ApiVersion: "apps/v1", Kind: kindSet, Name: b.set.Name, Uid: string(b.set.UID),
		Controller: true, BlockOwnerDeletion: true}
}

// ownerJSON is the same for a manifest.
func (b *bench) ownerJSON() string {
	return fmt.Sprintf(`[{"apiVersion":"apps/v1","kind":"StatefulSet","name":%q,"uid":%q,"controller":true,"blockOwnerDeletion":true}]`,
		b.set.Name, b.set.UID)
}

// strangerJSON is a controller that is not the set.
const strangerJSON = `[{"apiVersion":"example.com/v1","kind":"Thing","name":"other","uid":"5a4d9a34-0000-4000-8000-000000000001","controller":true}]`

// plainJSON is an owner that is no controller.
const plainJSON = `[{"apiVersion":"example.com/v1","kind":"Thing","name":"plain","uid":"5a4d9a34-0000-4000-8000-000000000002"}]`
