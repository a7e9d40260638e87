//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// How a forecast ends.
const (
	converges = "FORECAST_VERDICT_CONVERGED"
	waits     = "FORECAST_VERDICT_BLOCKED_FOR_EVER"
)

// foreseen is what the command line prints of a forecast.
type foreseen struct {
	Verdict                                    string
	Restarts                                   []struct{ Pod, ToRevision string }
	Added, Removed, Updated, ContainerRestarts []named
	ClaimsMade, ClaimsChanged, ClaimsDeleted   []named
	Irreversible                               []struct{ Subject named }
	PeakUnavailable                            int
	WorstCase                                  worstCase
	Blocks                                     []foreseenBlock
}

type foreseenBlock struct {
	Code, Message string
	Subject       struct{ Kind, Name string }
}

type named struct{ Name string }

type worstCase struct {
	PeakUnavailable int
	Complete        bool
}

// restarted are the pods that restart, in order.
func (f *foreseen) restarted() (pods []string) {
	for _, r := range f.Restarts {
		pods = append(pods, r.Pod)
	}
	return pods
}

func names(all []named) (names []string) {
	for _, one := range all {
		names = append(names, one.Name)
	}
	return names
}

// forecastAnyEnd is for one that may wait for ever.
func (s *scene) forecastAnyEnd(set *unstructured.Unstructured, args ...string) *foreseen {
	s.Helper()
	return s.foreseeAnyEnd(append(s.edited(set), args...)...)
}

// edited returns the flags by which a command reads a set from a file.
func (s *scene) edited(set *unstructured.Unstructured) []string {
	s.Helper()
	text := must(yaml.Marshal(set.Object))(s)
	file := s.file("edit.yaml")
	noError(s, os.WriteFile(file, text, 0o600))
	return []string{"-f", file}
}

// foreseeAnyEnd is for a set that may wait for ever.
func (s *scene) foreseeAnyEnd(args ...string) *foreseen {
	s.Helper()
	out := &foreseen{}
	noError(s, json.Unmarshal([]byte(s.mustSetplan(append([]string{"forecast", "-o", "json"}, args...)...)), out))
	return out
}

// atRest waits until the set is in the desired state.
func (s *scene) atRest(set string) {
	s.Helper()
	eventually(s, 3*time.Minute, set+" is at rest", func() error {
		current := s.get(set)
		if current.Status.ObservedGeneration != current.Generation {
			return fmt.Errorf("generation %d is not observed", current.Generation)
		}
		if r := s.why(set); !r.Converged {
			return fmt.Errorf("it waits: %+v", r)
		}
		return nil
	})
}

// has lists the pods that there are.
func (s *scene) has() []string { return strings.Fields(s.podNames()) }

// rangeOf lists the pods that a set is to have. At most one ordinal is reserved.
func rangeOf(set *appsv1.StatefulSet) (names []string) {
	ordinal := int32(0)
	if set.Spec.Ordinals != nil {
		ordinal = set.Spec.Ordinals.Start
	}
	for ; len(names) < int(*set.Spec.Replicas); ordinal++ {
		if fmt.Sprint(ordinal) != set.Annotations["setplan.io/reserved-ordinals"] {
			names = append(names, fmt.Sprint(set.Name, "-", ordinal))
		}
	}
	return names
}

// peakSince is the most of these pods that were not ready at once from a version on.
func (s *scene) peakSince(version int64, pods []string) (peak int) {
	s.replay(func(c change, there map[string]*unstructured.Unstructured) {
		missing := 0
		for _, name := range pods {
			if pod := there[name]; pod == nil || pod.GetDeletionTimestamp() != nil || !isReady(pod) {
				missing++
			}
		}
		if c.version <= version {
			peak = 0 // what was before is over, but for what is missing still
		}
		peak = max(peak, missing)
	})
	return peak
}
