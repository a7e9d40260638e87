package kube

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	corev1 "k8s.io/api/core/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// own and foreign are a change that the test's loop calls its own, and another one.
var (
	own     = Change{Write: adapters.Write{Kind: kindPod, Name: "own"}}
	foreign = Change{Write: adapters.Write{Kind: kindPod, Name: "foreign"}}
	// ownStatus is our own change of the set.
	ownStatus = Change{Write: adapters.Write{Kind: "StatefulSet", Name: "web"}}
	// boundClaim is the volume binder's change.
	boundClaim = Change{Write: adapters.Write{Kind: kindClaim, Name: "foreign"}, bound: true}
)

// testPace distinguishes own from foreign changes by their name.
func testPace() *Pace {
	p := NewPace()
	p.queue = func(adapters.Key, time.Duration) {}
	p.echo = func(_ adapters.Key, changes ...adapters.Write) bool {
		return !slices.ContainsFunc(changes, func(w adapters.Write) bool { return w.Name == "foreign" })
	}
	return p
}

// waiting puts what a pace queues into a variable. 0 is a set that is queued at once, never one that is not queued.
func (p *Pace) waiting(wait *time.Duration) {
	*wait = never
	p.queue = func(_ adapters.Key, after time.Duration) { *wait = max(after, 0) }
}

const never = time.Duration(-1)

// TestPace checks when the next pass is due: news is looked at at once, and the rest is only late.
func TestPace(t *testing.T) {
	pass := func(p *Pace, after time.Duration, meanwhile ...Change) {
		p.begin(webKey)
		for _, c := range meanwhile {
			p.changed(webKey, c)
		}
		p.end(webKey, after, nil)
	}
	for _, test := range []struct {
		name   string
		reason string
		do     func(*Pace)
		want   time.Duration
	}{
		{"nothing", "nobody asks for a pass", func(*Pace) {}, never},
		{"news", "", func(p *Pace) { p.changed(webKey, foreign) }, 0},
		{"echo", "the plan has taken it into account", func(p *Pace) { p.changed(webKey, own) }, echoWait},
		{"status", "hardly anything is left to do", func(p *Pace) { p.changed(webKey, ownStatus) }, statusWait},
		{"status, then echo", "what may wait less is sooner", func(p *Pace) {
			p.changed(webKey, ownStatus)
			p.changed(webKey, own)
		}, echoWait},
		{"echo, then status", "what may wait longer delays nothing", func(p *Pace) {
			p.changed(webKey, own)
			p.changed(webKey, ownStatus)
		}, echoWait},
		{"echo, then news", "the news does not wait for the echo", func(p *Pace) {
			p.changed(webKey, own)
			p.begin(webKey)
			p.changed(webKey, foreign)
		}, 0},
		{"news, then echo", "the news is still there", func(p *Pace) {
			p.changed(webKey, foreign)
			p.changed(webKey, own)
		}, 0},
		{"echo during the pass", "the watch is often quicker than the answer", func(p *Pace) {
			p.changed(webKey, foreign)
			pass(p, 0, own, own)
		}, echoWait},
		{"news during the pass", "it may have come after the snapshot", func(p *Pace) {
			p.changed(webKey, foreign)
			pass(p, 0, own, foreign, own)
		}, 0},
		{"the plan goes on", "a truncated plan has more to do", func(p *Pace) {
			p.changed(webKey, foreign)
			pass(p, time.Millisecond, own)
		}, time.Millisecond},
		{"the plan asks for a pass", "", func(p *Pace) {
			p.changed(webKey, foreign)
			pass(p, 200*time.Millisecond, ownStatus, own, boundClaim)
		}, 200 * time.Millisecond},
		{"the plan asks for a late pass", "", func(p *Pace) {
			p.changed(webKey, foreign)
			pass(p, time.Hour, ownStatus)
		}, statusWait},
		{"somebody asks for a pass", "", func(p *Pace) { p.ask(webKey, time.Hour) }, time.Hour},
		{"a claim is bound", "its pod becomes ready next", func(p *Pace) { p.changed(webKey, boundClaim) }, echoWait},
		{"a claim is bound, then news", "", func(p *Pace) {
			p.changed(webKey, boundClaim)
			p.changed(webKey, foreign)
		}, 0},
		{"a claim is bound while the gate is closed", "it may be the version that the gate waits for", func(p *Pace) {
			p.echo = func(adapters.Key, ...adapters.Write) bool { return false }
			p.changed(webKey, boundClaim)
		}, 0},
		{"the pass took it in", "the pass has seen earlier changes", func(p *Pace) {
			p.changed(webKey, own)
			p.changed(webKey, foreign)
			pass(p, 0)
		}, never},
	} {
		synctest.Test(t, func(t *testing.T) {
			var queued time.Duration
			p := testPace()
			p.waiting(&queued)
			test.do(p)
			began := p.begin(webKey)
			switch {
			case test.want <= 0:
				if began != (test.want == 0) {
					t.Fatalf("%s: a pass begins: %t: %s", test.name, began, test.reason)
				}
			case began || queued != test.want:
				t.Fatalf("%s: a pass begins: %t, the next one after %s, want %s: %s", test.name, began, queued, test.want, test.reason)
			default:
				if time.Sleep(queued); !p.begin(webKey) {
					t.Errorf("%s: it waits a second time", test.name)
				}
			}
			if test.want == never && len(p.sets) > 1 {
				t.Errorf("%s: kept: %v", test.name, p.sets)
			}
		})
	}
}

