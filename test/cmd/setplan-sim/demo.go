package main

import (
	"fmt"
	"io"

	"github.com/setplan/setplan/adapters/sim"
)

// act is one thing that a user does, and what it shows.
type act struct {
	says string
	do   func(*cluster) error
}

// acts is the story of the demo; the one on a real control plane tells the same.
var acts = []act{
	{"create set web: 3 replicas, minReadySeconds 10, one claim each, whenDeleted: Delete", func(c *cluster) error {
		return c.create(map[string]string{"replicas": "3", "minReady": "10", "claims": "www", "retention": "Delete/Retain"})
	}},
	{"scale to 5: the new pods come one after another", edit("replicas", "5")},
	{"scale to 2: the highest pods go first, and their claims stay", edit("replicas", "2")},
	{"back to 3: web-2 finds its claim again", edit("replicas", "3")},
	{"new image behind partition 2: only web-2 is updated, a canary", func(c *cluster) error {
		return c.edit(map[string]string{"image": "v2", "partition": "2"})
	}},
	{"partition 0: the others follow, from the highest down", edit("partition", "0")},
	{"roll back to the first image: its revision is used again", edit("image", "v1")},
	{"delete the set: the garbage collector takes pods and claims", (*cluster).delete},
}

func edit(option, value string) func(*cluster) error {
	return func(c *cluster) error { return c.edit(map[string]string{option: value}) }
}

// demo plays the acts and ends with a summary. It fails if an action failed, an invariant broke, or something is left.
func demo(out io.Writer) error {
	fmt.Fprintln(out, "A simulated cluster. USER is you; \"do\" is what the adapter writes because the planner asked for it;")
	fmt.Fprintln(out, "\"wait\" is what the planner holds back, and why. Seconds are simulated.")
	c := newCluster(out)
	for _, a := range acts {
		fmt.Fprintln(out)
		c.narrator.Say("%s", a.says)
		if err := a.do(c); err != nil {
			return err
		}
		if err := c.settle(); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\nSummary\n%s  %-20s %4d  (%d broken)\n", c.narrator.Summary(), "invariant checks", c.monitor.Checked(), len(c.monitor.Problems()))
	return c.verdict()
}

func (c *cluster) verdict() error {
	for _, problem := range c.monitor.Problems() {
		return fmt.Errorf("an invariant did not hold: %s", problem)
	}
	if failed := c.narrator.Failed(); failed > 0 {
		return fmt.Errorf("%d actions failed", failed)
	}
	for _, kind := range []string{sim.KindSet, sim.KindPod, sim.KindClaim} {
		if left := c.world.State().Names(kind); len(left) > 0 {
			return fmt.Errorf("%s objects are left: %v", kind, left)
		}
	}
	return nil
}
