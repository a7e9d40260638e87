package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/narrate"
	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// observed plays something before the narrator. Beside the real adapter an observing one, in this process, asks the same
// server for the same plans and tells what is waited for; what the real adapter does is read from its log.
func (s *stage) observed(ctx context.Context, narrator *narrate.Narrator, behavior setplanv1.Behavior, play func(context.Context) error) error {
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

	if err := play(ctx); err != nil {
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
