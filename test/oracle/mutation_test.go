package oracle

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/oracle/world"
)

// TestFindsEachRule inverts every rule of the engine, one at a time: the oracle has to notice. This proves that the oracle can
// fail, and that the fixed set reaches each rule's decision.
func TestFindsEachRule(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-long does it")
	}
	for _, rule := range reflect.VisibleFields(reflect.TypeFor[model.Rules]()) {
		if rule.Anonymous {
			continue
		}
		t.Run(rule.Name, func(t *testing.T) {
			if world.Since137 && rule.Name == "BrokenPodsOutsideBudget" {
				t.Skip("UnavailableFirst leaves it no pod")
			}
			if !world.Since137 && rule.Name == "Recreates" {
				t.Skip("1.36 does not know the strategy")
			}
			report := Run(Options{Count: *count, Seed: *seed, Workers: runtime.GOMAXPROCS(0), Limit: 1,
				Rules: func(rules *model.Rules) {
					field := reflect.ValueOf(rules).Elem().FieldByIndex(rule.Index)
					field.SetBool(!field.Bool())
				}})
			for _, d := range report.Divergences {
				if agree, _ := Check(d.World, Rules(d.World.Gate)); agree == nil { // this rule makes the difference
					t.Logf("found in world %d: %s", d.Index, d.Class)
					return
				}
			}
			t.Fatalf("no difference in %d worlds with this rule inverted", report.Worlds)
		})
	}
}
