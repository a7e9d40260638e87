package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestGoClientPage: the page of the Go client shows its examples as they are. The pages of the other languages have tests of their own.
func TestGoClientPage(t *testing.T) {
	page, err := os.ReadFile("../../clients/go/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var shown, are []string
	for _, block := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(page, -1) {
		shown = append(shown, string(block[1]))
	}
	for _, example := range []string{"look", "errors"} {
		text, err := os.ReadFile("../../clients/examples/" + example + "/main.go")
		if err != nil {
			t.Fatal(err)
		}
		are = append(are, string(text))
	}
	if !slices.Equal(shown, are) {
		t.Error("clients/go/README.md does not show clients/examples as they are")
	}
}

var clientPages = map[string]string{ // by the folder of the client: how its examples end
	"go": "", "python": ".py", "typescript": ".ts", "java": ".java", "rust": ".rs",
}

// TestClientPagesReadAlike: who has read the page of one language finds the way on that of another.
func TestClientPagesReadAlike(t *testing.T) {
	want := []string{"The first plan", "What is in it", "Versions", "Work on it"}
	for language := range clientPages {
		page := text(t, "clients/"+language+"/README.md")
		if first, _, _ := strings.Cut(page, "\n"); !strings.HasPrefix(first, "# Setplan for ") {
			t.Errorf("the page of %s begins with %q", language, first)
		}
		var sections []string
		for _, heading := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(page, -1) {
			sections = append(sections, heading[1])
		}
		if !slices.Equal(sections, want) {
			t.Errorf("the page of %s has the sections %q, want %q", language, sections, want)
		}
	}
}

// TestExamplesAreShort: a page of the language's kit is a controller, and less than half of a page says why a set waits.
func TestExamplesAreShort(t *testing.T) {
	for language, extension := range clientPages {
		if extension == "" {
			continue // setplan-adapter is more than an example
		}
		for name, most := range map[string]int{"look": 30, "controller": 150} {
			if language == "java" {
				name = strings.ToUpper(name[:1]) + name[1:]
			}
			path := "clients/" + language + "/examples/" + name + extension
			if lines := strings.Count(text(t, path), "\n"); lines > most {
				t.Errorf("%s has %d lines, and the page promises at most %d", path, lines, most)
			}
		}
	}
}

// TestMissingToolchainsAreNamed: whoever lacks a language's tools is told which.
func TestMissingToolchainsAreNamed(t *testing.T) {
	tools := t.TempDir()
	for tool, program := range map[string]string{"bash": "bash", "dirname": "dirname", "sed": "sed", "openssl": "bash"} { // no check gets to openssl
		path, err := exec.LookPath(program)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(tools, tool)); err != nil {
			t.Fatal(err)
		}
	}
	for language, tool := range map[string]string{
		"python": "python3, 3.11 or later", "typescript": "node is not installed", "java": "java is not installed", "rust": "cargo is not installed",
	} {
		command := exec.Command(filepath.Join(tools, "bash"), "../../clients/"+language+"/check.sh")
		command.Env = []string{"PATH=" + tools}
		said, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(said), "clients/"+language) || !strings.Contains(string(said), tool) {
			t.Errorf("without its tools the check of %s says %q (%v), want a line with %q", language, said, err, tool)
		}
	}
}

// text is a file of the repository.
func text(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile("../../" + path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
