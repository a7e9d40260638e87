package cli

import (
	"fmt"
	"testing"
	"time"
)

// TestProgress: a short command says nothing, and a long one how far it is, once in a while.
func TestProgress(t *testing.T) {
	at := time.Unix(0, 0)
	var said []string
	p := &progress{now: func() time.Time { return at }, total: 10, told: at,
		tell: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }}
	for range 10 {
		at = at.Add(2 * time.Second)
		p.step()
	}
	if want := "[3 of 10 sets done 6 of 10 sets done 9 of 10 sets done]"; fmt.Sprint(said) != want {
		t.Errorf("said %v, want %s", said, want)
	}
}
