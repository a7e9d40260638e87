package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/setplan/setplan/server/access"
)

// TestCentralPage: what docs/central.md shows is what the server takes.
func TestCentralPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/central.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```\\w+\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	policies, commands := 0, 0
	for _, block := range blocks {
		text := block[1]
		switch {
		case strings.HasPrefix(text, "# policy.yaml"):
			policies++
			p, err := access.Parse([]byte(text))
			if err != nil || p.Of([]string{"CN=east-adapter"}) == nil || p.Of([]string{"DNS=adapter.west.example.org"}) == nil {
				t.Errorf("the policy file: %v", err)
			}
		case strings.HasPrefix(text, "setplan-server"):
			commands++
			c := command()
			if err := c.ParseFlags(strings.Fields(strings.ReplaceAll(text, "\\\n", ""))[1:]); err != nil {
				t.Errorf("%s: %v", text, err)
			}
			if got := c.Flags().Lookup("policy-file").Value.String(); filepath.Base(got) != "policy.yaml" {
				t.Errorf("--policy-file is %q", got)
			}
		}
	}
	if policies != 1 || commands != 1 {
		t.Errorf("the page has %d policy files and %d commands of the server, want one of each", policies, commands)
	}
}
