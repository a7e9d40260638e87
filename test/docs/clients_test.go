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
		"python": "python3, 3.11 or later", "typescript": "node is not installed", "java": "java is not installed", "rust": "cargo",
	} {
		command := exec.Command(filepath.Join(tools, "bash"), "../../clients/"+language+"/check.sh")
		command.Env = []string{"PATH=" + tools}
		said, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(said), "clients/"+language) || !strings.Contains(string(said), tool) {
			t.Errorf("without its tools the check of %s says %q (%v), want a line with %q", language, said, err, tool)
		}
	}
}
