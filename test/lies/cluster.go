package lies

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
	"github.com/setplan/setplan/test/story"
)

// sets are those of every cluster: with a drain policy, with claims that go along, with neither, with both, and with images and with resources that
// change in place. The one before these two is a neighbour of another in some lives: it calls its claims alike.
var sets = []string{"web", "db", "b-web", "c", "b-c", "img", "size"}

// Liar is the actor of what is written for a plan that lies.
const Liar = "liar"

// Cluster is a cluster in the middle of its life, with the plan that the planner makes for each set now.
type Cluster struct {
	runner *story.Runner
	world  *sim.World
	honest *adapters.Loop
	liar   *sim.Adapter
	judge  *judge
	alone  bool
	true   map[string]*setplanv1.PlanRequest
	plans  map[string]*setplanv1.Plan
}

// NewCluster lives a life that the seed chooses.
func NewCluster(seed uint64) *Cluster {
	random := rand.New(rand.NewPCG(seed, 0))
	c := &Cluster{runner: story.NewRunner(), true: map[string]*setplanv1.PlanRequest{}, plans: map[string]*setplanv1.Plan{}}
	c.tell("set name=web replicas=3 policy=Parallel claims=www")
	c.tell("drain web image=v1" + []string{"", " onDelete=true", " leftovers=true", " ask=true"}[random.IntN(4)])
	c.tell("set name=db replicas=3 policy=Parallel claims=www retention=" + []string{"Delete/Delete", "Delete/Retain", "Retain/Delete"}[random.IntN(3)])
	c.tell("set name=b-web replicas=2 claims=www history=1")
	c.tell("set name=c replicas=3 policy=Parallel claims=a-b retention=" + []string{"Delete/Delete", "Delete/Retain", "Retain/Delete"}[random.IntN(3)])
	if random.IntN(2) == 0 {
		c.tell(drainOfC(random))
	}
	if random.IntN(4) == 0 {
		c.tell("set name=b-c replicas=2 claims=a")
	}
	c.world = c.runner.World()
	adapter := sim.NewAdapter(c.world, "honest")
	adapter.Disown() // what the invariants say of a life is another test's business
	c.honest = adapters.NewLoop(adapter, adapter, &sim.Planner{}, adapters.Observers{}, adapters.Options{Clock: adapter.Now, Parallelism: 1})
	for range random.IntN(3) * 5 {
		c.pass()
	}
	for range random.IntN(14) {
		c.happens(random)
	}
	c.changesInPlace("img", "image", random, "v1", "v2", "v3", "v1")
	c.changesInPlace("size", "cpu", random, "1", "2", "3", "1")
	c.alone = random.IntN(8) == 0
	c.hasNeighbour("img", random)
	c.liar = sim.NewAdapter(c.world, Liar)
	c.liar.Disown()
	for _, set := range sets {
		c.ask(set)
	}
	c.judge = newJudge(c.world)
	return c
}

// changesInPlace brings a set into the middle of an update in place of one field, which has a value at first and then others.
func (c *Cluster) changesInPlace(set, field string, random *rand.Rand, first string, others ...string) {
	passes := func(n int) {
		for range n {
			_, _ = c.honest.Reconcile(context.Background(), key(set))
			c.world.Kubelet()
		}
	}
	c.tell("set name=" + set + " replicas=3 policy=Parallel " + field + "=" + first)
	c.tell("annotate " + set + " setplan.io/in-place=InPlaceIfPossible")
	passes(6)
	for _, value := range others[:1+random.IntN(3)] {
		c.tell("edit " + set + " " + field + "=" + value)
		passes(random.IntN(5))
	}
}

// hasNeighbour makes another set, whose revisions a set's snapshot has for their names; or nobody owns them any more. The set lacks a pod.
func (c *Cluster) hasNeighbour(set string, random *rand.Rand) {
	c.changesInPlace(set+"-x", "image", random, "theirs", "theirs-2", "theirs-3", "theirs")
	if random.IntN(2) == 0 {
		c.tell("delete " + set + "-x orphan")
		c.world.CollectGarbage()
	}
	c.tell("edit " + set + " replicas=4")
}

// drainOfC is a policy that comes while claims have owners already.
func drainOfC(random *rand.Rand) string {
	return "drain c image=v1" + []string{"", " onDelete=true", " leftovers=true", " onDelete=true leftovers=true"}[random.IntN(4)]
}

