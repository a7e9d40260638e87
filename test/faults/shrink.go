package faults

import (
	"slices"
	"strings"
)

// Shrink removes from a story what its problem does not need: commands, commands within commands, words. The rest is minimal: no single
// part can be removed.
func Shrink(story []Step, problem string, plan Planner) []Step {
	s := &shrinker{wanted: invariantOf(problem), plan: plan, story: story}
	for before := -1; before != s.tried; {
		before = s.tried
		size := s.size()
		for chunk := len(s.story); chunk > 0; chunk /= 2 {
			s.dropCommands(chunk)
		}
		s.dropInputs()
		s.dropWords()
		if s.size() == size {
			break
		}
	}
	return s.story
}

// invariantOf is the name before the colon: a shorter story may break it in another place.
func invariantOf(problem string) string {
	name, _, _ := strings.Cut(problem, ":")
	return name
}

type shrinker struct {
	wanted string
	plan   Planner
	story  []Step
	tried  int
}

// keep takes a shorter story if it still has the problem.
func (s *shrinker) keep(shorter []Step) bool {
	s.tried++
	if invariantOf(Replay(shorter, s.plan)) != s.wanted {
		return false
	}
	s.story = shorter
	return true
}

func (s *shrinker) size() int {
	size := 0
	for _, step := range s.story {
		size += 1 + len(step.Input) + len(strings.Fields(step.Line))
	}
	return size
}

func (s *shrinker) dropCommands(chunk int) {
	for end := len(s.story); end > 0; end -= chunk {
		end = min(end, len(s.story))
		s.keep(slices.Concat(s.story[:max(0, end-chunk)], s.story[end:]))
	}
}

func (s *shrinker) dropInputs() {
	for i := range s.story {
		for j := len(s.story[i].Input) - 1; j >= 0; j-- {
			s.keepStep(i, Step{Line: s.story[i].Line, Input: slices.Delete(slices.Clone(s.story[i].Input), j, j+1)})
		}
	}
}

// dropWords takes words out of commands: an option of a set, the name of the second adapter.
func (s *shrinker) dropWords() {
	for i := range s.story {
		for word := len(strings.Fields(s.story[i].Line)) - 1; word > 0; word-- {
			words := strings.Fields(s.story[i].Line)
			s.keepStep(i, Step{Line: strings.Join(slices.Delete(words, word, word+1), " "), Input: s.story[i].Input})
		}
	}
}

func (s *shrinker) keepStep(i int, step Step) {
	shorter := slices.Clone(s.story)
	shorter[i] = step
	s.keep(shorter)
}
