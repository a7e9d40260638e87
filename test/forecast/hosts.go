package forecast

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/engine/forecast"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

var web = adapters.Key{Namespace: sim.Namespace, Name: "web"}

// cluster is a simulated cluster with one adapter. Its hosts take as long as a forecast assumes, and do nothing by themselves.
type cluster struct {
	world   *sim.World
	adapter *sim.Adapter
	planner *sim.Planner
	loop    *adapters.Loop
	rules   setplanv1.Behavior
	takes   forecast.Hosts
	begun   time.Time               // what hosts had begun before counts from here on, as a forecast cannot know when that was
	asked   map[types.UID]time.Time // when a pod was asked whether it may go
	sick    map[types.UID]bool      // pods that stay unready

	unsteady uint64 // a seed; 0: everything takes as long as a forecast assumes

	plan   *setplanv1.Plan // the last
	wrote  bool            // the last pass wrote
	failed []string        // what has failed in it
}

func newCluster(rules setplanv1.Behavior, takes forecast.Hosts) *cluster {
	c := &cluster{world: sim.NewWorld(), rules: rules, takes: takes, asked: map[types.UID]time.Time{}, sick: map[types.UID]bool{}}
	c.adapter = sim.NewAdapter(c.world, "a")
	c.planner = &sim.Planner{Adapter: c.adapter}
	c.loop = adapters.NewLoop(c.adapter, c.adapter, c.planner, c, c.options())
	return c
}

func (c *cluster) options() adapters.Options {
	return adapters.Options{Behavior: c.rules, Clock: c.adapter.Now, Parallelism: 1}
}

// Planned implements adapters.Observer.
func (c *cluster) Planned(_ adapters.Key, _ *setplanv1.Snapshot, plan *setplanv1.Plan) { c.plan = plan }

// Applied implements adapters.Observer.
func (c *cluster) Applied(_ adapters.Key, _ *setplanv1.Snapshot, action *setplanv1.Action, result adapters.Result) {
	if result.Err != nil {
		c.failed = append(c.failed, fmt.Sprintf("%s: %v", action.GetId(), result.Err))
		return
	}
	c.wrote = true
}

// Held implements adapters.Observer.
func (c *cluster) Held(_ adapters.Key, reason string, err error) {
	c.failed = append(c.failed, fmt.Sprintf("held, %s: %v", reason, err))
}

// Forgotten implements adapters.Observer.
func (c *cluster) Forgotten(adapters.Key) {}

// request is what the adapter would send now.
func (c *cluster) request() (request *setplanv1.PlanRequest, err error) {
	options := c.options()
	options.ObserveOnly = true
	c.planner.Planned = func(r *setplanv1.PlanRequest, _ *setplanv1.PlanResponse) { request = r }
	defer func() { c.planner.Planned = nil }()
	_, err = adapters.NewLoop(c.adapter, c.adapter, c.planner, c, options).Reconcile(context.Background(), web)
	return request, err
}

// maxPasses is far more than any of these lives takes.
const maxPasses = 2_000

// run reconciles and lets time pass until nothing happens any more, or after so many passes. It reports whether the set is at rest.
func (c *cluster) run(passes int) (atRest bool) {
	c.settle()
	var quiet *setplanv1.Plan
	var last []*setplanv1.Stage
	var at time.Time
	for range passes {
		if c.world.State().Set(web.Name) == nil {
			c.runOut()
			return true
		}
		c.wrote, c.failed = false, nil
		again, _ := c.loop.Reconcile(context.Background(), web)
		c.settle()
		next, due := c.next()
		if c.wrote {
			// What others undo at once is done again, and time passes all the same.
			undone := c.world.Now().Equal(at) && fmt.Sprint(c.plan.GetStages()) == fmt.Sprint(last)
			quiet, last, at = nil, c.plan.GetStages(), c.world.Now()
			if undone && due {
				c.moveTo(next)
			}
			continue
		}
		wake := c.world.Now().Add(again)
		looksAgain := (again > 0 || len(c.failed) > 0 && !due) && !(quiet != nil && sameBlocks(quiet, c.plan))
		switch {
		case looksAgain && (!due || wake.Before(next)):
			quiet = c.plan
			c.moveTo(wake)
		case due:
			quiet = nil
			c.moveTo(next)
		default:
			return true
		}
	}
	return false
}

// runOut lets hosts do what is left for them, without an adapter.
func (c *cluster) runOut() {
	for next, due := c.next(); due; next, due = c.next() {
		c.moveTo(next)
	}
}

// idle lets time pass without an adapter.
func (c *cluster) idle(d time.Duration) {
	end := c.world.Now().Add(d)
	for next, due := c.next(); due && !next.After(end); next, due = c.next() {
		c.moveTo(next)
	}
	c.moveTo(end)
}

