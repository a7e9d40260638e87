//go:build e2e

package e2e

import "github.com/setplan/setplan/test/need"

func must[V any](value V, err error) func(need.T) V { return need.Value(value, err) }

func noError(t need.T, err error) {
	t.Helper()
	need.NoError(t, err)
}
