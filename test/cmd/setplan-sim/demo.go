package main

import (
	"fmt"
	"io"

	"github.com/setplan/setplan/deploy/scenario"
	"github.com/setplan/setplan/test/sim"
)

// does carries out a user's command on the set.
func (c *cluster) does(step *scenario.Step) error {
	switch {
	case step.Until.What == scenario.Left:
		return c.delete()
	case c.world.State().Set(set) == nil:
		return c.create(step.Edit)
	}
	return c.edit(step.Edit)
}

// demo plays the life of a set and ends with a summary. It fails if an action failed, an invariant broke, or objects are left.
func demo(out io.Writer) error {
	fmt.Fprintln(out, "A simulated cluster. USER is you; \"do\" is what the adapter writes because the planner asked for it;")
	fmt.Fprintln(out, "\"wait\" is what the planner holds back, and why. Seconds are simulated.")
	c := newCluster(out)
	for i := range scenario.Life.Steps {
		step := &scenario.Life.Steps[i]
		fmt.Fprintln(out)
		c.narrator.Say("kubectl %s   # %s", step.Command, step.About)
		if err := c.does(step); err != nil {
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
