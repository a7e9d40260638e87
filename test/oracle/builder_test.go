package oracle

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/adapters/snapshot"
	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/oracle/planned"
	"github.com/setplan/setplan/test/oracle/world"
)

// TestBuilderAgrees: the oracle reads a world itself; adapters read it with the builder, and the codec reads the builder's
// message. Both give the same plans, byte for byte, so what the oracle proves holds for both.
func TestBuilderAgrees(t *testing.T) {
	for index := range min(*count, 5_000) {
		w := World(*seed, index)
		inMillis(w)
		for _, rules := range []model.Rules{Rules(w.Gate), model.Setplan()} {
			ours, theirs := encoded(t, planned.Snapshot(w, rules)), encoded(t, built(t, w, rules))
			if !bytes.Equal(ours, theirs) {
				t.Fatalf("world %d of seed %d: the oracle plans\n%s\nwith the builder\n%s", index, *seed,
					engine.Describe(engine.Decide(planned.Snapshot(w, rules))), engine.Describe(engine.Decide(built(t, w, rules))))
			}
		}
	}
}

func encoded(t *testing.T, s *model.Snapshot) []byte {
	t.Helper()
	text := need.Value(proto.MarshalOptions{Deterministic: true}.Marshal(codec.Encode(engine.Decide(s), s.Set.Namespace)))(t)
	return text
}

// built is a world's snapshot for the engine, made through the contract.
func built(t *testing.T, w *world.World, rules model.Rules) *model.Snapshot {
	t.Helper()
	spec := need.Value(json.Marshal(w.Set.Spec))(t)
	set := &snapshot.Set{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"}, ObjectMeta: w.Set.ObjectMeta, Spec: spec, Status: w.Set.Status}
	message := need.Value(snapshot.Of(&snapshot.Objects{Set: set, Pods: w.Pods, Claims: w.Claims, Revisions: w.Revisions},
		&setplanv1.Coverage{Pods: true, Claims: true, Revisions: true}, w.Now))(t)
	request := &setplanv1.PlanRequest{Snapshot: message}
	for number := range setplanv1.Capability_name {
		if number > 0 {
			request.Capabilities = append(request.Capabilities, setplanv1.Capability(number))
		}
	}
	out := need.Value(codec.Decode(request, codec.Limits{}))(t)
	out.Rules = rules // the contract has no name for upstream with its gate on
	return out
}

// inMillis cuts times to the contract's milliseconds.
func inMillis(w *world.World) {
	cut := func(at *metav1.Time) {
		if at != nil {
			at.Time = at.Truncate(time.Millisecond)
		}
	}
	cut(w.Set.DeletionTimestamp)
	for _, pod := range w.Pods {
		cut(pod.DeletionTimestamp)
		cut(&pod.CreationTimestamp)
		cut(pod.Status.StartTime)
		for i := range pod.Status.Conditions {
			cut(&pod.Status.Conditions[i].LastTransitionTime)
		}
	}
	for _, claim := range w.Claims {
		cut(claim.DeletionTimestamp)
	}
	for _, revision := range w.Revisions {
		cut(&revision.CreationTimestamp)
	}
}
