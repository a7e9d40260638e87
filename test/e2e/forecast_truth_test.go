//go:build e2e

package e2e

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/setplan/setplan/clients/cli/world"
	"github.com/setplan/setplan/test/invariants"
)

// TestForecastTruth: random sets and random edits. Each edit is forecast, and then made: the same pods restart in the same order, the same pods
// and claims come, go and change, the same is lost for good, as many pods are unavailable at once, and never more than in the worst case; and it ends as
// it should be, or held back by the same for ever. Some sets begin with an image that is never ready. FORECASTS is how many, and FORECAST_SEED the first seed.
func TestForecastTruth(t *testing.T) {
	many, _ := strconv.Atoi(cmp.Or(os.Getenv("FORECASTS"), "6"))
	first, _ := strconv.Atoi(os.Getenv("FORECAST_SEED"))
	for seed := range many {
		t.Run(fmt.Sprint(first+seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(first+seed), 1))
			s := newScene(t, shared.cluster)
			h := newHosts(s)
			newProvider(s)
			s.create(webSet("web", 1+r.Int32N(4), s.randomSet(r)...))
			s.atRest("web")
			h.looked()
			if r.IntN(4) == 0 {
				s.stuck("web")
			}
			edited, what := s.randomEdit(r, "web")
			said := s.forecastAnyEnd(edited, "--pessimistic")
			t.Logf("edit: %s; forecast: %+v", what, said)
			s.comesTrue(said, func() {
				must(s.sets().Update(context.Background(), edited, metav1.UpdateOptions{}))(t)
			})
		})
	}
}

// stuck rolls out an image that is never ready.
func (s *scene) stuck(set string) {
	s.Helper()
	s.image(set, broken)
	s.blocked(set, "POD_NOT_READY", "Pod/"+set+"-"+strconv.Itoa(int(*s.get(set).Spec.Replicas)-1))
	time.Sleep(12 * time.Second) // a forecast takes a younger pod for one that becomes ready yet
	s.caughtUp(s)
}

// comesTrue makes an edit, waits until nothing happens any more, and compares with what was said before. The laws hold meanwhile.
func (s *scene) comesTrue(said *foreseen, edit func()) {
	s.Helper()
	before := s.has()
	s.caughtUp(s)
	since := s.last()
	edit()
	s.endsAs(said)
	s.caughtUp(s)
	happened := s.sawSince(since)
	same := func(what string, want, got []string) {
		s.Helper()
		if !slices.Equal(want, got) {
			s.Errorf("%s: forecast %v, and there were %v", what, want, got)
		}
	}
	sorted := func(what string, want, got []string) {
		s.Helper()
		same(what, slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got)))
	}
	restarted := said.restarted()
	same("restarts", restarted, slices.DeleteFunc(slices.Clone(happened["- Pod"]), func(pod string) bool { return !slices.Contains(restarted, pod) }))
	sorted("pods made", append(names(said.Added), restarted...), happened["+ Pod"])
	sorted("pods deleted", append(names(said.Removed), restarted...), happened["- Pod"])
	// Of several pods at once, which host starts or is done first is up to the hosts.
	sorted("updated in place", names(said.Updated), happened["updated"])
	started := sorted
	if said.PeakUnavailable < 2 {
		started = same
	}
	starts, anew := names(said.ContainerRestarts), happened["started"]
	if len(anew) < len(starts) { // a host that is told of an image and of resources before it looks starts a container once for both
		starts, anew = slices.Compact(starts), slices.Compact(anew)
	}
	started("containers restarted", starts, anew)
	sorted("claims made", names(said.ClaimsMade), happened["+ PersistentVolumeClaim"])
	sorted("claims deleted", names(said.ClaimsDeleted), happened["- PersistentVolumeClaim"])
	sorted("claims changed", names(said.ClaimsChanged), happened["changed"])
	var lost []string
	for _, loss := range said.Irreversible {
		lost = append(lost, loss.Subject.Name)
	}
	sorted("lost for good", lost, slices.Concat(happened["- PersistentVolumeClaim"], happened["- ControllerRevision"]))
	wanted := rangeOf(s.get("web"))
	peak := s.peakSince(since, slices.DeleteFunc(before, func(pod string) bool { return !slices.Contains(wanted, pod) }))
	// Of containers that start again, one may be ready before the next one stops, and one may stop only after the next one was told to.
	overlaps := len(said.ContainerRestarts) > 0
	if peak != said.PeakUnavailable && !overlaps {
		s.Errorf("%d pods were unavailable at once, and %d were forecast", peak, said.PeakUnavailable)
	}
	if worst := said.WorstCase; worst.Complete && peak > worst.PeakUnavailable {
		s.Errorf("%d pods were unavailable at once, and %d is the worst case", peak, worst.PeakUnavailable)
	}
	s.unbrokenBut(func(v invariants.Violation) bool { return said.Verdict == waits && v.Version == 0 }) // it is not at rest
}

