package verify

import (
	"bytes"
	"testing"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestForms: after one pod has passed, the next is compared with it, and a lie in it is still found. Template text that looks
// like the first pod's name does not change with the name.
func TestForms(t *testing.T) {
	replicas := int32(12)
	template := `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"main","args":["web-3","\"3\""]}]}}`
	snapshot := fixture()
	snapshot.Set.Replicas, snapshot.Set.PodTemplate = &replicas, []byte(template)
	create := func(name, ordinal string, change func([]byte) []byte) *setplanv1.Stage {
		a := fresh("Pod", name)
		a.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: change(podManifest(name, ordinal, "web-new", template))}}
		return &setplanv1.Stage{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{a}}}}
	}
	same := func(b []byte) []byte { return b }
	replaced := func(old, by string) func([]byte) []byte {
		return func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(by)) }
	}
	v := Against(snapshot)
	for _, pod := range []struct{ name, ordinal string }{{"web-3", "3"}, {"web-4", "4"}, {"web-11", "11"}} {
		if err := v.Stage(create(pod.name, pod.ordinal, same)); err != nil {
			t.Errorf("%s: %v", pod.name, err)
		}
	}
	if len(v.forms) != 1 {
		t.Errorf("%d forms, so equal pods were read again", len(v.forms))
	}
	for reason, stage := range map[string]*setplanv1.Stage{
		"the name in the template is another's": create("web-4", "4", replaced(`["web-3",`, `["web-4",`)),
		"another image":                         create("web-4", "4", replaced(`"name":"main"`, `"name":"main","image":"evil:1"`)),
		"another's claim":                       create("web-4", "4", replaced(`"data-web-4"`, `"data-web-5"`)),
		"another's index":                       create("web-4", "5", same),
		"something behind it":                   create("web-4", "4", func(b []byte) []byte { return append(b, "{}"...) }),
		"cut short":                             create("web-4", "4", func(b []byte) []byte { return b[:len(b)-1] }),
		"outside the range":                     create("web-12", "12", same),
	} {
		if v.Stage(stage) == nil {
			t.Errorf("accepted: %s", reason)
		}
	}
}
