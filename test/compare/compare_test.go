package compare

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/sim"
)

// rolled is a life in which both controllers want the same.
var rolled = map[string]func(*life){
	"an ordered start": func(l *life) { l.create("") },
	"a rollout": func(l *life) {
		l.create("")
		l.run(15)
		l.image("v2")
	},
	"back and forth": func(l *life) {
		l.create(`{"revisionHistoryLimit": 1}`)
		l.run(15)
		for _, tag := range []string{"v2", "v1", "v3", "v4", "v2"} {
			l.image(tag)
			l.run(30)
		}
	},
	"a partition": func(l *life) {
		l.create(`{"updateStrategy": {"rollingUpdate": {"partition": 2}}}`)
		l.run(15)
		l.image("v2")
		l.run(20)
		l.edit(`{"updateStrategy": {"rollingUpdate": {"partition": 0}}}`)
	},
	"minReadySeconds": func(l *life) {
		l.create(`{"minReadySeconds": 5}`)
		l.run(40)
		l.image("v2")
		l.run(40)
	},
	"claims that go with the pods": func(l *life) {
		l.create(`{"podManagementPolicy": "Parallel", "persistentVolumeClaimRetentionPolicy": {"whenScaled": "Delete"},
			"volumeClaimTemplates": [{"metadata": {"name": "www"}, "spec": {"accessModes": ["ReadWriteOnce"]}}]}`)
		l.run(15)
		l.edit(`{"replicas": 5}`)
		l.run(15)
		l.edit(`{"replicas": 2}`)
		l.run(15)
		l.image("v2")
	},
	"a pod that fails": func(l *life) {
		l.create("")
		l.run(15)
		need.NoError(l, l.world.End("kubelet", "web-1", corev1.PodFailed, ""))
	},
	"claims that go with the set": func(l *life) {
		l.create(`{"volumeClaimTemplates": [{"metadata": {"name": "www"}, "spec": {"accessModes": ["ReadWriteOnce"]}}]}`)
		l.run(15)
		l.edit(`{"persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Delete"}}`)
	},
	"a pod that goes slowly": func(l *life) {
		l.create("")
		l.run(15)
		l.image("v2")
		l.world.Hold("web-2", true)
		l.run(20)
		l.world.Hold("web-2", false)
	},
	"a pod of somebody else": func(l *life) {
		l.create("")
		l.run(15)
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-7", OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "r", Controller: new(true)}}},
			Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "x", Image: "x:1"}}}}
		need.Value(l.world.Create("user", pod))(l)
		l.run(7)
		l.deletes("user", sim.KindPod, "web-7")
	},
	"a set recreated": func(l *life) {
		l.create("")
		l.run(15)
		l.deletes("user", sim.KindSet, "web")
		l.world.CollectGarbage()
		l.world.Kubelet()
		l.world.CollectGarbage()
		l.create("")
	},
}

// TestNoDifference: both want the same, however often somebody looks: a watch that was away for long shows all at once what was done
// meanwhile, and nothing of it is lost or held against anybody.
func TestNoDifference(t *testing.T) {
	for name, lead := range rolled {
		t.Run(name, func(t *testing.T) {
			var said []string
			for _, every := range []int{1, 2, 3, 7} {
				l := newLife(t, every)
				lead(l)
				l.run(42)
				report := l.set.Report()
				if report.Differs || len(report.Others) > 0 || report.Undecided > 0 {
					t.Errorf("looking every %d seconds:\n%s", every, l.says())
				}
				said = append(said, l.says())
			}
			for _, text := range said[1:] {
				if text != said[0] && name != "back and forth" { // what was made and taken away between two looks is never seen
					t.Errorf("looking every second:\n%slooking more seldom:\n%s", said[0], text)
				}
			}
			if !strings.Contains(said[0], "create pod") {
				t.Errorf("nothing was compared:\n%s", said[0])
			}
		})
	}
}

