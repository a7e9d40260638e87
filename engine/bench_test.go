package engine

import (
	"fmt"
	"testing"
)

// BenchmarkSteady plans for a set that is in the desired state. test/oracle measures upstream on the same.
func BenchmarkSteady(b *testing.B) {
	for _, pods := range []int{3, 100, 1000, 10000} {
		b.Run(fmt.Sprint(pods), func(b *testing.B) {
			w := newWorld(pods).withClaims()
			shareOwners(w)
			if p := Decide(&w.Snapshot); !p.Converged {
				b.Fatal(Describe(p))
			}
			b.ReportAllocs()
			for b.Loop() {
				Decide(&w.Snapshot)
			}
		})
	}
}

// shareOwners shares pods' owners as the codec does.
func shareOwners(w *world) {
	owners, volumes := w.owners(), w.volumes()
	for i := range w.Pods {
		w.Pods[i].Owners, w.Pods[i].Volumes = owners, volumes
	}
}

// BenchmarkScaleUp creates all pods of a Parallel set, manifests included.
func BenchmarkScaleUp(b *testing.B) {
	for _, pods := range []int{100, 1000} {
		b.Run(fmt.Sprint(pods), func(b *testing.B) {
			w := newWorld(0).parallel().withClaims()
			w.Set.Replicas = int32(pods)
			b.ReportAllocs()
			for b.Loop() {
				Decide(&w.Snapshot)
			}
		})
	}
}
