package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDemo(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"demo"}, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{
		"do    create pod web-4", "do    delete pod web-2", "note  web-0:",
		"do    renumber revision", "PersistentVolumeClaim www-web-3 is gone", "(0 broken)",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demo does not say %q", want)
		}
	}
}

func TestStory(t *testing.T) {
	path := filepath.Join("..", "..", "story", "testdata", "stories", "ordered_start.txt")
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run([]string{"story", path}, &out); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(golden), "\n") {
		if line != "----" && !strings.Contains(out.String(), line) {
			t.Errorf("the output lacks %q", line)
		}
	}
}

func TestUsage(t *testing.T) {
	if err := run(nil, &strings.Builder{}); err == nil {
		t.Error("no arguments are no error")
	}
}
