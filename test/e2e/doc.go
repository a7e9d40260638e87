// Package e2e runs StatefulSets on a real Kubernetes API server whose built-in StatefulSet controller is off. Server and
// adapter are separate processes, joined by gRPC over TLS. The tests need the tag e2e and the programs that `make e2e` builds;
// they fail, and do not skip, if one is missing.
//
// Tests check the history of the API server's watch events, merged over all kinds by resource version: orders and counts, not
// only the final state.
package e2e
