package cluster

import (
	"errors"
	"fmt"
	"testing"
)

// TestStartedAgain: kwok may end a few times while it starts. No other component may, and no other failure is retried.
func TestStartedAgain(t *testing.T) {
	ended, other := fmt.Errorf("start: %w", errEnded), errors.New("the port is taken")
	for name, row := range map[string]struct {
		component Component
		results   []error
		want      error
		starts    int
	}{
		"kwok ends twice":        {Kwok, []error{ended, ended, nil}, nil, 3},
		"kwok ends for ever":     {Kwok, []error{ended, ended, ended, ended, ended, nil}, errEnded, 5},
		"kwok fails otherwise":   {Kwok, []error{ended, other, nil}, other, 2},
		"etcd ends":              {Etcd, []error{ended, nil}, errEnded, 1},
		"an API server is there": {APIServer, []error{nil}, nil, 1},
	} {
		starts := 0
		err := again(row.component.starts(), func() error {
			starts++
			return row.results[starts-1]
		})
		if !errors.Is(err, row.want) || starts != row.starts {
			t.Errorf("%s: %v after %d starts, want %v after %d", name, err, starts, row.want, row.starts)
		}
	}
}
