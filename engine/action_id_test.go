package engine

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"testing"
)

// TestActionID: our hash and digits are those of the standard library.
func TestActionID(t *testing.T) {
	for _, facts := range [][]string{nil, {""}, {"web-5d4c"}, {"a", "b"}, {"\xff\x00", "é"}} {
		h := fnv.New64a()
		for _, fact := range append([]string{"u-1"}, facts...) {
			fmt.Fprintf(h, "%s\x00", fact)
		}
		want := "delete-pod/web-1/" + strconv.FormatUint(h.Sum64(), 36)
		if got := actionID(&Action{Name: "web-1", UID: "u-1", Op: DeletePod{}}, facts); got != want {
			t.Errorf("%q: %s, want %s", facts, got, want)
		}
	}
	for _, n := range []uint64{0, 35, 36, math.MaxUint64} {
		if got, want := string(inBase36(new([idDigits]byte), n)), strconv.FormatUint(n, 36); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
