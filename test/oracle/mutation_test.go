package oracle

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/setplan/setplan/engine"
)

// TestFindsEachRule turns every rule of the engine over, one at a time: the oracle has to notice. It is the proof that
// the oracle can fail, and that the fixed set reaches the place where each rule decides.
func TestFindsEachRule(t *testing.T) {
	fields := reflect.TypeFor[engine.Rules]()
	for i := range fields.NumField() {
		t.Run(fields.Field(i).Name, func(t *testing.T) {
			report := Run(Options{Count: *count, Seed: *seed, Workers: runtime.GOMAXPROCS(0), Limit: 1,
				Rules: func(rules *engine.Rules) {
					field := reflect.ValueOf(rules).Elem().Field(i)
					field.SetBool(!field.Bool())
				}})
			for _, d := range report.Divergences {
				if agree, _ := Check(d.World, Rules(d.World.Gate)); agree == nil { // it is the rule that makes the difference
					t.Logf("found in world %d: %s", d.Index, d.Class)
					return
				}
			}
			t.Fatalf("%d worlds do not tell whether this rule is on", report.Worlds)
		})
	}
}
