//go:build e2e

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"
)

// foreseen is what the command line prints of a forecast.
type foreseen struct {
	Verdict         string
	Restarts        []struct{ Pod, ToRevision string }
	Added, Removed  []struct{ Name string }
	PeakUnavailable int
	ClaimsMade      []struct{ Name string }
	ClaimsDeleted   []struct{ Name string }
}

// forecast asks what a set would come to.
func (s *scene) forecast(set *unstructured.Unstructured, args ...string) *foreseen {
	s.Helper()
	text, err := yaml.Marshal(set.Object)
	if err != nil {
		s.Fatal(err)
	}
	file := s.file("edit.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		s.Fatal(err)
	}
	return s.foresee(append([]string{"-f", file}, args...)...)
}

func (s *scene) foresee(args ...string) *foreseen {
	s.Helper()
	out := &foreseen{}
	if err := json.Unmarshal([]byte(s.mustSetplan(append([]string{"forecast", "-o", "json"}, args...)...)), out); err != nil {
		s.Fatal(err)
	}
	if out.Verdict != "FORECAST_VERDICT_CONVERGED" {
		s.Fatalf("the verdict is %s", out.Verdict)
	}
	return out
}

// TestForecastTruth: random sets and random edits. Each edit is forecast, and then made: the same pods restart in the same order, the same pods
// and claims come and go, and no more pods are unavailable at once. FORECASTS is how many, and FORECAST_SEED the first seed.
func TestForecastTruth(t *testing.T) {
	many, _ := strconv.Atoi(cmp.Or(os.Getenv("FORECASTS"), "6"))
	first, _ := strconv.Atoi(os.Getenv("FORECAST_SEED"))
	for seed := range many {
		t.Run(fmt.Sprint(first+seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(first+seed), 1))
			s := newScene(t, shared.cluster)
			s.create(webSet("web", 1+r.Int32N(4), randomSet(r)...))
			s.atRest("web")
			edited, what := s.randomEdit(r, "web")
			said := s.forecast(edited)
			t.Logf("edit: %s; forecast: %+v", what, said)
			s.comesTrue(said, func() {
				if _, err := s.sets().Update(context.Background(), edited, metav1.UpdateOptions{}); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// TestForecastOfUndo: what is forecast of a rollback is what rollout undo and the rollout then do.
func TestForecastOfUndo(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	name := "sts/web"
	if isOwn() {
		name = "ssts/web"
	}
	s.create(webSet("web", 3))
	s.atRest("web")
	for _, step := range []func(){
		func() { s.image("web", image2) },
		func() {
			s.patch("web", `{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"now"}}}}}`)
		},
	} {
		step()
		s.atRest("web")
	}
	first := s.get("web").Status.UpdateRevision
	for _, to := range []string{"--to-revision=1", "--to-revision=0"} { // undo has made the third revision the previous one
		before := s.get("web")
		said := s.foresee(name, to)
		if after := s.get("web"); after.ResourceVersion != before.ResourceVersion || len(said.Restarts) != 3 {
			t.Fatalf("%s: %d restarts are forecast; the set is at %s, was at %s", to, len(said.Restarts), after.ResourceVersion, before.ResourceVersion)
		}
		s.comesTrue(said, func() { s.mustSetplan("rollout", "undo", name, to) })
		if now := s.get("web").Status.UpdateRevision; now != said.Restarts[0].ToRevision {
			t.Errorf("%s: the set is at %s, and %s was forecast", to, now, said.Restarts[0].ToRevision)
		}
	}
	if last := s.get("web").Status.UpdateRevision; last != first {
		t.Errorf("back and forth it is at %s, was at %s", last, first)
	}
	skipped := s.foresee(name, "--to-revision=5")
	if len(skipped.Restarts) != 0 {
		t.Errorf("where the set is already: %+v", skipped)
	}
}

// comesTrue makes an edit, waits until the set is at rest, and compares with what was said before.
func (s *scene) comesTrue(said *foreseen, edit func()) {
	s.Helper()
	before := s.has()
	s.caughtUp(s)
	from, claims := len(strings.Fields(s.pods())), len(s.events("PersistentVolumeClaim"))
	changes := s.all()
	since := changes[len(changes)-1].version
	edit()
	s.atRest("web")
	s.caughtUp(s)
	story := strings.Fields(s.pods())[from:]
	s.compare(said, story, s.events("PersistentVolumeClaim")[claims:])
	if peak := s.peakSince(since, before); peak > said.PeakUnavailable {
		s.Errorf("%d pods were unavailable at once, and %d were forecast", peak, said.PeakUnavailable)
	}
}

// compare compares what was said with what happened.
func (s *scene) compare(said *foreseen, story, claims []string) {
	s.Helper()
	var made, gone, restarted, claimsMade, claimsGone []string
	for _, r := range said.Restarts {
		restarted = append(restarted, "-"+r.Pod)
		made, gone = append(made, "+"+r.Pod), append(gone, "-"+r.Pod)
	}
	for _, c := range said.Added {
		made = append(made, "+"+c.Name)
	}
	for _, c := range said.Removed {
		gone = append(gone, "-"+c.Name)
	}
	for _, c := range said.ClaimsMade {
		claimsMade = append(claimsMade, "+"+c.Name)
	}
	for _, c := range said.ClaimsDeleted {
		claimsGone = append(claimsGone, "-"+c.Name)
	}
	same := func(what string, want, got []string) {
		s.Helper()
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			s.Errorf("%s: forecast %v, and there were %v", what, want, got)
		}
	}
	inOrder := slices.DeleteFunc(words(story, "-"), func(word string) bool { return !slices.Contains(restarted, word) })
	if !slices.Equal(inOrder, restarted) {
		s.Errorf("restarts: forecast %v, and there were %v", restarted, inOrder)
	}
	same("pods made", made, words(story, "+"))
	same("pods deleted", gone, words(story, "-"))
	same("claims made", claimsMade, words(claims, "+"))
	same("claims deleted", claimsGone, words(claims, "-"))
}

// atRest waits until the set is as it should be.
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

// peakSince is the most of these pods that were not ready at once after a version, of those that are there in the end.
func (s *scene) peakSince(version int64, before []string) (peak int) {
	after := s.has()
	s.replay(func(c change, pods map[string]*unstructured.Unstructured) {
		missing := 0
		for _, name := range before {
			if pod := pods[name]; slices.Contains(after, name) && (pod == nil || pod.GetDeletionTimestamp() != nil || !isReady(pod)) {
				missing++
			}
		}
		if c.version > version {
			peak = max(peak, missing)
		}
	})
	return peak
}

// randomSet picks what a set is like before its edit.
func randomSet(r *rand.Rand) (options []func(*appsv1.StatefulSet)) {
	if r.IntN(2) == 0 {
		options = append(options, parallel)
	}
	switch r.IntN(4) {
	case 0:
		options = append(options, withoutClaims)
	case 1:
		options = append(options, retention(retain, remove))
	}
	return options
}

// randomEdit changes a set in one or two ways, and says how.
func (s *scene) randomEdit(r *rand.Rand, name string) (*unstructured.Unstructured, string) {
	s.Helper()
	edits := []struct {
		what string
		edit func(*appsv1.StatefulSet)
	}{
		{"image", func(set *appsv1.StatefulSet) { set.Spec.Template.Spec.Containers[0].Image = image2 }},
		{"image", func(set *appsv1.StatefulSet) { set.Spec.Template.Spec.Containers[0].Image = image2 }},
		{"replicas", func(set *appsv1.StatefulSet) { set.Spec.Replicas = new(r.Int32N(6)) }},
		{"start", startingAt(1 + r.Int32N(2))},
		{"reserved", func(set *appsv1.StatefulSet) {
			metav1.SetMetaDataAnnotation(&set.ObjectMeta, "setplan.io/reserved-ordinals", fmt.Sprint(r.IntN(3)))
		}},
		{"partition", partition(r.Int32N(3))},
		{"budget", func(set *appsv1.StatefulSet) {
			if set.Spec.UpdateStrategy.RollingUpdate == nil {
				set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{}
			}
			set.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = new(intstr.FromInt32(2))
		}},
		{"one restart", func(set *appsv1.StatefulSet) {
			metav1.SetMetaDataAnnotation(&set.Spec.Template.ObjectMeta, "kubectl.kubernetes.io/restartedAt", "now")
		}},
	}
	set := s.get(name)
	var what []string
	for range 1 + r.IntN(2) {
		e := edits[r.IntN(len(edits))]
		e.edit(set)
		what = append(what, e.what)
	}
	return s.underKind(set, underTest, "StatefulSet"), strings.Join(what, ", ")
}