func (c *Cluster) tell(line string) { c.runner.Run(story.ParseCommand(line, "")) }

// pass lets everybody do one thing.
func (c *Cluster) pass() {
	for _, set := range sets {
		_, _ = c.honest.Reconcile(context.Background(), key(set))
	}
	c.world.Kubelet()
	c.world.CollectGarbage()
}

// happens is something that users, nodes and time do. A command that does not fit says so, and nothing happens.
func (c *Cluster) happens(random *rand.Rand) {
	set := sets[random.IntN(len(sets))]
	pod := fmt.Sprintf("pod %s-%d ", set, random.IntN(4))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	switch random.IntN(8) {
	case 0, 1:
		c.tell("edit " + set + " replicas=" + pick("1", "2", "4"))
	case 2:
		c.tell("edit " + set + " image=" + pick("v1", "v2", "v3"))
	case 3:
		c.tell(pod + pick("fail", "delete", "orphan", "relabel labels=app=debug", "remove", "succeed"))
	case 4:
		for _, name := range c.world.State().Names(sim.KindPod) {
			if p := c.world.State().Pod(name); p.Annotations[adapters.AnnotationDrainSet] != "" && p.Status.Phase == corev1.PodRunning {
				_ = c.world.End("kubelet", name, corev1.PodSucceeded, "")
			}
		}
	case 5:
		c.tell("clock +" + pick("5s", "40s"))
	case 6:
		if random.IntN(4) == 0 {
			c.tell("delete " + set + " " + pick("background", "foreground", "orphan"))
		}
	case 7:
		if random.IntN(3) == 0 {
			c.tell("set name=b-c replicas=2 claims=a") // a neighbour comes while drains are under way
		} else {
			c.tell(drainOfC(random))
		}
	}
	if random.IntN(3) > 0 {
		c.pass()
	}
}

// ask gets the true plan for a set.
func (c *Cluster) ask(set string) {
	planner := plannerFunc(func(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
		response, err := (&sim.Planner{}).Plan(ctx, request)
		if err == nil {
			c.true[set], c.plans[set] = request, response.GetPlan()
		}
		return response, err
	})
	options := c.options()
	options.ObserveOnly = true
	_, _ = adapters.NewLoop(c.liar, nil, planner, adapters.Observers{}, options).Reconcile(context.Background(), key(set))
}

func (c *Cluster) options() adapters.Options {
	options := adapters.Options{Clock: c.liar.Now, Parallelism: 1}
	if c.alone {
		options.Scope = setplanv1.Scope_SCOPE_DRAIN_ONLY
	}
	return options
}

func key(set string) adapters.Key { return adapters.Key{Namespace: sim.Namespace, Name: set} }

type plannerFunc func(context.Context, *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error)

func (f plannerFunc) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	return f(ctx, request)
}

// Apply carries out a plan for a set as an adapter does that verifies plans in a way, and lets the garbage collector do what follows. It returns
// what the judge found, whether anything was written, and the error of the pass.
func (c *Cluster) Apply(set string, plan *setplanv1.Plan, way string) (problems []string, wrote bool, err error) {
	before := len(c.world.History())
	c.judge.try(set)
	var planner adapters.Planner = plannerFunc(func(context.Context, *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
		return &setplanv1.PlanResponse{Plan: proto.CloneOf(plan)}, nil
	})
	if way == adapters.VerifyReplan { // all versions are "", and so the same
		planner = adapters.NewReplan(planner, &sim.Planner{}, "", c.liar.Now, func(string, string) {})
	}
	loop := adapters.NewLoop(c.liar, c.judge.before(c.liar), planner, adapters.Observers{}, c.options())
	_, err = loop.Reconcile(context.Background(), key(set))
	if wrote = len(c.world.History()) > before; wrote {
		if err := c.goesOn(set); err != nil {
			c.judge.find("5 seconds later, an honest planner cannot go on: %v", err)
		}
	}
	return c.judge.problems, wrote, err
}

// goesOn runs the set with an honest planner, once a second, until a pass succeeds or five seconds have passed.
func (c *Cluster) goesOn(set string) (err error) {
	for range 5 {
		c.world.Advance(time.Second)
		for c.world.CollectGarbage() {
		}
		if _, err = c.honest.Reconcile(context.Background(), key(set)); err == nil {
			break
		}
	}
	return err
}
