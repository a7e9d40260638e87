package engine

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// ruleRows has for each field of Rules what upstream does and what SETPLAN does with the same snapshot.
var ruleRows = map[string]struct {
	make                            func() *world
	kubernetes, setplan             string // actions
	kubernetesHeld, setplanHeld     string // blocks
	kubernetesStatus, setplanStatus func(*model.Status) bool
}{
	"MaxUnavailable": {
		make: func() *world {
			w := newWorld(3).image("web:2")
			w.revision(2, string(w.Set.PodTemplate))
			w.budget("", 2)
			return w
		},
		kubernetes: "delete-pod web-2", setplan: "delete-pod web-2, delete-pod web-1", setplanHeld: "UPDATE_BUDGET web-0",
	},
	"BrokenPodsOutsideBudget": {
		make: func() *world {
			w := newWorld(3).parallel().image("web:2")
			w.revision(2, string(w.Set.PodTemplate))
			w.ago("web-0", time.Hour).ago("web-1", time.Hour).ago("web-2", time.Second)
			return w
		},
		kubernetes: "", setplan: "delete-pod web-1",
		kubernetesHeld: "UPDATE_BUDGET web-2, POD_NOT_READY web-0", setplanHeld: "POD_NOT_READY web-0, UPDATE_BUDGET web-2",
	},
	"UnavailableFirst": {
		make: func() *world {
			w := newWorld(3).parallel().image("web:2")
			w.revision(2, string(w.Set.PodTemplate))
			return w.ago("web-0", time.Second).ago("web-1", time.Second)
		},
		kubernetes: "", setplan: "delete-pod web-1, delete-pod web-0",
		kubernetesHeld: "POD_NOT_READY web-0, UPDATE_BUDGET web-2", setplanHeld: "POD_NOT_READY web-0, UPDATE_BUDGET web-2",
	},
	"DeletesDespiteFailedCreates": {
		make: func() *world {
			w := newWorld(4).parallel().withClaims()
			w.Set.Replicas = 2
			w.without("web-0").Claims[0].DeletedAt = noon
			return w
		},
		kubernetes: "", setplan: "delete-pod web-3, delete-pod web-2",
		kubernetesHeld: "CLAIM_TERMINATING www-web-0", setplanHeld: "CLAIM_TERMINATING www-web-0",
	},
	"CanonicalOrdinalsOnly": {
		make: func() *world {
			w := newWorld(2)
			w.pod(0).Name = "web-01"
			return w.without("web-1")
		},
		kubernetes: "", setplan: "release-pod web-01, create-pod web-1",
		kubernetesHeld: "IDENTITY_MISMATCH web-01",
	},
	"CompletionNeedsAvailability": {
		make: func() *world {
			w := newWorld(1).image("web:2")
			w.p("web-0").Revision = w.revision(2, string(w.Set.PodTemplate))
			w.p("web-0").ReadyChangedAt = noon
			w.Set.MinReadySeconds = 10
			return w
		},
		kubernetesHeld: "POD_NOT_AVAILABLE web-0", setplanHeld: "POD_NOT_AVAILABLE web-0",
		kubernetesStatus: func(s *model.Status) bool { return s.CurrentRevision == nameFor("web:2", 0) },
		setplanStatus:    func(s *model.Status) bool { return s.CurrentRevision == nameFor("web:1", 0) },
	},
	"CompletesByHand": {
		make: func() *world {
			w := newWorld(1).image("web:2")
			w.p("web-0").Revision = w.revision(2, string(w.Set.PodTemplate))
			w.Set.StrategyType = "OnDelete"
			return w
		},
		kubernetesStatus: func(s *model.Status) bool { return s.CurrentRevision == nameFor("web:1", 0) },
		setplanStatus:    func(s *model.Status) bool { return s.CurrentRevision == nameFor("web:2", 0) },
	},
	"Recreates": {
		make: func() *world {
			w := newWorld(2).image("web:2")
			w.revision(2, string(w.Set.PodTemplate))
			w.Set.StrategyType, w.Set.RollingUpdate = "Recreate", nil
			return w
		},
		kubernetesHeld: "INVALID_SPEC web", setplan: "delete-pod web-0, delete-pod web-1", setplanHeld: "RECREATE_WAITS web",
	},
	"CountersStayTrue": {
		make: func() *world {
			w := newWorld(1).image("web:2")
			w.revision(2, string(w.Set.PodTemplate))
			w.p("web-0").Revision = "web-another"
			return w
		},
		kubernetes: "delete-pod web-0", setplan: "delete-pod web-0",
		kubernetesStatus: func(s *model.Status) bool { return s.CurrentReplicas == -1 },
		setplanStatus:    func(s *model.Status) bool { return s.CurrentReplicas == 0 },
	},
	"LostRevisionHolds": {
		make: func() *world {
			w := newWorld(2).image("web:2")
			w.p("web-1").Revision = w.revision(2, string(w.Set.PodTemplate))
			w.Set.RollingUpdate = &model.RollingUpdate{Partition: 1}
			w.Revisions = w.Revisions[1:]
			return w.without("web-0")
		},
		kubernetes: "create-pod web-0", setplan: "",
		setplanHeld:      "INVALID_REVISION " + nameFor("web:1", 0),
		kubernetesStatus: func(s *model.Status) bool { return s.CurrentRevision == nameFor("web:2", 0) },
		setplanStatus:    func(s *model.Status) bool { return s.CurrentRevision == nameFor("web:1", 0) },
	},
	"KnownLimits": {
		make: func() *world {
			w := newWorld(1).withClaims().renamed(strings.Repeat("w", 53)).image("web:2")
			w.revision(2, string(w.Set.PodTemplate))
			r := &w.Revisions[1]
			r.Name = strings.Replace(r.Name, "web-", w.Set.Name+"-", 1)
			return w
		},
		kubernetes: "delete-pod " + strings.Repeat("w", 53) + "-0", setplan: "",
		setplanHeld: "INVALID_SPEC " + strings.Repeat("w", 53),
	},
	"EndedPodsHoldNothing": {
		make: func() *world {
			w := newWorld(2)
			w.Set.Replicas = 0
			w.p("web-0").Phase, w.p("web-0").Ready = model.PodFailed, false
			w.p("web-1").Ready = false
			return w
		},
		kubernetes: "", setplan: "delete-pod web-0",
		kubernetesHeld: "SCALE_DOWN_WAITS_FOR_POD web-0",
	},
	"PacesReplacements": {
		make: func() *world {
			w := newWorld(1).failed("web-0")
			w.p("web-0").CreatedAt = noon.Add(-9 * time.Second)
			return w
		},
		kubernetes: "delete-pod web-0", setplan: "",
		setplanHeld: "POD_ENDED web-0",
	},
	"WantedClaimsStay": {
		make: func() *world {
			w := handedOver(2)
			w.c("www-web-0").Owners = nil
			return w.failed("web-1")
		},
		kubernetes: "delete-pod web-1", setplan: "set-claim-owners www-web-1",
		setplanHeld: "POD_ENDED web-1",
	},
	"NamesakesKeepApart": {
		make:       func() *world { return namesakeHas(newWorld(3).parallel(), "web-1").without("web-2") },
		kubernetes: "create-pod web-2", setplan: "",
		kubernetesHeld: "POD_NAME_TAKEN web-1", setplanHeld: "POD_NAME_TAKEN web-1",
	},
	"UneditedSetKeepsRevision": {
		make: func() *world {
			w := newWorld(2)
			w.Set.PodTemplate = []byte(strings.Replace(template, `"name":"web"`, `"name":"web","tty":false`, 1))
			return w
		},
		kubernetes: "create-revision " + nameOf(strings.Replace(template, `"name":"web"`, `"name":"web","tty":false`, 1)) + ", delete-pod web-1",
		setplan:    "",
	},
	"DeletingSetStatusOnly": {
		make: func() *world {
			w := newWorld(1).image("web:2")
			w.Set.DeletedAt = noon
			return w
		},
		kubernetes: "create-revision " + nameFor("web:2", 0), setplan: "",
		kubernetesHeld: "SET_DELETING web", setplanHeld: "SET_DELETING web",
	},
	"ReplaceNeverReady": {
		make: func() *world {
			w := newWorld(3).image("web:3")
			w.revision(2, strings.Replace(template, "web:1", "web:2", 1))
			w.neverReady("web-2", w.Revisions[1].Name)
			w.revision(3, string(w.Set.PodTemplate))
			return w
		},
		kubernetes: "", setplan: "delete-pod web-2",
		kubernetesHeld: "POD_NOT_READY web-2", setplanHeld: "POD_NOT_READY web-2",
	},
	"NoFutileWrites": {
		make: func() *world {
			w := newWorld(1).withClaims()
			w.p("web-0").Volumes = nil
			return w
		},
		kubernetes: "patch-pod web-0", setplan: "",
		kubernetesHeld: "IDENTITY_MISMATCH web-0", setplanHeld: "IDENTITY_MISMATCH web-0",
	},
	"StatusCountsCreated": {
		make:       func() *world { return newWorld(2).without("web-1") },
		kubernetes: "create-pod web-1", setplan: "create-pod web-1",
		kubernetesStatus: func(s *model.Status) bool { return s.Replicas == 1 && s.UpdatedReplicas == 1 && s.CurrentReplicas == 1 },
		setplanStatus: func(s *model.Status) bool {
			return s.Replicas == 2 && s.ReadyReplicas == 1 && s.UpdatedReplicas == 2 && s.CurrentReplicas == 2
		},
	},
	"StatusConditions": {
		make: func() *world {
			w := newWorld(2)
			w.p("web-1").Ready = false
			return w
		},
		kubernetesHeld: "POD_NOT_READY web-1", setplanHeld: "POD_NOT_READY web-1",
		kubernetesStatus: func(s *model.Status) bool { return len(s.Conditions) == 0 },
		setplanStatus: func(s *model.Status) bool {
			return len(s.Conditions) == 2 && s.Conditions[0].Reason == "WaitingForPods" && s.Conditions[1].Status == "False"
		},
	},
}

