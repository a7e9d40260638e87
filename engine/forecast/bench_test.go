package forecast

import (
	"fmt"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// BenchmarkRoll forecasts a new template of a set with claims, one pod after the other.
func BenchmarkRoll(b *testing.B) {
	for _, pods := range []int32{3, 100, 1000} {
		b.Run(fmt.Sprint(pods), func(b *testing.B) {
			s := edit(running(b, withClaims(newSet(pods))), func(set *model.Set) { set.PodTemplate = image("web:2") })
			b.ReportAllocs()
			for b.Loop() {
				steps, result := Run(nil, s, Options{})
				for range steps {
				}
				if r := result(); r.Verdict != Converged || len(r.Restarts) != int(pods) {
					b.Fatalf("%+v", r)
				}
			}
		})
	}
}
