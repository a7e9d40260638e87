package printable

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func TestMessage(t *testing.T) {
	const bad, good = "a\x1b[1A\nb", `a\x1b[1A b`
	plan := func(text string) *setplanv1.Plan {
		return &setplanv1.Plan{
			Fence: &setplanv1.Fence{SetUid: text},
			Stages: []*setplanv1.Stage{{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{
				{Target: &setplanv1.Target{Name: text}, Operation: &setplanv1.Action_PatchPod{PatchPod: &setplanv1.PatchPod{
					Labels: map[string]string{"k": text, text: "v"}}}},
				{Operation: &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: []byte(bad)}}},
			}}}}},
			Blocks: []*setplanv1.Block{{Message: text}, {Remedy: "fine"}},
		}
	}
	hostile := plan(bad)
	if diff := cmp.Diff(plan(good), Message(hostile), protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(plan(bad), hostile, protocmp.Transform()); diff != "" {
		t.Errorf("the message itself was changed: %s", diff)
	}
	if safe := plan(good); Message(safe) != safe {
		t.Error("a safe message was copied")
	}
}
