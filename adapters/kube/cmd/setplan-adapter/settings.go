package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	modeReconcile = "reconcile"
	modeObserve   = "observe"
	modeDrain     = "drain"
)

// settings are the parsed flags.
type settings struct {
	observe  bool
	scope    setplanv1.Scope
	behavior setplanv1.Behavior
	own      []schema.GroupVersionResource
	identity string // in elections; empty: there are none
	logLevel slog.Level
	logJSON  bool
}

// validate checks all flags, so that one run shows every mistake. given reports whether a flag was set.
func (f *flags) validate(given func(flag string) bool) (*settings, error) {
	s := &settings{observe: f.mode == modeObserve}
	if f.mode == modeDrain {
		s.scope = setplanv1.Scope_SCOPE_DRAIN_ONLY
	}
	err := errors.Join(
		f.validatePlanner(given),
		s.readOwnership(f),
		f.validateLimits(),
		f.validateNamespaces(),
		f.validateDrainNamespaces(given),
		f.metrics.Check(),
		s.readBehavior(f.behavior),
		s.readLog(f),
		s.readIdentity(f, given),
	)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (f *flags) validatePlanner(given func(flag string) bool) error {
	switch {
	case f.verify != adapters.VerifyReplan && f.verify != adapters.VerifyChecks:
		return fmt.Errorf("--verify is %q, must be %s or %s", f.verify, adapters.VerifyReplan, adapters.VerifyChecks)
	case f.embedded && given("verify"):
		return errors.New("--verify is about another process, and --embedded has none: leave --verify out")
	case f.embedded && f.planner.Address != "":
		return errors.New("--embedded and --planner-address exclude each other")
	case !f.embedded && f.planner.Address == "":
		return errors.New("a planner is required: --planner-address HOST:PORT, or --embedded for one in this process")
	}
	return f.planner.Check()
}

// readOwnership makes reconciling an explicit choice: two controllers must never run one set.
func (s *settings) readOwnership(f *flags) (err error) {
	if s.own, err = kube.ParseResources(f.own); err != nil {
		return fmt.Errorf("--own: %w", err)
	}
	switch f.mode {
	case modeObserve:
		if len(s.own) == 0 {
			s.own = []schema.GroupVersionResource{kube.StatefulSets().GVR()}
		}
		return nil
	case modeDrain:
		if len(f.own) > 0 {
			return errors.New("--mode drain works beside the controller that runs the sets: leave --own out; --mode reconcile drains as well")
		}
		s.own = []schema.GroupVersionResource{kube.StatefulSets().GVR()}
		return nil
	case modeReconcile:
		if len(f.own) == 0 {
			return errors.New("--mode reconcile needs --own apps.setplan.io/v1beta1, for sets of Setplan's own kind, or --own apps/v1, which says that the " +
				"cluster's built-in StatefulSet controller is off; --mode observe needs no --own and writes nothing")
		}
		return nil
	default:
		return fmt.Errorf("--mode is %q, must be %s, %s or %s", f.mode, modeReconcile, modeDrain, modeObserve)
	}
}

func (f *flags) validateLimits() error {
	switch {
	case f.workers < 1:
		return fmt.Errorf("--workers is %d, must be at least 1", f.workers)
	case f.qps <= 0:
		return fmt.Errorf("--kube-api-qps is %g, must be more than 0", f.qps)
	case f.burst < 1:
		return fmt.Errorf("--kube-api-burst is %d, must be at least 1", f.burst)
	}
	return nil
}

func (f *flags) validateNamespaces() error {
	for _, namespace := range f.namespaces {
		if len(validation.IsDNS1123Label(namespace)) > 0 {
			return fmt.Errorf("--namespace is %q, which is not a valid namespace name", namespace)
		}
	}
	return nil
}

// validateDrainNamespaces refuses namespaces in which this adapter does not work: a drain that was promised there would never come.
func (f *flags) validateDrainNamespaces(given func(flag string) bool) error {
	if given("drain-namespace") && len(f.drainNamespaces) == 0 {
		return errors.New("--drain-namespace is empty, which names no namespace; without the flag drains are allowed in all")
	}
	for _, namespace := range f.drainNamespaces {
		if len(validation.IsDNS1123Label(namespace)) > 0 {
			return fmt.Errorf("--drain-namespace is %q, which is not a valid namespace name", namespace)
		}
		if len(f.namespaces) > 0 && !slices.Contains(f.namespaces, namespace) {
			return fmt.Errorf("--drain-namespace %s is not among the namespaces of --namespace", namespace)
		}
	}
	return nil
}

// warn logs what is allowed and may surprise.
func (s *settings) warn(f *flags, log *slog.Logger) {
	if len(f.namespaces) > 0 && f.mode == modeReconcile && slices.Contains(s.own, kube.StatefulSets().GVR()) {
		log.Warn("the adapter works only in these namespaces; with the built-in controller off, sets in other namespaces need another adapter",
			slog.Any("namespaces", f.namespaces))
	}
	if f.metrics.Insecure {
		log.Warn("--metrics-insecure: anyone who can reach the address can read the names and blocks of all sets", "address", f.metrics.Address)
	}
}

func (s *settings) readBehavior(name string) error {
	switch name {
	case "SETPLAN":
		s.behavior = setplanv1.Behavior_BEHAVIOR_SETPLAN
	case "KUBERNETES_1_36":
		s.behavior = setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36
	case "KUBERNETES_1_37":
		s.behavior = setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_37
	default:
		return fmt.Errorf("--behavior is %q, must be SETPLAN, KUBERNETES_1_36 or KUBERNETES_1_37", name)
	}
	return nil
}

func (s *settings) readLog(f *flags) error {
	if err := s.logLevel.UnmarshalText([]byte(f.logLevel)); err != nil {
		return fmt.Errorf("--log-level is %q, must be debug, info, warn or error", f.logLevel)
	}
	switch f.logFormat {
	case "text":
	case "json":
		s.logJSON = true
	default:
		return fmt.Errorf("--log-format is %q, must be text or json", f.logFormat)
	}
	return nil
}

// readIdentity leaves out the lease in observe mode, which writes nothing.
func (s *settings) readIdentity(f *flags, given func(flag string) bool) error {
	if s.observe && f.leaderElect && given("leader-elect") {
		return errors.New("--mode observe writes nothing, and a lease is a write: leave --leader-elect out")
	}
	if s.observe || !f.leaderElect {
		return nil
	}
	host, err := os.Hostname()
	if err != nil {
		return fmt.Errorf("the name of this machine, for the lease: %w", err)
	}
	// The host name alone is not enough: pods may share their node's.
	s.identity = host + "_" + string(uuid.NewUUID())
	return nil
}

// election is one of its own for each kind, nil where there is none.
func (s *settings) election() *kube.Election {
	if s.identity == "" {
		return nil
	}
	return &kube.Election{Identity: s.identity}
}
