package why_test

import (
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/clients/cli/why"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// writes records a write of the set's status by a manager.
func (s *scene) writes(manager string, age time.Duration) {
	at := metav1.NewTime(now.Add(-age))
	s.world.Sets.Items[0].SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: manager, Subresource: "status", Time: &at}})
}

// leased adds a lease that was last renewed some time ago.
func (s *scene) leased(name, holder string, age time.Duration) {
	if s.world.Leases == nil {
		s.world.Leases = map[string]*coordinationv1.Lease{"setplan-adapter": nil, "setplan-adapter.default": nil}
	}
	at := metav1.NewMicroTime(now.Add(-age))
	s.world.Leases[name] = &coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{HolderIdentity: &holder, RenewTime: &at, LeaseDurationSeconds: new(int32(15))}}
}

// TestIdle: what shows that nobody carries a plan out, and what does not.
func TestIdle(t *testing.T) {
	const ours = "setplan-adapter"
	tests := map[string]struct {
		build func(*scene)
		idle  bool
		seen  string
	}{
		"the plan lies":            {func(s *scene) { s.creates("web-1"); s.writes(ours, time.Minute) }, true, "nothing was written to the set, its pods, claims and revisions since 2026-01-31T11:59:00Z, 60s ago"},
		"nothing to do":            {func(s *scene) { s.writes(ours, time.Minute) }, false, ""},
		"an adapter may be at it":  {func(s *scene) { s.creates("web-1"); s.writes(ours, time.Second) }, false, ""},
		"it has just fallen due":   {func(s *scene) { s.creates("web-1"); s.writes(ours, time.Minute); s.before = &setplanv1.Plan{} }, false, ""},
		"the planner does not say": {func(s *scene) { s.creates("web-1"); s.writes(ours, time.Minute); s.silent = true }, false, ""},
		"no time is known":         {func(s *scene) { s.creates("web-1") }, false, ""},
		"the objects may be old":   {func(s *scene) { s.creates("web-1"); s.writes(ours, time.Minute); s.undated = true }, false, ""},
		"another controller's":     {func(s *scene) { s.creates("web-1"); s.writes("kube-controller-manager", time.Minute) }, false, ""},
		"a pod has changed":        {func(s *scene) { s.creates("web-1"); s.writes(ours, time.Minute); s.podWritten(time.Second) }, false, ""},
		"a pod changed long ago":   {func(s *scene) { s.creates("web-1"); s.writes(ours, time.Hour); s.podWritten(time.Minute) }, true, "11:59:00Z"},
		"pods of the name come and go": {func(s *scene) {
			s.creates("web-1")
			s.writes(ours, time.Minute)
			s.event("NodeAffinity", "Pod", "web-1", "Predicate NodeAffinity failed", time.Second)
			s.world.Events[0].InvolvedObject.UID = "gone"
		}, false, ""},
		"a pod of the name went long ago": {func(s *scene) {
			s.creates("web-1")
			s.writes(ours, time.Hour)
			s.event("Killing", "Pod", "web-1", "Stopping container app", time.Minute)
			s.world.Events[0].InvolvedObject.UID = "gone"
		}, true, "11:59:00Z"},
		"the status is behind":      {func(s *scene) { s.behind(); s.specWritten(time.Minute) }, true, "kube-controller-manager wrote its status last, 60m ago"},
		"the spec has just changed": {func(s *scene) { s.behind(); s.specWritten(time.Second) }, false, ""},
		"it has just been deleted":  {func(s *scene) { s.behind(); s.deletedSet(time.Second) }, false, ""},
		"it was deleted, and since": {func(s *scene) { s.behind(); s.deletedSet(time.Minute) }, true, ""},
		"nobody knows since when":   {func(s *scene) { s.behind() }, false, ""},
		"refused": {func(s *scene) {
			s.creates("web-1")
			s.writes(ours, time.Minute)
			s.event("FailedCreate", "StatefulSet", "web", "Create Pod web-1 in StatefulSet web failed error: no", time.Minute)
		}, false, ""},

		"stale lease":            {func(s *scene) { s.leased(ours, "host-1", time.Minute) }, true, "lease kube-system/setplan-adapter: host-1 renewed it last at 2026-01-31T11:59:00Z, 60s ago; it lasts 15s"},
		"lease that is held":     {func(s *scene) { s.leased(ours, "host-1", 2*time.Second) }, false, ""},
		"lease of the namespace": {func(s *scene) { s.leased(ours, "host-1", time.Hour); s.leased("setplan-adapter.default", "host-2", 0) }, false, ""},
		"clocks differ":          {func(s *scene) { s.leased(ours, "host-1", 20*time.Second) }, false, ""},
		"an adapter without one": {func(s *scene) { s.leased(ours, "host-1", time.Hour); s.writes(ours, time.Minute) }, false, ""},
		"given back":             {func(s *scene) { s.leased(ours, "", time.Minute) }, true, "released at"},
		"just given back":        {func(s *scene) { s.leased(ours, "", time.Second) }, false, ""},
		"no lease, and a plan": {func(s *scene) {
			s.leased(ours, "", 0)
			s.world.Leases[ours] = nil
			s.creates("web-1")
			s.writes(ours, time.Minute)
		}, true, "neither setplan-adapter nor setplan-adapter.default is in kube-system"},
		"stale, and another controller's": {func(s *scene) {
			s.leased(ours, "host-1", time.Minute)
			s.writes("kube-controller-manager", time.Minute)
		}, false, ""},
		"stale, and all is done": {func(s *scene) { s.leased(ours, "host-1", time.Minute); s.plan = &setplanv1.Plan{Converged: true} }, false, ""},
	}
	for name, test := range tests {
		s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_AVAILABLE)
		test.build(s)
		reasons := s.explain().Reasons
		if idle := len(reasons) > 0 && reasons[0].Code == why.CodeNobodyActs; idle != test.idle {
			t.Errorf("%s: the reasons are %+v", name, reasons)
		} else if idle && (!strings.Contains(strings.Join(reasons[0].Evidence, "\n"), test.seen) || reasons[0].Severity != why.Attention) {
			t.Errorf("%s: %q is not in %+v", name, test.seen, *reasons[0])
		}
	}
}

// behind makes the plan write a generation that the status does not have yet.
func (s *scene) behind() {
	s.plan.Stages = append(s.plan.Stages, &setplanv1.Stage{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{{
		Operation: &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: &setplanv1.StatefulSetStatus{ObservedGeneration: new(int64(2))}}}}}}}})
}

func (s *scene) specWritten(age time.Duration) {
	at, before := metav1.NewTime(now.Add(-age)), metav1.NewTime(now.Add(-time.Hour))
	s.world.Sets.Items[0].SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: "kubectl-set", Time: &at},
		{Manager: "kube-controller-manager", Subresource: "status", Time: &before}})
}

// deletedSet has the set be deleted, in a file that does not tell who wrote what.
func (s *scene) deletedSet(age time.Duration) {
	s.world.Sets.Items[0].SetDeletionTimestamp(new(metav1.NewTime(now.Add(-age))))
}

func (s *scene) podWritten(age time.Duration) {
	at := metav1.NewTime(now.Add(-age))
	s.pod.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet", Subresource: "status", Time: &at}}
}
