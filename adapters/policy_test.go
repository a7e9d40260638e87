package adapters_test

import (
	"testing"

	"github.com/setplan/setplan/adapters"
)

// TestPolicyOf checks which annotations are part of the fence.
func TestPolicyOf(t *testing.T) {
	before := map[string]string{adapters.AnnotationRepair: "Unready", "kubectl.kubernetes.io/restartedAt": "noon"}
	with := func(name, value string) map[string]string {
		after := map[string]string{name: value}
		for n, v := range before {
			if _, set := after[n]; !set {
				after[n] = v
			}
		}
		return after
	}
	for reason, test := range map[string]struct {
		after map[string]string
		same  bool
	}{
		"nothing changed":                      {with(adapters.AnnotationRepair, "Unready"), true},
		"an annotation of somebody else":       {with("kubectl.kubernetes.io/restartedAt", "one"), true},
		"another value":                        {with(adapters.AnnotationRepair, "Never"), false},
		"one more":                             {with(adapters.AnnotationDrainScaleUp, "Cancel"), false},
		"an older name of the drain template":  {with("statefulsets.kubernetes.io/drainer-pod-template", "{}"), false},
		"one of a later release":               {with("setplan.io/of-tomorrow", "x"), false},
		"whatever has the older prefix":        {with("statefulsets.kubernetes.io/of-tomorrow", "x"), false},
		"not what only begins like it":         {with("statefulsets.kubernetes.iox/y", "x"), true},
		"all removed":                          {nil, false},
		"two that could be taken for one text": {with(adapters.AnnotationRepair, "Unready\n\"setplan.io/x\" \"y\""), false},
	} {
		if same := adapters.PolicyOf(before) == adapters.PolicyOf(test.after); same != test.same {
			t.Errorf("%s: the same policy: %t", reason, same)
		}
	}
	if adapters.PolicyOf(map[string]string{"a": "b"}) != "" {
		t.Error("a set without such annotations has a policy")
	}
}
