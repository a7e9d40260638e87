package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/setplan/setplan/clients/cli/narrate"
	"github.com/setplan/setplan/deploy/scenario"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// player plays a scenario. Between the user's commands the narrator tells what the adapter does, if there is one.
type player struct {
	*stage
	scenario *scenario.Scenario
	client   kubernetes.Interface
	narrator *narrate.Narrator // nil: kubectl alone speaks
}

// begin says what is shown, starts a control plane, and lays the manifest beside it.
func (s *stage) begin(ctx context.Context, builtIn, intro, file string, manifest []byte) (kubernetes.Interface, error) {
	fmt.Println(intro)
	if err := s.start(ctx, builtIn); err != nil {
		return nil, err
	}
	return s.lay(file, manifest)
}

// lay puts the manifest beside the control plane.
func (s *stage) lay(file string, manifest []byte) (kubernetes.Interface, error) {
	s.manifest = filepath.Join(s.folder, file)
	if err := os.WriteFile(s.manifest, manifest, 0o600); err != nil {
		return nil, err
	}
	config, err := clientcmd.BuildConfigFromFlags("", s.kubeconfig)
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(config)
}

// play starts everything and plays the steps; where the built-in controller begins, those before the take-over are watched by
// its rules.
func (s *stage) play(ctx context.Context, show *scenario.Scenario) error {
	client, err := s.begin(ctx, map[bool]string{true: "on", false: "off"}[show.BuiltIn], show.Intro, show.File, show.Manifest)
	if err != nil {
		return err
	}
	p := &player{stage: s, scenario: show, client: client}
	if show.Narrated {
		p.narrator = narrate.New(os.Stdout, time.Now)
	}
	steps := show.Steps
	if show.BuiltIn {
		end := slices.IndexFunc(steps, func(step scenario.Step) bool { return step.TakeOver })
		if err := p.part(ctx, setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36, steps[:end]); err != nil {
			return err
		}
		steps = steps[end:]
		fmt.Println("\n" + steps[0].Say)
		if _, err := s.program(ctx, "setplan-local", "statefulset-controller", "off", "--name", instance); err != nil {
			return err
		}
	}
	if err := s.act("apps/v1"); err != nil {
		return err
	}
	if err := p.part(ctx, setplanv1.Behavior_BEHAVIOR_SETPLAN, steps); err != nil {
		return err
	}
	return p.end(ctx)
}

// part plays some steps, before the narrator if there is one.
func (p *player) part(ctx context.Context, behavior setplanv1.Behavior, steps []scenario.Step) error {
	all := func(ctx context.Context) error {
		for i := range steps {
			if err := p.step(ctx, &steps[i]); err != nil {
				return fmt.Errorf("%s: %w", steps[i].Command, err)
			}
		}
		return nil
	}
	if p.narrator == nil {
		return all(ctx)
	}
	return p.observed(ctx, p.narrator, behavior, all)
}

func (p *player) step(ctx context.Context, step *scenario.Step) error {
	if step.Say != "" && !step.TakeOver {
		fmt.Println("\n" + step.Say)
	}
	if err := p.user(ctx, step); err != nil {
		return err
	}
	if err := p.until(ctx, step.Until); err != nil {
		return err
	}
	if step.Then != "" && p.narrator == nil {
		fmt.Println("\n" + step.Then)
	}
	if step.Pause > 0 {
		if p.narrator != nil {
			p.narrator.Say("waits for %s", step.Pause)
		}
		time.Sleep(step.Pause)
		if reason, err := p.missing(ctx, step.Until); reason != "" || err != nil {
			return fmt.Errorf("it was expected to stay so: %s %w", reason, err)
		}
	}
	if step.Then != "" && p.narrator != nil {
		p.narrator.Saw("%s", step.Then)
	}
	for _, kind := range step.Show {
		if err := p.typed(ctx, "get "+kind); err != nil {
			return err
		}
	}
	return nil
}

// user types the command of a step.
func (p *player) user(ctx context.Context, step *scenario.Step) error {
	switch {
	case step.Command == "":
		return nil
	case p.narrator == nil:
		return p.typed(ctx, step.Command)
	}
	fmt.Println()
	p.narrator.Say("kubectl %s   # %s", step.Command, step.About)
	_, err := p.kubectl(ctx, step.Command)
	return err
}

// typed shows a command as a user would type it, and its answer.
func (p *player) typed(ctx context.Context, command string) error {
	fmt.Println("\n$ kubectl " + command)
	out, err := p.kubectl(ctx, command)
	fmt.Print(out)
	return err
}

// kubectl runs the real kubectl, with the manifest from where it is.
func (p *player) kubectl(ctx context.Context, command string) (string, error) {
	args := strings.Fields(command)
	for i := range args {
		if args[i] == p.scenario.File {
			args[i] = p.manifest
		}
	}
	return p.program(ctx, "kubectl", args...)
}

// end says what has been done.
func (p *player) end(ctx context.Context) error {
	if p.narrator == nil {
		fmt.Println("\n# What the adapter has done since, in order:")
		return p.recount(ctx)
	}
	about := ""
	if p.scenario.BuiltIn {
		about = " of what setplan-adapter did"
	}
	fmt.Printf("\nSummary%s\n%s", about, p.narrator.Summary())
	if n := p.narrator.Failed(); n > 0 {
		return fmt.Errorf("%d actions failed: see the lines that begin with FAIL", n)
	}
	if last := p.scenario.Steps[len(p.scenario.Steps)-1]; last.Until.What == scenario.Left {
		fmt.Println("  Nothing is left of the set: pods and claims are gone.")
	}
	return nil
}

// recount prints what the adapter says about a pod and its claim.
func (p *player) recount(ctx context.Context) error {
	told := 0
	for line := range follow(ctx, p.log("setplan-adapter"), 500*time.Millisecond) {
		if line.Error == "" && strings.HasSuffix(line.Target, p.scenario.Recount) && line.Operation != "" {
			told++
			if told > 2 { // its claim and its pod were created before
				fmt.Printf("  %-18s %-42s %s\n", strings.ReplaceAll(line.Operation, "_", " "), line.Target, line.Cause)
			}
		}
	}
	if told <= 2 {
		return errors.New("the adapter's log tells of no drain")
	}
	return nil
}