// TestRules turns on each rule alone, over the upstream preset, so that no rule can hide behind another. A field without a row fails.
func TestRules(t *testing.T) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[model.Rules]()) {
		if field.Anonymous {
			continue
		}
		name := field.Name
		row, ok := ruleRows[name]
		if !ok {
			t.Errorf("rule %s has no row", name)
			continue
		}
		upstream := model.Kubernetes136()
		upstream.MaxUnavailable = name == "BrokenPodsOutsideBudget" || name == "UnavailableFirst" // these need a budget
		ours := upstream
		reflect.ValueOf(&ours).Elem().FieldByIndex(field.Index).SetBool(true)

		w := row.make()
		w.Rules = upstream
		p := Decide(&w.Snapshot)
		check(t, name+", upstream", "actions", actions(p), row.kubernetes)
		check(t, name+", upstream", "blocks", sortedBlocks(p), sortedText(row.kubernetesHeld))
		if st := status(p); row.kubernetesStatus != nil && (st == nil || !row.kubernetesStatus(st)) {
			t.Errorf("%s, upstream: status %+v", name, st)
		}
		w = row.make()
		w.Rules = ours
		p = Decide(&w.Snapshot)
		check(t, name+", on", "actions", actions(p), row.setplan)
		check(t, name+", on", "blocks", sortedBlocks(p), sortedText(row.setplanHeld))
		if st := status(p); row.setplanStatus != nil && (st == nil || !row.setplanStatus(st)) {
			t.Errorf("%s, on: status %+v", name, st)
		}
	}
	if model.Setplan() == model.Kubernetes136() || reflect.ValueOf(model.Setplan()).IsZero() {
		t.Error("the presets do not differ")
	}
}

// TestBrokenPodMustStillBeAsItWasSeen: a pod deleted because it is unavailable has the resource version as a precondition; one deleted
// within the budget does not.
func TestBrokenPodMustStillBeAsItWasSeen(t *testing.T) {
	w := newWorld(3).parallel().image("web:2")
	w.revision(2, string(w.Set.PodTemplate))
	w.Rules = model.Setplan()
	w.Set.RollingUpdate = &model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{Count: 2}}
	w.p("web-1").Ready = false
	w.p("web-1").ResourceVersion, w.p("web-2").ResourceVersion = "71", "72"
	got := map[string]string{}
	for _, stage := range Decide(&w.Snapshot).Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if _, is := a.Op.(model.DeletePod); is {
					got[a.Name] = a.ResourceVersion
				}
			}
		}
	}
	if want := map[string]string{"web-1": "71", "web-2": ""}; !reflect.DeepEqual(got, want) {
		t.Errorf("deleted, by resource version: %v, want %v", got, want)
	}
}
