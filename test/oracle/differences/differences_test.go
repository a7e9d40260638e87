package differences

import (
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/oracle"
	"github.com/setplan/setplan/test/oracle/world"
)

// TestRows runs both sides in the world of each row. By the rules of upstream ours does what upstream does; with that one rule turned over
// it does what SETPLAN does, or what the other upstream does: this rule makes the difference.
func TestRows(t *testing.T) {
	rules := slices.DeleteFunc(reflect.VisibleFields(reflect.TypeFor[model.Rules]()), func(f reflect.StructField) bool { return f.Anonymous })
	if len(rules) != len(Rows) {
		t.Fatalf("%d rules, %d rows", len(rules), len(Rows))
	}
	for i, row := range Rows {
		t.Run(row.Rule, func(t *testing.T) {
			if name := rules[i].Name; name != row.Rule {
				t.Fatalf("rule %d is %s", i, name)
			}
			w := row.Make()
			without := oracle.Rules(w.Gate)
			if row.Rule == "Recreates" {
				world.SetRecreate(false)
				defer world.SetRecreate(true)
				without.Recreates = false
			}
			check(t, "upstream", Theirs(w), row.upstream(world.Since137))
			check(t, "SETPLAN", ours(t, row, model.Setplan()), row.Planned)
			if slices.Equal(row.Theirs, row.Planned) && row.Newer == nil {
				t.Error("the row shows no difference")
			}
			unheard := row.Rule == "Recreates" && !world.Since137 // of a set that the API server of 1.36 refuses, ours is a block
			if d, _ := oracle.Check(w, without); d != nil && !unheard {
				t.Errorf("without the rule ours differs from upstream: %s", d)
			}
			with, setplan := without, model.Setplan()
			if row.Rule == "BrokenPodsOutsideBudget" {
				with.UnavailableFirst = false // which leaves it no pod
			}
			field := reflect.ValueOf(&with).Elem().FieldByIndex(rules[i].Index)
			field.SetBool(!field.Bool())
			got, want := ours(t, row, with), row.Planned
			if field.Bool() != reflect.ValueOf(&setplan).Elem().FieldByIndex(rules[i].Index).Bool() {
				want = row.upstream(!world.Since137)
			}
			if row.Newer != nil { // several rules differ, and so do the sentences
				isBlock := func(line string) bool { return strings.HasPrefix(line, "block ") }
				got, want = slices.DeleteFunc(got, isBlock), slices.DeleteFunc(slices.Clone(want), isBlock)
			}
			check(t, "upstream's rules and this one turned over", got, want)
		})
	}
}

func ours(t *testing.T, row Row, rules model.Rules) []string {
	t.Helper()
	// These follow from everything else. Shown in every row they would hide the row's difference.
	rules.StatusConditions = rules.StatusConditions && row.Rule == "StatusConditions"
	rules.StatusCountsCreated = rules.StatusCountsCreated && row.Rule == "StatusCountsCreated"
	lines := need.Value(Ours(row.Make(), rules))(t)
	return lines
}

func check(t *testing.T, who string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%#v\nthe row says:\n%#v", who, got, want)
	}
}

var rewrite = flag.Bool("rewrite", false, "write docs/rules.md anew")

// TestPage fails if docs/rules.md differs from the tables.
func TestPage(t *testing.T) {
	const path = "../../../docs/rules.md"
	page := need.Value(Page())(t)
	if *rewrite {
		need.NoError(t, os.WriteFile(path, []byte(page), 0o644))
	}
	text := need.Value(os.ReadFile(path))(t)
	if string(text) != page {
		t.Error("docs/rules.md is stale: make rewrite WHAT=rules")
	}
}
