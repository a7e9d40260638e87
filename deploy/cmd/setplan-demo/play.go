package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/adapters/narrate"
	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// play runs the acts of a life.
func (s *stage) play(ctx context.Context) error {
	narrator := narrate.New(os.Stdout, time.Now)
	err := s.observed(ctx, narrator, setplanv1.Behavior_BEHAVIOR_SETPLAN, func(ctx context.Context, audience *audience) error {
		for _, act := range acts {
			fmt.Println()
			if err := audience.watch(ctx, act); err != nil {
				return fmt.Errorf("%s: %w", act.command[0], err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("\nSummary\n%s", narrator.Summary())
	if n := narrator.Failed(); n > 0 {
		return fmt.Errorf("%d actions failed: see the lines that begin with FAIL", n)
	}
	fmt.Println("  Nothing is left of the set: pods and claims are gone.")
	return nil
}

// observed plays something before an audience. Beside the real adapter an observing one, in this process, asks the same
// server for the same plans and tells what is waited for; what the real adapter does is read from its log.
func (s *stage) observed(ctx context.Context, narrator *narrate.Narrator, behavior setplanv1.Behavior, play func(context.Context, *audience) error) error {
	config, err := clientcmd.BuildConfigFromFlags("", s.kubeconfig)
	if err != nil {
		return err
	}
	planner, err := setplan.Dial(s.address, setplan.WithInsecure())
	if err != nil {
		return err
	}
	defer planner.Close()
	observer, err := kube.New(kube.Config{REST: config, Planner: planner, Kind: kube.StatefulSets(), Workers: 1, Behavior: behavior,
		ObserveOnly: true, Observers: adapters.Observers{unhurried{narrator}}, Registry: prometheus.NewRegistry(),
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		return err
	}
	watching, endWatching := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer endWatching()
	observing := make(chan error, 1)
	running.Go(func() { observing <- observer.Run(watching) })
	running.Go(func() { s.tellActions(watching, narrator) })

	audience := &audience{stage: s, narrator: narrator}
	if err := audience.connect(config); err != nil {
		return err
	}
	if err := play(ctx, audience); err != nil {
		return err
	}
	endWatching()
	return ignoreCancelled(<-observing)
}

func ignoreCancelled(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// unhurried lets the adapter's log speak first: what it did is told before what came of it is seen.
type unhurried struct{ *narrate.Narrator }

func (u unhurried) Planned(key adapters.Key, snapshot *setplanv1.Snapshot, plan *setplanv1.Plan) {
	time.Sleep(60 * time.Millisecond)
	u.Narrator.Planned(key, snapshot, plan)
}

// tellActions passes on what the real adapter says it has done.
func (s *stage) tellActions(ctx context.Context, narrator *narrate.Narrator) {
	for line := range follow(ctx, s.log("setplan-adapter"), 0) {
		if line.Operation == "" {
			continue
		}
		namespace, name, _ := strings.Cut(line.Set, "/")
		var result adapters.Result
		if line.Error != "" {
			result.Err = errors.New(line.Error)
			if line.Level == "INFO" { // the adapter's log knows what is worth a warning
				result.Outcome = setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT
			}
		}
		narrator.Did(adapters.Key{Namespace: namespace, Name: name}, line.Operation, path.Base(line.Target), line.Cause, result)
	}
}

// kubectl runs the real kubectl and shows the command as a user would type it.
func (a *audience) kubectl(ctx context.Context, args []string) error {
	file := ""
	if args[0] == "apply" {
		file = a.stage.manifest()
		if err := os.WriteFile(file, nginx, 0o600); err != nil {
			return err
		}
		args = append(args[:len(args):len(args)], file)
	}
	_, err := a.stage.program(ctx, "kubectl", args...)
	return err
}
