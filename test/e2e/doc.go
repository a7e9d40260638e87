// Package e2e runs StatefulSets on a real Kubernetes API server whose built-in StatefulSet controller is off: server and
// adapter are processes of their own, joined by gRPC over TLS. Its tests need the tag e2e and the programs that `make
// e2e` builds, and they fail, not skip, where one is missing.
//
// Tests assert on the history of the API server's watch events, merged over all kinds by resource version, so that
// orders and counts are checked and not only the end.
package e2e