// TestPauses: passes that write only the status come with growing pauses; any other pass ends that.
func TestPauses(t *testing.T) {
	statusOnly := &setplanv1.Plan{Stages: []*setplanv1.Stage{{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{
		{Operation: &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{}}},
	}}}}}}
	withPod := &setplanv1.Plan{Stages: append([]*setplanv1.Stage{{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{createPod()}}}}}, statusOnly.Stages...)}
	tests := []struct {
		name  string
		plans []*setplanv1.Plan
		want  time.Duration
	}{
		{"none", nil, 0},
		{"one", []*setplanv1.Plan{statusOnly}, firstPause},
		{"two", []*setplanv1.Plan{statusOnly, statusOnly}, 2 * firstPause},
		{"many", []*setplanv1.Plan{statusOnly, statusOnly, statusOnly, statusOnly, statusOnly, statusOnly}, lastPause},
		{"a pod", []*setplanv1.Plan{statusOnly, statusOnly, withPod}, 0},
		{"nothing to do", []*setplanv1.Plan{statusOnly, statusOnly, {}}, 0},
	}
	for _, test := range tests {
		p := testPace()
		for _, plan := range test.plans {
			p.Planned(webKey, nil, plan)
		}
		if got := p.of(webKey).pause; got != test.want {
			t.Errorf("%s: a pause of %v, want %v", test.name, got, test.want)
		}
	}
	// A pause delays news too, but no longer than its duration, and no edit.
	var queued time.Duration
	p := testPace()
	p.waiting(&queued)
	p.changed(webKey, foreign)
	p.begin(webKey)
	for range 6 {
		p.Planned(webKey, nil, statusOnly)
	}
	p.end(webKey, 0, nil)
	p.changed(webKey, foreign)
	if p.begin(webKey) || queued < lastPause/2 || queued > lastPause {
		t.Errorf("after a status the next pass comes after %s", queued)
	}
	p.changed(webKey, Change{Write: adapters.Write{Kind: "StatefulSet", Name: "foreign"}})
	if !p.begin(webKey) {
		t.Errorf("an edit waits %s", queued)
	}
}

// TestForgottenByPace: nothing is kept of a set that is gone, also if its last pass ends afterwards.
func TestForgottenByPace(t *testing.T) {
	p := testPace()
	p.changed(webKey, foreign)
	p.begin(webKey)
	p.Forgotten(webKey)
	p.end(webKey, 0, errors.New("gone"))
	if len(p.sets) > 0 {
		t.Errorf("kept: %v", p.sets)
	}
}