// endsAs waits until a set ends as it was said: it is at rest, or the same holds it back for ever.
func (s *scene) endsAs(said *foreseen) {
	s.Helper()
	if said.Verdict != converges && said.Verdict != waits {
		s.Fatalf("the verdict is %s", said.Verdict)
	}
	var want []string
	for _, b := range said.Blocks {
		want = append(want, strings.TrimPrefix(b.Code, "BLOCK_CODE_")+" "+b.Subject.Kind+"/"+b.Subject.Name)
	}
	slices.Sort(want)
	ended := func() error {
		if now := s.get("web"); now.Status.ObservedGeneration != now.Generation {
			return fmt.Errorf("generation %d is not observed", now.Generation)
		}
		plan := s.planned("web") // what holds it back and what is next, of one moment
		var got []string
		for _, b := range plan.GetBlocks() {
			got = append(got, strings.TrimPrefix(b.GetCode().String(), "BLOCK_CODE_")+" "+b.GetSubject().GetKind()+"/"+b.GetSubject().GetName())
		}
		slices.Sort(got)
		if !slices.Equal(want, got) || len(plan.GetStages()) > 0 {
			return fmt.Errorf("it waits for %v, and is to wait for %v; next is %v", got, want, plan.GetStages())
		}
		return nil
	}
	eventually(s, 3*time.Minute, "web waits as was forecast", ended)
	s.stays(2*time.Second, "web waits as was forecast", func() error {
		if ended() == nil {
			return nil
		}
		return ended() // a plan is of several lists, and the pods may have changed between two of them
	})
}

// sawSince tells, by what has happened to them, the names of objects in the order of their changes after a version: "+ Pod" made, "- Pod" deleted, "changed"
// claims, "updated" pods that have got to another revision in place, or back before they were there, "started" pods with containers that have restarted.
func (h *history) sawSince(version int64) map[string][]string {
	saw, last := map[string][]string{}, map[string]change{}
	for _, c := range h.all() {
		uid := string(c.object.GetUID())
		was, known := last[uid]
		last[uid] = c
		if c.version <= version {
			continue
		}
		see := func(word string, happened bool) {
			if happened {
				saw[word] = append(saw[word], c.name())
			}
		}
		see("+ "+c.kind(), !known)
		see("- "+c.kind(), isGoing(c) && !(known && isGoing(was)))
		switch {
		case !known || isGoing(c):
		case c.kind() == "PersistentVolumeClaim":
			see("changed", asksOf(was.object) != asksOf(c.object))
		case c.kind() == "Pod":
			before, after := typedPod(was.object), typedPod(c.object)
			see("updated", revisionOf(before) != revisionOf(after) || cameBack(before, after))
			see("started", startsOf(before) < startsOf(after))
		}
	}
	return saw
}

// cameBack reports whether a pod that was sent back in place, before it had got to another revision, is where it was.
func cameBack(before, after *corev1.Pod) bool {
	to := world.UnderWay(before.Annotations)
	return to != "" && to == revisionOf(after) && world.UnderWay(after.Annotations) == ""
}

// isGoing reports whether an object has gone, or is to go.
func isGoing(c change) bool {
	return c.event == watch.Deleted || c.object.GetDeletionTimestamp() != nil
}

// asksOf is what a claim asks for, and the digest of the labels and annotations that it was given.
func asksOf(claim *unstructured.Unstructured) string {
	spec, _, _ := unstructured.NestedMap(claim.Object, "spec")
	return fmt.Sprint(spec["resources"], spec["volumeAttributesClassName"], claim.GetAnnotations()["setplan.io/claim-metadata"])
}

// startsOf counts how often containers of a pod were restarted.
func startsOf(pod *corev1.Pod) (starts int32) {
	for _, c := range containersOf(pod) {
		starts += c.status.RestartCount
	}
	return starts
}
