package main

import (
	"context"
	"fmt"
	"io"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/narrate"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants"
	"github.com/setplan/setplan/test/sim"
	"github.com/setplan/setplan/test/story"
)

const set = "web"

var key = adapters.Key{Namespace: sim.Namespace, Name: set}

// cluster is a simulated cluster with one adapter, whose planner is in the same process.
type cluster struct {
	world    *sim.World
	monitor  *invariants.Monitor
	loop     *adapters.Loop
	narrator *narrate.Narrator
}

func newCluster(out io.Writer) *cluster {
	c := &cluster{world: sim.NewWorld()}
	c.monitor = invariants.Watch(c.world, setplanv1.Behavior_BEHAVIOR_SETPLAN)
	c.narrator = narrate.New(out, c.world.Now)
	c.world.OnWrite(func(_ sim.State, event sim.Event) {
		if event.Verb == "remove" && c.world.State().Set(set) == nil && event.Kind != sim.KindSet {
			c.narrator.Saw("%s %s is gone: the garbage collector took it", event.Kind, event.Name)
		}
	})
	adapter := sim.NewAdapter(c.world, "setplan")
	c.loop = adapters.NewLoop(adapter, adapter, c.monitor.Follow(&sim.Planner{}), c.narrator,
		adapters.Options{Clock: c.world.Now, Parallelism: 1})
	return c
}

// create makes the set; options are those of a story's command "set".
func (c *cluster) create(options map[string]string) error {
	object, err := story.NewSet(set, options, "")
	if err != nil {
		return err
	}
	_, err = c.world.Create("user", object)
	return err
}

// edit changes the spec of the set.
func (c *cluster) edit(options map[string]string) error {
	spec, err := story.ChangeSpec(c.world.State().Set(set).Spec, options, "")
	if err != nil {
		return err
	}
	_, err = c.world.Update("user", sim.KindSet, set, sim.Preconditions{}, func(o sim.Object) { o.(*sim.Set).Spec = spec })
	return err
}

func (c *cluster) delete() error {
	return c.world.Delete("user", sim.KindSet, set, sim.Preconditions{}, metav1.DeletePropagationBackground)
}

// maxSteps is far more than any act of the demo needs.
const maxSteps = 500

// settle lets adapter and cluster work, one simulated second per step, until nothing changes.
func (c *cluster) settle() error {
	for range maxSteps {
		written := len(c.world.History())
		wake, err := c.loop.Reconcile(context.Background(), key)
		if err != nil {
			return err
		}
		c.world.Advance(time.Second)
		c.world.Kubelet()
		c.world.CollectGarbage()
		switch {
		case len(c.world.History()) > written:
		case wake > time.Second:
			c.world.Advance(wake - time.Second)
		case wake == 0:
			return nil
		}
	}
	return fmt.Errorf("the cluster has not come to rest after %d steps", maxSteps)
}
