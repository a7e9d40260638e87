package snapshot

import (
	"fmt"
	"testing"
)

// TestPlaces: a text keeps its index, however many follow.
func TestPlaces(t *testing.T) {
	var p places
	for n := range uint32(3 * few) {
		for earlier := range n {
			if at, found := p.of(fmt.Sprint("text ", earlier)); !found || at != earlier+1 {
				t.Fatalf("text %d of %d: place %d, found: %v", earlier, n, at, found)
			}
		}
		if at, found := p.of(fmt.Sprint("text ", n)); found || at != n+1 {
			t.Fatalf("text %d, which is new: place %d, found: %v", n, at, found)
		}
	}
}
