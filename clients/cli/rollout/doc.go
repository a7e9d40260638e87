// Package rollout says of a set of any kind with a StatefulSet's spec what kubectl's rollout says of apps/v1, and makes the patches that
// its subcommands write. It reads objects without a Go type, so that a kind's own fields are kept.
package rollout