// varies is what depends on how often somebody looks: when something was seen, for how long, and what ours waited for if several things
// were seen at once.
var varies = regexp.MustCompile(`2026-[^ ]*Z|after [0-9ms]+|\. .*`)

const muchLater = `
default/web: DIFFERS
  both: create pod 6, create revision 2, delete pod 2
  done, but not planned
    2026-01-01T00:00:45Z delete pod web-2 by the controller. The planner waits: POD_NOT_READY web-0: The pod is running and not ready.
  planned, but not done in time
    2026-01-01T00:00:21Z create revision web-564689d678 (done after 40s). No revision has this pod template yet.
  statuses that the planner would have written differently: 1
Events and conditions show who deleted a pod. If an event is lost, a deletion by someone else may have been the controller's.
`

// TestDifferences: each life is told as it is, in these words.
func TestDifferences(t *testing.T) {
	for name, test := range map[string]struct {
		lead func(*life)
		want string
	}{
		"theirs does not ask the gate": {func(l *life) {
			l.image("v2")
			l.run(20)
			l.annotate("setplan.io/before-update", "backup-agent")
			l.image("v1")
			l.run(30)
		}, `
default/web: DIFFERS
  both: create pod 9, create revision 2, delete pod 3, renumber revision 1
  done, but not planned
    2026-01-01T00:00:40Z delete pod web-2 by the controller. The planner waits: UPDATE_GATED web-2: The pod is updated once backup-agent approves (setplan.io/before-update).
    2026-01-01T00:00:43Z delete pod web-1 by the controller. The planner waits: UPDATE_GATED web-1: The pod is updated once backup-agent approves (setplan.io/before-update).
    2026-01-01T00:00:46Z delete pod web-0 by the controller. The planner waits: UPDATE_GATED web-0: The pod is updated once backup-agent approves (setplan.io/before-update).
Events and conditions show who deleted a pod. If an event is lost, a deletion by someone else may have been the controller's.
`},
		"theirs does not know a pause": {func(l *life) {
			l.image("v2")
			l.run(20)
			l.annotate("setplan.io/pause", "Updates")
			l.image("v1")
			l.run(30)
		}, `
default/web: DIFFERS
  both: create pod 9, create revision 2, delete pod 3, renumber revision 1
  done, but not planned
    2026-01-01T00:00:40Z delete pod web-2 by the controller. The planner waits: PAUSED web: Updates and repairs are paused. Outdated: 3 pods.
    2026-01-01T00:00:43Z delete pod web-1 by the controller. The planner waits: PAUSED web: Updates and repairs are paused. Outdated: 2 pods.
    2026-01-01T00:00:46Z delete pod web-0 by the controller. The planner waits: PAUSED web: Updates and repairs are paused. Outdated: 1 pod.
Events and conditions show who deleted a pod. If an event is lost, a deletion by someone else may have been the controller's.
`},
		"ours repairs": {func(l *life) {
			l.image("bad")
			l.run(5)
			l.image("v3")
			l.run(40)
		}, `
default/web: DIFFERS
  both: create pod 4, create revision 3, delete pod 1
  planned, but not done in time
    2026-01-01T00:00:31Z delete pod web-2. The pod has never been ready at revision web-75cdd4dd7f and would be recreated at web-5ccd88554f.
  statuses that the planner would have written differently: 1
`},
		"ours repairs, and somebody does so by hand": {func(l *life) {
			l.image("bad")
			l.run(5)
			l.image("v3")
			l.run(40)
			l.deletes("user", sim.KindPod, "web-2")
			l.run(40)
		}, `
default/web: DIFFERS
  both: create pod 7, create revision 3, delete pod 4
  planned, but not done in time
    2026-01-01T00:00:31Z delete pod web-2 (done after 35s). The pod has never been ready at revision web-75cdd4dd7f and would be recreated at web-5ccd88554f.
  statuses that the planner would have written differently: 1
`},
		"a user deletes a pod": {func(l *life) {
			l.deletes("user", sim.KindPod, "web-1")
			l.run(30)
		}, `
default/web: no difference
  both: create pod 4, create revision 1
  done by someone other than the controller
    2026-01-01T00:00:20Z delete pod web-1 by somebody
Events and conditions show who deleted a pod. If an event is lost, a deletion by someone else may have been the controller's.
`},
		"a user deletes a pod, and nobody may read events": {func(l *life) {
			l.unread = true
			l.deletes("user", sim.KindPod, "web-1")
			l.run(30)
		}, `
default/web: DIFFERS
  both: create pod 4, create revision 1
  done, but not planned
    2026-01-01T00:00:20Z delete pod web-1 by an unknown client. The planner would not have done it.
Events and conditions show who deleted a pod. If an event is lost, a deletion by someone else may have been the controller's.
`},
		"a pod is evicted": {func(l *life) {
			l.change(sim.KindPod, "web-1", func(o sim.Object) {
				pod := o.(*corev1.Pod)
				pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "EvictionByEvictionAPI"})
			})
			l.deletes("user", sim.KindPod, "web-1")
			l.run(30)
		}, `
default/web: no difference
  both: create pod 4, create revision 1
  done by someone other than the controller
    2026-01-01T00:00:20Z delete pod web-1 by a disruption (EvictionByEvictionAPI)
Events and conditions show who deleted a pod. If an event is lost, a deletion by someone else may have been the controller's.
`},
		"theirs deletes what need not go": {func(l *life) {
			l.deletes("theirs", sim.KindPod, "web-1")
			l.run(30)
		}, `
default/web: DIFFERS
  both: create pod 4, create revision 1
  done, but not planned
    2026-01-01T00:00:20Z delete pod web-1 by the controller. The planner would not have done it.
Events and conditions show who deleted a pod. If an event is lost, a deletion by someone else may have been the controller's.
`},
		"theirs stands still": {func(l *life) {
			l.image("v2")
			l.idle(30)
			l.run(30)
		}, `
default/web: DIFFERS
  both: create pod 6, create revision 2, delete pod 3
  planned, but not done in time
    2026-01-01T00:00:21Z create revision web-564689d678 (done after 30s). No revision has this pod template yet.
    2026-01-01T00:00:21Z delete pod web-2 (done after 30s). The pod is at revision web-5f6b447c79 and is recreated at web-564689d678.
  statuses that the planner would have written differently: 1
`},
		"a user deletes a pod as soon as it is there": {func(l *life) {
			l.deletes("user", sim.KindPod, "web-1")
			l.idle(l.every)
			need.Value(l.theirs.Reconcile(l.Context(), web))(l)
			l.change(sim.KindPod, "web-1", func(o sim.Object) { o.SetFinalizers([]string{"example.com/hold"}) })
			l.deletes("user", sim.KindPod, "web-1")
			l.idle(l.every)
			l.change(sim.KindPod, "web-1", func(o sim.Object) { o.SetFinalizers(nil) })
			l.run(30)
		}, `
default/web: no difference
  both: create pod 5, create revision 1
  done by someone other than the controller
    2026-01-01T00:00:20Z delete pod web-1 by somebody
    2026-01-01T00:00:21Z delete pod web-1 by somebody
Events and conditions show who deleted a pod. If an event is lost, a deletion by someone else may have been the controller's.
`},
		"theirs does a little later what ours no longer wants": {func(l *life) {
			l.late(func() { l.idle(5) })
		}, `
default/web: DIFFERS
  both: create pod 6, create revision 2, delete pod 3
  planned, but not done in time
    2026-01-01T00:00:21Z create revision web-564689d678 (done after 25s). No revision has this pod template yet.
  statuses that the planner would have written differently: 1
`},
		"theirs does much later what ours no longer wants": {func(l *life) {
			l.late(func() { l.idle(20) })
		}, muchLater},
		"theirs does later what ours no longer wants, and nobody has looked for long": {func(l *life) {
			l.late(func() { l.world.Advance(20 * time.Second) })
		}, muchLater},
		"sets are seen later than pods": {func(l *life) {
			l.eyes.Freeze(sim.KindSet)
			l.image("v2")
			l.run(8)
			l.eyes.Thaw()
			l.run(30)
		}, `
default/web: no difference
  both: create pod 6, create revision 2, delete pod 3
`},
		"sets are seen later than pods, and a user deletes one": {func(l *life) {
			l.eyes.Freeze(sim.KindSet)
			l.image("v2")
			l.run(1)
			l.look()
			l.world.Hold("web-0", true)
			l.deletes("user", sim.KindPod, "web-0")
			l.look()
			l.eyes.Thaw()
			l.run(20)
			l.world.Hold("web-0", false)
			l.run(30)
		}, `
default/web: no difference
  both: create pod 6, create revision 2, delete pod 2
  done by someone other than the controller
    2026-01-01T00:00:21Z delete pod web-0 by somebody
  statuses that the planner would have written differently: 1
Events and conditions show who deleted a pod. If an event is lost, a deletion by someone else may have been the controller's.
`},
		"the end comes too early": {func(l *life) {
			l.deletes("theirs", sim.KindPod, "web-1")
			l.run(5)
		}, `
default/web: no difference
  both: create pod 4, create revision 1
  done too late to be compared: 1
`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, every := range []int{1, 2, 5} {
				l := newLife(t, every)
				l.create("")
				l.run(20)
				test.lead(l)
				got, want := l.says(), strings.TrimPrefix(test.want, "\n")
				if every > 1 {
					got, want = varies.ReplaceAllString(got, ""), varies.ReplaceAllString(want, "")
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("looking every %d seconds:\n%s\n%s", every, got, diff)
				}
			}
		})
	}
}

