package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/test/need"
)

// TestLinks: a link to a file of the repository leads to one, and its fragment to a heading there.
func TestLinks(t *testing.T) {
	files := need.Value(filepath.Glob(filepath.Join(folder, "*.md")))(t)
	var pages []string
	for _, file := range files {
		pages = append(pages, filepath.Base(file))
	}
	links := regexp.MustCompile(`\]\(([^()\s]+)\)`)
	for _, from := range append(pages, "../README.md", "../test/README.md", "../adapters/README.md", "../server/LIMITS.md", "../adapters/kube/LEADERSHIP.md", "../adapters/kube/SHARING.md", "../test/ATTACKS.md", "../test/forecast/README.md", "../proto/EXAMPLE.md", "../test/SPEED.md", "../test/TRACK-RECORD.md", "../test/invariants/README.md", "../test/hostile/README.md", "../test/cmd/setplan-measure/hostile/README.md", "../CONTRIBUTING.md", "../SECURITY.md", "../CHANGELOG.md", "../proto/testdata/vectors/README.md", "../clients/go/README.md") {
		for _, link := range links.FindAllStringSubmatch(withoutFences(page(t, from)), -1) {
			path, fragment, _ := strings.Cut(link[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			to := from
			if path != "" {
				to = filepath.Join(filepath.Dir(from), path)
			}
			if _, err := os.Stat(filepath.Join(folder, to)); err != nil {
				t.Errorf("%s links to %s: %v", from, link[1], err)
				continue
			}
			if fragment != "" && !slices.Contains(fragments(page(t, to)), fragment) {
				t.Errorf("%s links to %s: no such heading", from, link[1])
			}
		}
	}
}

func withoutFences(text string) string {
	return regexp.MustCompile("(?s)```.*?```").ReplaceAllString(text, "")
}

// fragments are what a page's headings are called in links, as GitHub has them.
func fragments(text string) []string {
	var found []string
	dropped := regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(withoutFences(text), -1) {
		name := dropped.ReplaceAllString(strings.ToLower(heading[1]), "")
		found = append(found, strings.ReplaceAll(name, " ", "-"))
	}
	return found
}
