// Package docs holds no code: its tests keep the pages of docs/ true.
package docs

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
	"github.com/setplan/setplan/test/need"
)

// folder is where the pages are. Tests name them relative to it, as links do. They do not change to it in TestMain: the go command
// would look for the files that a cached run has read beside the tests, find none, and take every page for unchanged.
const folder = "../../docs"

func page(t *testing.T, name string) string {
	t.Helper()
	text := need.Value(os.ReadFile(filepath.Join(folder, name)))(t)
	return string(text)
}

// fence returns the n-th block of code in a language.
func fence(t *testing.T, text, language string, n int) string {
	t.Helper()
	blocks := regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1)
	if n >= len(blocks) {
		t.Fatalf("the page has %d blocks of %s", len(blocks), language)
	}
	return blocks[n][1]
}

// TestWorkedExample plans the request of plan.md and compares the plan with the one on the page.
func TestWorkedExample(t *testing.T) {
	text := page(t, "../proto/EXAMPLE.md")
	request, want := &setplanv1.PlanRequest{}, &setplanv1.Plan{}
	need.NoError(t, protojson.Unmarshal([]byte(fence(t, text, "json", 0)), request))
	snapshot := need.Value(codec.Decode(request, codec.Limits{MaxPods: 100}))(t)
	plan := engine.Decide(snapshot)
	got := codec.Encode(plan, snapshot.Set.Namespace)
	if err := protojson.Unmarshal([]byte(fence(t, text, "json", 1)), want); err != nil || !proto.Equal(got, want) {
		t.Errorf("%v; the plan is\n%s", err, protojson.MarshalOptions{Multiline: true}.Format(got))
	}
	if described := fence(t, text, "text", 1); described != engine.Describe(plan) {
		t.Errorf("in words the plan is\n%s", engine.Describe(plan))
	}
	template := string(request.GetSnapshot().GetSet().GetPodTemplate())
	if shown := strings.TrimSpace(fence(t, text, "json", 2)); shown != template {
		t.Errorf("the template is\n%s\n%s", template, base64.StdEncoding.EncodeToString([]byte(shown)))
	}
}

// TestEveryCodeHasASection: blocks.md explains every block, rules.md every rule.
func TestEveryCodeHasASection(t *testing.T) {
	headings := func(name string) map[string]bool {
		found := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)^## (\w+)$`).FindAllStringSubmatch(page(t, name), -1) {
			found[m[1]] = true
		}
		return found
	}
	sections := headings("blocks.md")
	values := setplanv1.BlockCode(0).Descriptor().Values()
	for i := 1; i < values.Len(); i++ {
		name := strings.TrimPrefix(string(values.Get(i).Name()), "BLOCK_CODE_")
		if !sections[name] {
			t.Errorf("blocks.md has no section %s", name)
		}
		delete(sections, name)
	}
	rules := headings("rules.md")
	for _, rule := range reflect.VisibleFields(reflect.TypeFor[model.Rules]()) {
		if !rule.Anonymous && !rules[rule.Name] {
			t.Errorf("rules.md has no section %s", rule.Name)
		}
		delete(rules, rule.Name)
	}
	if len(sections)+len(rules) > 0 {
		t.Errorf("sections that explain nothing: %v %v", sections, rules)
	}
}
