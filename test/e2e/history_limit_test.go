//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

func historyLimit(n int32) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Spec.RevisionHistoryLimit = &n }
}

// roll gives a set the images nginx:from to nginx:to, one after another, and returns the names of their revisions.
func (s *scene) roll(set string, from, to int, wait func()) []string {
	s.Helper()
	var names []string
	for i := from; i <= to; i++ {
		s.image(set, fmt.Sprintf("registry.example/nginx:%d", i))
		s.observed(set)
		wait()
		names = append(names, s.get(set).Status.UpdateRevision)
	}
	return names
}

// wantRevisions waits until the set has these revisions, and checks that the others were deleted in this order.
func (s *scene) wantRevisions(names []string, numbers []int64, trimmed []string) {
	s.Helper()
	eventually(s, 30*time.Second, "revisions", func() error {
		if got := s.revisions(); len(got) != len(numbers) {
			return fmt.Errorf("%d revisions, want %v", len(got), numbers)
		}
		return nil
	})
	s.caughtUp(s)
	for i, r := range s.revisions() {
		if r.Revision != numbers[i] || r.Name != names[i] {
			s.Errorf("revision %s has number %d, want %s with %d", r.Name, r.Revision, names[i], numbers[i])
		}
	}
	var want []string
	for _, name := range trimmed {
		want = append(want, "-"+name)
	}
	if got := words(s.events("ControllerRevision"), "-"); !slices.Equal(got, want) {
		s.Errorf("trimmed %s, want %s", got, want)
	}
}

func TestHistoryLimit(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 1, withoutClaims, historyLimit(2)))
	names := []string{s.settled("web").Status.UpdateRevision}
	names = append(names, s.roll("web", 2, 6, func() { s.settled("web") })...)
	// The revision in use does not count.
	s.wantRevisions(names[3:], []int64{4, 5, 6}, names[:3])
	// A lower limit trims existing revisions.
	s.patch("web", `{"spec":{"revisionHistoryLimit":0}}`)
	s.wantRevisions(names[5:], []int64{6}, names[:5])
	if got := strings.Count(s.pods(), "+web-0"); got != 6 {
		t.Errorf("web-0 was made %d times, want 6: trimming restarts nothing", got)
	}
}

// A revision that pods use is kept, whatever the limit says.
func TestHistoryLimitKeepsRevisionsInUse(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, withoutClaims, historyLimit(0), partition(2)))
	names := []string{s.settled("web").Status.UpdateRevision}
	names = append(names, s.roll("web", 2, 3, func() { s.steady("web", 1) })...)
	s.wantRevisions([]string{names[0], names[2]}, []int64{1, 3}, names[1:2])
	// web-2 keeps its revision while the other pods are held: three revisions in use.
	s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":3}}}}`)
	s.observed("web")
	names = append(names, s.roll("web", 4, 5, func() { s.steady("web", 0) })...)
	s.wantRevisions([]string{names[0], names[2], names[4]}, []int64{1, 3, 5}, []string{names[1], names[3]})
	s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}`)
	s.settled("web")
	eventually(t, 30*time.Second, "the old ones go in the end", func() error {
		if got := s.revisions(); len(got) != 1 || got[0].Name != names[4] {
			return fmt.Errorf("%d revisions, want %s only", len(got), names[4])
		}
		return nil
	})
}