// TestBlind: while nobody knows what is done, nothing counts as not done.
func TestBlind(t *testing.T) {
	l := newLife(t, 1)
	l.create("")
	l.run(20)
	l.image("v2")
	for range 3 {
		l.idle(8)
		l.set.Blind()
	}
	l.differsOnlyNow("8 seconds at a time")
}

// differsOnlyNow: nothing counts as not done yet, and does after 12 seconds in a row.
func (l *life) differsOnlyNow(before string) {
	l.Helper()
	if l.set.Report().Differs {
		l.Errorf("after %s:\n%s", before, l.says())
	}
	l.idle(12)
	if !l.set.Report().Differs {
		l.Errorf("after 12 seconds:\n%s", l.says())
	}
}

// TestOnAndOff: what ours wants now and then has not been wanted all the time.
func TestOnAndOff(t *testing.T) {
	l := newLife(t, 1)
	l.create(`{"updateStrategy": {"rollingUpdate": {"partition": 3}}}`)
	l.run(20)
	l.image("v2")
	l.run(5)
	l.edit(`{"updateStrategy": {"rollingUpdate": {"partition": 0}}}`)
	for range 3 {
		l.idle(6)
		l.world.Hold("web-0", true)
		l.ready("web-0", false)
		l.idle(3)
		l.world.Hold("web-0", false)
		l.ready("web-0", true)
	}
	l.differsOnlyNow("6 seconds at a time")
}

// TestRestless: as long as something may be told although nothing changes, somebody has to look.
func TestRestless(t *testing.T) {
	l := newLife(t, 1)
	l.create("")
	restless := func(want bool, when string) {
		t.Helper()
		if l.set.Restless() != want {
			t.Errorf("%s: restless is %t", when, !want)
		}
	}
	l.run(30)
	restless(false, "a set at rest")
	l.deletes("theirs", sim.KindPod, "web-1")
	l.run(8)
	restless(true, "it is not decided whose deletion it was")
	l.run(12)
	restless(false, "all is told")
	l.image("v2")
	l.idle(5)
	restless(true, "it may not be done in time")
	l.idle(20)
	restless(false, "it is told that it was not done")
	l.image("v3")
	l.idle(5)
	restless(true, "something else may not be done in time")
}
