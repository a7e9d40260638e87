//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParallelDoesNotWait(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 6, parallel, held))
	names := []string{"web-0", "web-1", "web-2", "web-3", "web-4", "web-5"}
	s.wantSet("all are created while none is ready", 0, "+", names)
	if first := s.events("Pod")[0]; first != "+web-0" {
		t.Errorf("the first is %s, want web-0: slow start tries one", first)
	}
	s.blocked("web", "POD_NOT_READY", "Pod/web-0")
	for _, name := range names {
		s.release(name)
	}
	s.settled("web")
	before := len(s.events("Pod"))

	// Scaling down also deletes all at once, whether those above are gone or not.
	for _, name := range names[2:] {
		s.pin(name)
	}
	s.setReady("web-0", false)
	s.scale("web", 2)
	s.wantSet("all are deleted while none is gone", before, "-", names[2:])
	if got := s.count("Pod", "gone web-5"); got != 0 {
		t.Errorf("web-5 is gone, want it terminating")
	}
	for _, name := range names[2:] {
		s.unpin(name)
	}
	s.setReady("web-0", true)
	s.settled("web")
	for _, name := range names {
		if n := s.count("Pod", "+"+name); n != 1 {
			t.Errorf("%s was created %d times, want once", name, n)
		}
	}
}

// wantSet waits until the story has a word for each name, from an event on, and checks that it has no other word with that
// sign. The slow start decides the order.
func (s *scene) wantSet(what string, from int, sign string, names []string) {
	s.Helper()
	var want []string
	for _, name := range names {
		want = append(want, sign+name)
	}
	eventually(s, 60*time.Second, what, func() error {
		got := words(s.events("Pod")[from:], sign)
		if slices.Sort(got); !slices.Equal(got, want) {
			return fmt.Errorf("pods: %s", s.pods())
		}
		return nil
	})
	s.caughtUp(s)
	if got := words(s.events("Pod")[from:], sign); len(got) != len(want) {
		s.Errorf("pods: %s, want %v only", s.pods(), want)
	}
}

// words are the words of a story with a sign.
func words(story []string, sign string) []string {
	var some []string
	for _, word := range story {
		if strings.HasPrefix(word, sign) {
			some = append(some, word)
		}
	}
	return some
}
