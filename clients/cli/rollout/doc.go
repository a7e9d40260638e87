// Package rollout says about a set of any kind with a StatefulSet's spec what kubectl rollout says about apps/v1, and makes the patches of
// its subcommands. It reads objects without a Go type, so that a kind's own fields are kept.
package rollout