// settle is what happens at once: garbage is collected, and pods start whose claims are there.
func (c *cluster) settle() {
	c.noteQuestions()
	for again := true; again; {
		again = c.world.CollectGarbage() || c.startPods()
	}
}

func (c *cluster) pods() (pods []*corev1.Pod) {
	for _, name := range c.world.State().Names(sim.KindPod) {
		pods = append(pods, c.world.State().Pod(name))
	}
	return pods
}

// startPods lets the kubelet take the pods that nobody has taken, and start containers anew whose images have changed.
func (c *cluster) startPods() bool {
	for _, pod := range c.pods() {
		resized := sim.LacksResources(pod)
		anew := sim.RunsOthers(pod) || pod.Status.ObservedGeneration != pod.Generation && !resized || resized && startsForResources(pod)
		if anew {
			delete(c.sick, pod.UID)
		}
		c.world.Hold(pod.Name, pod.Spec.NodeName != "" && !anew && !resized || pod.DeletionTimestamp != nil || sim.HasEnded(pod))
	}
	defer c.world.ReleaseAll()
	return c.world.Kubelet()
}

// noteQuestions notes when pods were asked.
func (c *cluster) noteQuestions() {
	for _, pod := range c.pods() {
		if _, known := c.asked[pod.UID]; !unanswered(pod) {
			delete(c.asked, pod.UID)
		} else if !known {
			c.asked[pod.UID] = c.world.Now()
		}
	}
}

func unanswered(pod *corev1.Pod) bool {
	question := pod.Annotations[adapters.AnnotationDrainRequest]
	return question != "" && pod.Annotations[adapters.AnnotationDrainAnswer] != question
}

// next is when hosts do something.
func (c *cluster) next() (at time.Time, due bool) {
	for _, pod := range c.pods() {
		for _, event := range c.eventsOf(pod) {
			if !due || event.at.Before(at) {
				at, due = event.at, true
			}
		}
	}
	return at, due
}

// moveTo lets time pass up to a moment, and hosts do what they do then.
func (c *cluster) moveTo(at time.Time) {
	c.world.Advance(at.Sub(c.world.Now()))
	for _, pod := range c.pods() {
		for _, event := range c.eventsOf(pod) {
			if !event.at.After(at) {
				event.do()
			}
		}
	}
	c.settle()
}

// event is something that a host does to a pod.
type event struct {
	at time.Time
	do func()
}

func (c *cluster) eventsOf(pod *corev1.Pod) (events []event) {
	name := pod.Name
	add := func(what string, since time.Time, after time.Duration, do func() error) {
		after = c.varied(pod.UID, what, after)
		if since.Before(c.begun) {
			since = c.begun
		}
		events = append(events, event{since.Add(after), func() { must(do()) }})
	}
	switch {
	case pod.DeletionTimestamp != nil:
		add("gone", sim.LeavingSince(pod), c.takes.GoneAfter, func() error { return c.world.Remove("kubelet", sim.KindPod, name) })
		return events
	case sim.HasEnded(pod) || pod.Spec.NodeName == "":
		return nil
	case pod.Annotations[adapters.AnnotationDrainClaims] != "":
		add("drained", pod.Status.StartTime.Time, c.takes.DrainedAfter, func() error { return c.world.Complete(name) })
		return events
	}
	if !sim.IsReady(pod) && !c.sick[pod.UID] && !isBroken(pod) {
		began := sim.StartedAt(pod) // a forecast does know when that was, but of a pod that stays
		if strings.Contains(pod.Annotations[inPlaceUpdate], `"revision"`) && began.Before(c.begun) {
			began = c.begun
		}
		ready := began.Add(c.varied(pod.UID, "ready", c.takes.ReadyAfter))
		events = append(events, event{ready, func() { must(c.world.SetReady("kubelet", name, true)) }})
	}
	if unanswered(pod) {
		add("answered", c.asked[pod.UID], c.takes.AnsweredAfter, func() error { return c.answer(name) })
	}
	return events
}

func (c *cluster) answer(name string) error {
	_, err := c.world.Update("app", sim.KindPod, name, sim.Preconditions{}, func(o sim.Object) {
		annotations := maps.Clone(o.GetAnnotations())
		annotations[adapters.AnnotationDrainAnswer] = annotations[adapters.AnnotationDrainRequest]
		o.SetAnnotations(annotations)
	})
	return err
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func sameBlocks(a, b *setplanv1.Plan) bool {
	return a != nil && b != nil && fmt.Sprint(a.GetBlocks()) == fmt.Sprint(b.GetBlocks()) &&
		a.GetRequeueAfter().AsDuration() == b.GetRequeueAfter().AsDuration()
}