// TestUnseenChanges: a version that differs in nothing that a snapshot has wakes no set.
func TestUnseenChanges(t *testing.T) {
	light := func(object any, err error) any {
		if err != nil {
			t.Fatal(err)
		}
		return object
	}
	pod := func(version, revision string, phase corev1.PodPhase, conditions ...corev1.PodCondition) any {
		return light(lightPod(StatefulSets())(&corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "web-0", ResourceVersion: version, Labels: map[string]string{labelRevision: revision}},
			Status:     corev1.PodStatus{Phase: phase, Conditions: conditions},
		}))
	}
	claim := func(version string, phase corev1.PersistentVolumeClaimPhase) any {
		return light(lightClaim(&corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{ResourceVersion: version}, Status: corev1.PersistentVolumeClaimStatus{Phase: phase}}))
	}
	ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue}
	listed, kept := pod("1", "a", "").(*cachedPod), claim("1", corev1.ClaimBound).(*cachedClaim)
	inTables(listed.message.Load())
	inTables(kept.message.Load())
	set := webSet(t, "set")
	tests := []struct {
		name         string
		old, current any
		want         bool
	}{
		{"pod, version", listed, pod("2", "a", ""), true},
		{"pod, a condition that nobody reads", pod("1", "a", ""), pod("2", "a", "", corev1.PodCondition{Type: corev1.PodScheduled}), true},
		{"pod, label", pod("1", "a", ""), pod("2", "b", ""), false},
		{"pod, phase", pod("1", "a", corev1.PodPending), pod("2", "a", corev1.PodRunning), false},
		{"pod, ready", pod("1", "a", corev1.PodRunning), pod("2", "a", corev1.PodRunning, ready), false},
		{"claim, version", kept, claim("2", corev1.ClaimBound), true},
		{"claim, phase", claim("1", corev1.ClaimPending), claim("2", corev1.ClaimBound), false},
		{"another pod in its place", pod("1", "a", ""), light(lightPod(StatefulSets())(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0", UID: "2"}})), false},
		{"set", set, set.DeepCopy(), false},
	}
	for _, test := range tests {
		var told int
		handler(kindPod, func(metav1.Object, Change) { told++ }).OnUpdate(test.old, test.current)
		if got := told == 0; got != test.want {
			t.Errorf("%s: ignored: %t, want %t", test.name, got, test.want)
		}
	}
}

// inTables sets each index into the tables of a snapshot, as a snapshot leaves them in the message of a cached object.
func inTables(message proto.Message) {
	reflected := message.ProtoReflect()
	for i, fields := 0, reflected.Descriptor().Fields(); i < fields.Len(); i++ {
		if field := fields.Get(i); strings.HasSuffix(string(field.Name()), "_index") {
			reflected.Set(field, protoreflect.ValueOfUint32(7))
		}
	}
}

// TestBoundClaims: only the change of a claim from pending to bound, with no other change, may wait for its pod.
func TestBoundClaims(t *testing.T) {
	claim := func(phase corev1.PersistentVolumeClaimPhase, change func(*corev1.PersistentVolumeClaim)) any {
		object := &corev1.PersistentVolumeClaim{
			ObjectMeta: metav1.ObjectMeta{Name: "www-web-0", UID: "1", ResourceVersion: string(phase)},
			Status:     corev1.PersistentVolumeClaimStatus{Phase: phase},
		}
		if change != nil {
			change(object)
		}
		light, err := lightClaim(object)
		if err != nil {
			t.Fatal(err)
		}
		return light
	}
	sized := func(size string) func(*corev1.PersistentVolumeClaim) {
		return func(c *corev1.PersistentVolumeClaim) {
			c.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: quantity.MustParse(size)}
		}
	}
	asking := func(size string) func(*corev1.PersistentVolumeClaim) {
		return func(c *corev1.PersistentVolumeClaim) {
			sized("1Gi")(c)
			c.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: quantity.MustParse(size)}
		}
	}
	classed := func(class, current string) func(*corev1.PersistentVolumeClaim) {
		return func(c *corev1.PersistentVolumeClaim) {
			c.Spec.VolumeAttributesClassName, c.Status.CurrentVolumeAttributesClassName = &class, nil
			if current != "" {
				sized("1Gi")(c)
				c.Status.CurrentVolumeAttributesClassName = &current
			}
		}
	}
	pending := claim(corev1.ClaimPending, nil)
	inTables(pending.(*cachedClaim).message.Load())
	tests := []struct {
		name         string
		old, current any
		want         bool
	}{
		{"bound", pending, claim(corev1.ClaimBound, nil), true},
		{"bound to a volume", pending, claim(corev1.ClaimBound, sized("1Gi")), true},
		{"bound with its attributes", claim(corev1.ClaimPending, classed("gold", "")), claim(corev1.ClaimBound, classed("gold", "gold")), true},
		{"bound with other attributes", claim(corev1.ClaimPending, classed("gold", "")), claim(corev1.ClaimBound, classed("gold", "silver")), false},
		{"another size", claim(corev1.ClaimPending, sized("1Gi")), claim(corev1.ClaimBound, sized("2Gi")), false},
		{"bound and asking for more", pending, claim(corev1.ClaimBound, asking("2Gi")), false},
		{"another size when it was bound before", claim(corev1.ClaimBound, sized("1Gi")), claim(corev1.ClaimBound, sized("2Gi")), false},
		{"lost", pending, claim(corev1.ClaimLost, nil), false},
		{"found again", claim(corev1.ClaimLost, nil), claim(corev1.ClaimBound, nil), false},
		{"bound and going", pending, claim(corev1.ClaimBound, func(c *corev1.PersistentVolumeClaim) { c.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} }), false},
		{"bound and owned", pending, claim(corev1.ClaimBound, func(c *corev1.PersistentVolumeClaim) {
			c.OwnerReferences = []metav1.OwnerReference{{UID: "2"}}
		}), false},
		{"another claim", pending, claim(corev1.ClaimBound, func(c *corev1.PersistentVolumeClaim) { c.UID = "2" }), false},
	}
	for _, test := range tests {
		var told []Change
		handler(kindClaim, func(_ metav1.Object, by Change) { told = append(told, by) }).OnUpdate(test.old, test.current)
		for _, by := range told {
			if by.bound != test.want {
				t.Errorf("%s: bound: %t, want %t", test.name, by.bound, test.want)
			}
		}
		if len(told) == 0 {
			t.Errorf("%s: no change is reported", test.name)
		}
	}
}
