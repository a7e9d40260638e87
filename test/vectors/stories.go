package vectors

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	files "github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/test/story"
)

// fromStories has one vector of each story, the plan that is least like those of other stories, unless another story has one that
// shows the same; and more where what a plan can show would be in none.
func fromStories(folder string) ([]*draft, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no stories in %s: %w", folder, err)
	}
	var stories [][]candidate
	for _, path := range paths {
		story, err := candidates(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		stories = append(stories, story)
	}
	var drafts []*draft
	for _, c := range chosen(stories) {
		d, err := c.draft(c.name, c.about)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
	}
	return drafts, nil
}

// chosen picks candidates of all stories.
func chosen(stories [][]candidate) []candidate {
	common := commonness(stories)
	var picked, rest []candidate
	taken := map[string]bool{}
	for _, story := range stories {
		best, most := -1, 0
		for i, c := range story {
			worth := 0
			for name := range c.all {
				worth += 1_000_000 / common[name]
			}
			size := proto.Size(c.request) + proto.Size(c.plan)
			worth = 1_000_000 * worth / (size * size) // what a short vector shows is seen best
			if worth > most && !taken[c.shows] {
				best, most = i, worth
			}
		}
		for i, c := range story {
			if i == best {
				picked, taken[c.shows] = append(picked, c), true
			} else {
				rest = append(rest, c)
			}
		}
	}
	return append(picked, missing(picked, rest)...)
}

// commonness counts the stories in which something is shown.
func commonness(stories [][]candidate) map[string]int {
	common := map[string]int{}
	for _, story := range stories {
		shown := map[string]bool{}
		for _, c := range story {
			maps.Copy(shown, c.all)
		}
		for name := range shown {
			common[name]++
		}
	}
	return common
}

// candidate is a moment of a story that may become a vector.
type candidate struct {
	moment
	name, about string
	shows       string          // what the plan shows, in one text
	all         map[string]bool // that, and what of the contract is in the plan and in its request, and the annotations there
}

func candidates(path string) ([]candidate, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all, err := moments(string(text))
	if err != nil {
		return nil, err
	}
	title := strings.TrimSuffix(filepath.Base(path), ".txt")
	about := words(title)
	if steps := story.Script(string(text)); len(steps) > 0 && len(steps[0].Comments) > 0 {
		about = words(strings.Join(steps[0].Comments, " "))
	}
	var out []candidate
	for i, m := range all {
		c := candidate{moment: m, name: fmt.Sprintf("stories/%s-%d", title, i+1),
			about: fmt.Sprintf("%s (Plan %d of this story, at %q.)", about, i+1, firstLine(m.during)), all: shows(m.plan)}
		c.shows = strings.Join(slices.Sorted(maps.Keys(c.all)), " ")
		names := files.Names{}
		names.Add(m.request)
		names.Add(m.plan)
		for name := range names {
			c.all[string(name)] = true
		}
		for name := range annotationsIn(m.request.GetSnapshot()) {
			c.all["annotation "+name] = true
		}
		out = append(out, c)
	}
	return out, nil
}

func words(comment string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("#", " ", "_", " ").Replace(comment)), " ")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// missing picks those that show what no other one shows, the one with most of it first.
func missing(picked, rest []candidate) []candidate {
	shown := map[string]bool{}
	for i := range picked {
		maps.Copy(shown, picked[i].all)
	}
	var more []candidate
	for len(rest) > 0 {
		best, most := 0, 0
		rest = slices.DeleteFunc(rest, func(c candidate) bool { return news(c.all, shown) == 0 })
		for i := range rest {
			if n := news(rest[i].all, shown); n > most {
				best, most = i, n
			}
		}
		if most > 0 {
			maps.Copy(shown, rest[best].all)
			more = append(more, rest[best])
		}
	}
	return more
}

func news(names, shown map[string]bool) (n int) {
	for name := range names {
		if !shown[name] {
			n++
		}
	}
	return n
}
