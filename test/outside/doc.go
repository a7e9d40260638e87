// Package outside tests an adapter from outside, as a process in any language, against each MUST of proto/SPEC.md for adapters that shows
// in its requests.
//
// The adapter runs between two things that the package controls. Towards the cluster, a gateway to a real API server records, delays and
// refuses requests, and holds watches back. Towards the planner, a real gRPC server over TLS answers by a script: mostly the plan of the
// real planner with something changed. Each case has a namespace and a set of its own, so that one process
// of the adapter serves all of them.
//
// A case that an adapter does not pass can be excused by an Exception with a reason. An exception that is not needed fails.
package outside
